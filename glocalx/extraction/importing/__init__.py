"""Rules made by others: LORE and Anchors in the forms in which they hand out their rules."""

from glocalx.extraction.importing.imported import ImportedRule
from glocalx.extraction.importing.recognise import import_rules

__all__ = ["ImportedRule", "import_rules"]
