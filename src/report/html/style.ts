/** The report's style sheet: light and dark by the reader's setting, and for paper. No fonts or pictures from elsewhere. */
export const styleSheet = `
:root{color-scheme:light dark;--page:#fff;--panel:#f5f6f8;--ink:#1b1f24;--dim:#57606a;--edge:#d0d7de;--error:#b3261e;--warning:#8a5a00;--info:#0b5cad;--good:#1a7f37;
--old:#5f738d;--old2:#7c8ea6;--old3:#5a6a91;--new:#2a8052;--waiting:#b06f10;--lost:#c43d34;--lost2:#a8322a;--mark:#7a1fa2;--onbar:#fff}
@media (prefers-color-scheme:dark){:root{--page:#14171b;--panel:#1d2127;--ink:#e6e9ee;--dim:#9aa4b2;--edge:#3a414b;--error:#ff8a80;--warning:#f0b95a;--info:#7fb8ff;--good:#7ddc9a;
--old:#7488a3;--old2:#a3b3c7;--old3:#8d9fd0;--new:#3fae73;--waiting:#e0a040;--lost:#e8655a;--lost2:#f08f86;--mark:#d08cff;--onbar:#0e1114}}
*{box-sizing:border-box}
body{margin:0;overflow-wrap:anywhere;background:var(--page);color:var(--ink);font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif}
main,header,footer{max-width:62rem;margin:0 auto;padding:0 1.25rem}
header{padding-top:1.75rem}
h1{font-size:1.5rem;line-height:1.25;margin:0 0 .25rem}
h2{font-size:1.2rem;margin:2.25rem 0 .5rem;padding-top:.5rem;border-top:1px solid var(--edge)}
h3{font-size:1rem;margin:0 0 .4rem;overflow-wrap:anywhere}
h3 + .picture{margin-top:.2rem}
details{margin:.4rem 0}summary{cursor:pointer;color:var(--info);font-size:.85rem}.wide{overflow-x:auto}
h4{font-size:.85rem;margin:1rem 0 .2rem;color:var(--dim);font-weight:600}
p{margin:.3rem 0}
a{color:var(--info)}
a:focus-visible,[tabindex]:focus-visible,summary:focus-visible{outline:3px solid var(--info);outline-offset:2px;border-radius:3px}
.skip{position:absolute;left:-99rem}.skip:focus{left:1rem;top:.5rem;background:var(--page);padding:.4rem .8rem}
.dim{color:var(--dim)}
.verdict{border-left:.4rem solid var(--good);padding:.2rem 0 .2rem .9rem;margin:1rem 0}
.verdict.error{border-color:var(--error)}.verdict.warning{border-color:var(--warning)}.verdict.unread{border-color:var(--error)}
.aid{background:var(--panel);border:1px solid var(--edge);border-radius:6px;padding:.7rem 1rem;margin:.7rem 0}
.aid ol{margin:.2rem 0;padding-left:1.4rem}
.finding{background:var(--panel);border:1px solid var(--edge);border-left:.4rem solid var(--info);border-radius:6px;padding:.9rem 1rem;margin:.9rem 0;break-inside:avoid}
.finding.error{border-left-color:var(--error)}.finding.warning{border-left-color:var(--warning)}
.tag{white-space:nowrap;font-weight:700;font-size:.8rem;letter-spacing:.03em}
.tag.error{color:var(--error)}.tag.warning{color:var(--warning)}.tag.info{color:var(--info)}
code,pre,.mono{font-family:ui-monospace,"SFMono-Regular",Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:.88em;overflow-wrap:anywhere}
pre{background:var(--page);border:1px solid var(--edge);border-radius:4px;padding:.5rem .7rem;white-space:pre-wrap;margin:.3rem 0}
table{border-collapse:collapse;width:100%;font-size:.9rem}
th,td{text-align:left;vertical-align:top;padding:.2rem .8rem .2rem 0;border-bottom:1px solid var(--edge);overflow-wrap:anywhere}
th{font-weight:600;color:var(--dim);width:12rem}
thead th{width:auto}
td.number{text-align:right;white-space:nowrap}
.picture{overflow-x:auto;margin:.7rem 0}
svg{display:block;width:100%;min-width:34rem;height:auto;font:12px system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif}
svg text{fill:var(--ink)}svg .small{font-size:11px;fill:var(--dim)}svg .name{font-size:12px}
.old{fill:var(--old)}.old.second{fill:var(--old2)}.old.third{fill:var(--old3)}.new{fill:var(--new)}.waiting{fill:var(--waiting)}.lost{fill:var(--lost)}.lost.second{fill:var(--lost2)}
.empty{fill:none;stroke:var(--edge)}.loose{fill:none;stroke:var(--old);stroke-width:1.5}.compaction{fill:var(--info)}.pointer{fill:var(--ink)}
svg .onold,svg .onnew,svg .onlost{fill:var(--onbar);font-size:12px}
.rule{stroke:var(--edge)}.mark{stroke:var(--mark);stroke-width:2;stroke-dasharray:5 3}.mark.faint{stroke-dasharray:2 2}.daily{stroke:var(--info);stroke-width:1.5;stroke-dasharray:2 3}.tick{stroke:var(--ink);stroke-width:2}
.flow{fill:none;stroke:var(--dim);stroke-width:1.3}
.legend{display:flex;flex-wrap:wrap;gap:.3rem 1.2rem;font-size:.8rem;color:var(--dim);padding:0;margin:.2rem 0;list-style:none}
.legend svg{display:inline-block;width:14px;min-width:0;height:12px;margin-right:.35rem;vertical-align:-1px}
footer{margin-top:2.5rem;padding-bottom:2rem;color:var(--dim);font-size:.85rem}
@media (max-width:34rem){main,header,footer{padding:0 .7rem}th{width:6.5rem}}
@media print{:root{--page:#fff;--panel:#fff;--ink:#000;--dim:#444;--edge:#bbb;--error:#b3261e;--warning:#8a5a00;--info:#0b5cad;--old:#5f738d;--old2:#7c8ea6;--old3:#5a6a91;--new:#2a8052;--waiting:#b06f10;--lost:#c43d34;--lost2:#a8322a;--mark:#7a1fa2;--onbar:#fff}
body{font-size:10.5pt}main,header,footer{max-width:none;padding:0}.skip,details:not([open]){display:none}.finding{break-inside:auto}.picture,tr,li,pre,.aid{break-inside:avoid}h3,h4{break-after:avoid}*{print-color-adjust:exact}svg{min-width:0}h2,h3{break-after:avoid}a{color:inherit;text-decoration:none}}
`.trim();
