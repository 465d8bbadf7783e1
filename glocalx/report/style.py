"""The one style sheet of a report: light, dark, phone and paper."""

from __future__ import annotations

from glocalx.plots.colours import DARK, LIGHT, Palette

_BASE = """
*{box-sizing:border-box}
html{font:16px/1.55 "Source Sans 3","Source Sans Pro",system-ui,"Segoe UI",sans-serif;
color:var(--ink);background:var(--page);-webkit-text-size-adjust:100%}
body{margin:0 auto;padding:2.5rem 1.5rem 4rem;max-width:68rem;overflow-wrap:break-word}
h1,h2,h3{font-family:"Source Serif 4","Source Serif Pro",Georgia,"Times New Roman",serif;
font-weight:600;line-height:1.25;text-wrap:balance}
h1{font-size:2.1rem;margin:.25rem 0 .5rem}
h2{font-size:1.45rem;margin:3.25rem 0 .5rem;padding-top:1.25rem;border-top:1px solid var(--line)}
h3{font-size:1.2rem;margin:2rem 0 .25rem}
p{margin:.5rem 0;max-width:55rem}
ul,ol{max-width:55rem;padding-left:1.25rem}
li{margin:.3rem 0}
a{color:var(--accent)}
a:focus-visible,.scroll:focus-visible,summary:focus-visible{outline:2px solid var(--accent);
outline-offset:2px}
.quiet-text,.made{color:var(--muted)}
.lead{font-size:1.1rem}
.brand{display:flex;align-items:center;gap:.5rem;font-weight:700;color:var(--accent)}
.brand svg{flex:none;stroke:var(--accent);fill:none}
.brand circle{fill:var(--accent);stroke:none}
nav{margin:1.5rem 0 0;padding:.9rem 1.25rem;border:1px solid var(--line);border-radius:.5rem}
nav ol{margin:0;columns:3 15rem;column-gap:2rem;max-width:none}
nav p{margin:0 0 .35rem;font-weight:600}
nav li{break-inside:avoid;margin:0;padding:.15rem 0}
.key{display:grid;grid-template-columns:repeat(auto-fit,minmax(11.5rem,1fr));gap:1rem;
margin:1.25rem 0;padding:0}
.key>div{border:1px solid var(--line);border-radius:.5rem;padding:.85rem 1rem}
.key dt{color:var(--muted);font-size:.9rem}
.key dd{margin:0}
.key .big{font-size:1.6rem;font-weight:600;line-height:1.3}
.key .under{color:var(--muted);font-size:.9rem}
.flag{background:var(--flag);color:var(--flag-ink);border-radius:.5rem;padding:.8rem 1.1rem;
margin:1rem 0;max-width:none}
.flag p,.flag ul{max-width:none;margin:.2rem 0}
.rules{list-style:none;padding:0;max-width:none;margin:1rem 0}
.rule{border:1px solid var(--line);border-radius:.5rem;padding:.85rem 1.1rem 1rem;margin:0 0 .75rem;
break-inside:avoid}
.rule .top{display:flex;flex-wrap:wrap;gap:.25rem .75rem;align-items:baseline}
.rule .top .figures{margin-left:auto;color:var(--muted);font-size:.95rem}
.rule .top .figures b{color:var(--ink)}
.rule .sentence{font-family:"Source Serif 4",Georgia,serif;font-size:1.1rem;margin:.45rem 0 .35rem;
max-width:none}
.rule .notation{color:var(--muted);font-size:.9rem;margin:0 0 .6rem;max-width:none}
.rule .notation:last-child{margin:0}
.badge{display:inline-block;border-radius:.3rem;padding:.02rem .45rem;font-size:.92rem}
.bar svg,.defs{display:block}
.defs{position:absolute}
.whole{fill:var(--grid)}
.legend{display:flex;flex-wrap:wrap;gap:.2rem 1.4rem;color:var(--muted);font-size:.9rem;
padding:0;margin:.4rem 0;list-style:none;max-width:none}
figure{margin:1rem 0 1.5rem}
figcaption{font-weight:600;margin-bottom:.25rem}
.dots{border:1px solid var(--line);border-radius:.5rem;padding:.75rem 1rem}
.dots .row{display:grid;grid-template-columns:minmax(7rem,15rem) minmax(8rem,1fr)
minmax(7rem,13rem);gap:0 1rem;align-items:center;break-inside:avoid;min-height:26px}
.dots .over{font-weight:600;grid-column:1/-1;padding-top:.5rem}
.dots .name{text-align:right;line-height:1.2;font-size:.95rem}
.dots .end{color:var(--muted);font-size:.9rem;line-height:1.2}
.dots svg{display:block;overflow:visible}
.ticks text{fill:var(--muted);font-size:12px}
.grid{stroke:var(--grid)}
.zero{stroke:var(--axis);stroke-width:1.5}
.whisker{stroke-width:2.2}
.whisker.strong{stroke:var(--ink)}
.whisker.quiet{stroke:var(--axis)}
.dot{stroke-width:1.8}
.dot.strong{fill:var(--ink);stroke:var(--ink)}
.dot.quiet{fill:var(--axis);stroke:var(--axis)}
.dot.hollow{fill:var(--page)}
.diamond{fill:var(--page);stroke:var(--accent);stroke-width:1.8}
.scroll{overflow-x:auto;margin:1rem 0 1.5rem}
table{border-collapse:collapse;min-width:min(100%,48rem);font-size:.92rem;line-height:1.35;
font-variant-numeric:tabular-nums}
caption{text-align:left;font-weight:600;padding:.25rem 0 .5rem}
th,td{padding:.4rem .6rem;border-bottom:1px solid var(--line);vertical-align:top;font-weight:400}
thead th{background:var(--soft);font-weight:600;vertical-align:bottom}
.heading th{font-weight:600;padding-top:.9rem;text-align:left}
th.text,td.text{text-align:left;min-width:6rem}
th.number,td.number{text-align:right}
td.number,.number .badge{white-space:nowrap}
.small{display:block;color:var(--muted);font-size:.85em}
[class*=" shade"] .small,.badge .small{color:inherit}
code,pre{font-family:ui-monospace,"Cascadia Mono",Menlo,Consolas,monospace;font-size:.85rem}
pre{background:var(--soft);border-radius:.5rem;padding:1rem;white-space:pre-wrap}
summary{cursor:pointer;font-weight:600;margin:.4rem 0}
dl.facts{display:grid;grid-template-columns:minmax(9rem,16rem) 1fr;gap:.35rem 1.25rem;
margin:.75rem 0}
dl.facts dt{color:var(--muted)}
dl.facts dd{margin:0}
.unknown{color:var(--muted);font-style:italic}
footer{margin-top:3rem;padding-top:1rem;border-top:1px solid var(--line);color:var(--muted);
font-size:.9rem}
"""

