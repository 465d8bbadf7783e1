"""Every text of a rule that a person reads. Plain text: escaping is for whoever shows it."""

from glocalx.wording.text import number_text, one_line
from glocalx.wording.thresholds import Bound
from glocalx.wording.wording import Phrase, SpokenPremises, Wording

__all__ = ["Bound", "Phrase", "SpokenPremises", "Wording", "number_text", "one_line"]
