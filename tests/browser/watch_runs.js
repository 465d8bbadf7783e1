(() => {
// Whether a run of the page's script was asked for, and whether one goes on: until the server's
// first word the page itself does not show it, and a click just then is lost.
window.runs = {asked: true, going: false};
const begins = 4, ends = 6, early = 2;  // new_session and script_finished of ForwardMsg; for a rerun
const asks = 0x5a;                      // the first byte of BackMsg with rerun_script

function number(bytes, at) {
  let value = 0, shift = 1;
  for (; bytes[at] & 0x80; at++, shift *= 128) value += (bytes[at] & 0x7f) * shift;
  return [value + bytes[at] * shift, at + 1];
}

function drawn(run) {
  setTimeout(() => setTimeout(() => { run.going = false; }));  // what was told is drawn after this
}

function note(bytes) {
  for (let at = 0, tag, value; at < bytes.length; ) {
    [tag, at] = number(bytes, at);
    [value, at] = number(bytes, at);
    const field = tag >> 3;
    if (field === begins) window.runs = {asked: false, going: true};
    if (field === ends && value !== early) drawn(window.runs);
    if ((tag & 7) === 2) at += value;
  }
}

const Plain = window.WebSocket;
window.WebSocket = class extends Plain {
  constructor(...given) {
    super(...given);
    this.addEventListener("message", told => note(new Uint8Array(told.data)));
  }
  send(data) {
    if (new Uint8Array(data.buffer ?? data)[data.byteOffset ?? 0] === asks) window.runs.asked = true;
    super.send(data);
  }
};
})();