_PHONE = """
@media screen and (max-width:40rem){
body{padding:1.25rem 1rem 3rem}
h1{font-size:1.7rem}
.dots .row{grid-template-columns:1fr auto;gap:0 .75rem;margin-bottom:.35rem}
.dots .name{text-align:left}
.dots .end{text-align:right}
.dots svg{grid-row:2;grid-column:1/-1}
.dots .axis .name{display:none}
.key{grid-template-columns:1fr 1fr}
.rule .top .figures{margin-left:0;width:100%}
dl.facts{grid-template-columns:1fr;gap:0}
dl.facts dd{margin-bottom:.5rem}
}
"""

_PAPER = """
@page{margin:15mm 14mm}
@media print{
html{font-size:10.5pt;background:#fff}
body{padding:0;max-width:none}
*{-webkit-print-color-adjust:exact;print-color-adjust:exact}
h2,h3,caption,figcaption,.heading{break-after:avoid}
h2{margin-top:1.75rem}
nav{break-after:avoid}
.scroll{overflow:visible}
table{font-size:8.5pt;width:100%}
th,td{padding:.25rem .35rem}
th.text,td.text{min-width:0}
td.number,.number .badge{white-space:normal}
thead{display:table-header-group}
tr,.flag,.key>div{break-inside:avoid}
.key{grid-template-columns:repeat(4,1fr);gap:.5rem}
.machine{display:none}
a{color:inherit;text-decoration:none}
}
"""


def style_sheet() -> str:
    """All of it as text."""
    schemes = f":root{{color-scheme:light dark}}\n{_scheme(LIGHT)}"
    schemes += f"@media screen and (prefers-color-scheme:dark){{\n{_scheme(DARK)}}}\n"
    return schemes + _BASE + _PHONE + _PAPER


def _scheme(palette: Palette) -> str:
    """The colours of one scheme: variables, outcomes, shades from less to more."""
    lines = [palette.variables()]
    for place, tones in enumerate(palette.outcomes):
        lines.append(f".tone{place}{{color:{tones.text};background:{tones.soft}}}")
        lines.append(f".fill{place}{{fill:{tones.mark}}}")
        lines.append(f".stroke{place}{{stroke:{tones.mark};stroke-width:1.6}}")
    for step, (ground, ink) in enumerate(palette.shades()):
        lines.append(f".shade{step}{{background:{ground};color:{ink}}}")
    return "\n".join(lines) + "\n"
