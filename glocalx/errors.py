"""The one exception for what a person brought and can put right."""


class GLocalXError(ValueError):
    """What is wrong, where, and what to do, in one sentence that can be shown as it is."""
