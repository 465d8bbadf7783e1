"""Learn: see local become global, and check it by hand."""

from ui.layout import page_head
from ui.learn.playground import playground

page_head(
    "Learn",
    "With two features a rule is a rectangle you can see. Watch two theories meet, guess what "
    "happens, then read the calculation. Nothing here changes your runs.",
)
playground()
