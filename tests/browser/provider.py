"""An OpenID provider that signs in whoever it is told to, for tests of signing in."""

from __future__ import annotations

import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlencode, urlparse

from joserfc import jwt
from joserfc.jwk import RSAKey

CLIENT = "glocalx"


class Provider:
    """Listens on this computer; `person` is who signs in next."""

    def __init__(self) -> None:
        self.person = "ada"
        self._key = RSAKey.generate_key(2048, {"kid": "test", "use": "sig", "alg": "RS256"})
        self._codes: dict[str, dict[str, str]] = {}
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.address = f"http://localhost:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    @property
    def discovery(self) -> str:
        return f"{self.address}/.well-known/openid-configuration"

    def configuration(self) -> dict[str, object]:
        return {
            "issuer": self.address,
            "authorization_endpoint": f"{self.address}/authorize",
            "token_endpoint": f"{self.address}/token",
            "jwks_uri": f"{self.address}/keys",
            "response_types_supported": ["code"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["RS256"],
        }

    def keys(self) -> dict[str, object]:
        return {"keys": [self._key.as_dict(private=False)]}

    def authorized(self, query: dict[str, str]) -> str:
        """Where the browser goes after the person said yes, which they do at once."""
        code = f"code-{len(self._codes)}"
        self._codes[code] = {"sub": self.person, "nonce": query.get("nonce", "")}
        return f"{query['redirect_uri']}?{urlencode({'code': code, 'state': query['state']})}"

    def token(self, form: dict[str, str]) -> dict[str, object]:
        now = int(time.time())
        claims = {
            **self._codes.pop(form["code"]),
            "iss": self.address,
            "aud": CLIENT,
            "iat": now,
            "exp": now + 3600,
            "email": f"{self.person}@example.org",
        }
        signed = jwt.encode({"alg": "RS256", "kid": "test"}, claims, self._key)
        return {"access_token": "x", "token_type": "Bearer", "expires_in": 3600, "id_token": signed}

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        provider = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                asked = urlparse(self.path)
                if asked.path == "/authorize":
                    self.send_response(302)
                    self.send_header("Location", provider.authorized(_flat(asked.query)))
                    self.end_headers()
                elif asked.path == "/keys":
                    self._answer(provider.keys())
                else:
                    self._answer(provider.configuration())

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"])).decode()
                self._answer(provider.token(_flat(body)))

            def _answer(self, content: dict[str, object]) -> None:
                data = json.dumps(content).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *_: object) -> None:
                pass

        return Handler


def _flat(query: str) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(query).items()}
