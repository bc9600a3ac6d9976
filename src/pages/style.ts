/** The style of every page: light and dark, narrow and wide, and on paper. It loads nothing. */

/** The text of the one style element; the policy of a page names its hash. */
export const STYLE = `
:root { color-scheme: light dark;
  --paper: #fff; --ink: #1c2330; --faint: #566072; --line: #d8dde6; --soft: #f4f6f9;
  --link: #0b5cad; --good: #14713a; --good-soft: #e2f4e8; --bad: #ad1f1f; --bad-soft: #fde8e6;
  --warn: #7d4e00; --warn-soft: #fdf1d8; --bar: #5b86c4; }
@media (prefers-color-scheme: dark) { :root {
  --paper: #14181f; --ink: #e4e8ef; --faint: #a3adbd; --line: #333c4a; --soft: #1d232d;
  --link: #82b8f5; --good: #7fd69c; --good-soft: #16331f; --bad: #ff9e96; --bad-soft: #42191a;
  --warn: #f3c66d; --warn-soft: #3a2d10; --bar: #4f7cba; } }
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; scroll-behavior: smooth; }
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 system-ui, "Segoe UI", Roboto, "Noto Sans", sans-serif; overflow-wrap: anywhere; }
header, main, nav, footer, .live { max-width: 60rem; margin: 0 auto; padding: 0 1rem; }
header { padding-top: 1.5rem; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: .3rem 0 .6rem; }
h2 { font-size: 1.15rem; margin: 2.2rem 0 .6rem; padding-top: .4rem; border-top: 1px solid var(--line); }
h3 { font-size: 1rem; margin: 1.2rem 0 .3rem; }
p { margin: .4rem 0; } figure { margin: .6rem 0; }
a { color: var(--link); }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 3px; }
code, pre { font-family: ui-monospace, "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
  font-size: .875em; }
code { background: var(--soft); border-radius: 4px; padding: .1em .3em; }
ul, ol { padding-left: 1.3rem; margin: .3rem 0; }
li { margin: .2rem 0; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem; margin: .6rem 0; }
dt { color: var(--faint); } dd { margin: 0; }
.skip { position: absolute; left: -100vw; } .skip:focus { left: 1rem; top: .5rem; background: var(--paper); }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.faint { color: var(--faint); font-size: .9rem; }
.quote { white-space: pre-wrap; }
nav ul { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: .2rem 1rem; }
.badge { display: inline-block; margin: .1rem 0; border-radius: 999px; padding: .1rem .7rem; font-size: .9rem; font-weight: 600;
  background: var(--soft); border: 1px solid currentColor; }
.good { color: var(--good); background: var(--good-soft); } .bad { color: var(--bad); background: var(--bad-soft); }
.warn { color: var(--warn); background: var(--warn-soft); }
.box { border: 1px solid var(--line); border-left-width: 5px; border-radius: 6px; padding: .5rem .9rem; margin: .7rem 0;
  background: var(--soft); color: var(--ink); }
.box.warn { border-left-color: var(--warn); background: var(--warn-soft); }
.box.bad { border-left-color: var(--bad); background: var(--bad-soft); }
.track { list-style: none; padding: 0; display: grid; grid-template-columns: repeat(19, 1fr); gap: 3px; margin: .8rem 0; }
.track li { margin: 0; text-align: center; font-size: .75rem; line-height: 1.7; border-radius: 3px; background: var(--soft);
  color: var(--faint); border: 1px solid var(--line); min-width: 0; }
.track .done { background: var(--good-soft); color: var(--good); }
.track .again { background: var(--warn-soft); color: var(--warn); font-weight: 700; }
.track .here { background: var(--link); color: var(--paper); font-weight: 700; }
.plain { list-style: none; padding: 0; }
.visit { border-left: 3px solid var(--line); padding: .1rem 0 .3rem .9rem; margin: 0; }
.visit > p:first-child { margin: 0; }
.events { list-style: none; padding: 0; margin: .3rem 0; }
.events li { padding: .25rem .6rem; border-radius: 5px; background: var(--soft); white-space: pre-wrap; }
.events .refusal, .events .failure, .events .call_refused { background: var(--bad-soft); }
.events .question, .events .answer { background: var(--warn-soft); }
details { margin: .3rem 0; } summary { cursor: pointer; padding: .15rem 0; }
details > *:not(summary) { margin-left: .2rem; }
.scroll { overflow-x: auto; max-width: 100%; }
.diff { margin: .3rem 0; padding: .5rem; border: 1px solid var(--line); border-radius: 6px; background: var(--soft);
  overflow-x: auto; line-height: 1.45; overflow-wrap: normal; tab-size: 4; max-height: 40rem; }
.diff span { display: block; white-space: pre; min-height: 1.45em; unicode-bidi: isolate; }
.diff .a { background: var(--good-soft); color: var(--good); } .diff .r { background: var(--bad-soft); color: var(--bad); }
.diff .h { color: var(--faint); }
.idle { box-shadow: inset 4px 0 0 var(--warn); padding-left: 8px; } .diff-key .idle { display: inline-block; }
table { border-collapse: collapse; width: 100%; font-size: .95rem; }
th, td { text-align: left; vertical-align: top; padding: .3rem .8rem .3rem 0; border-bottom: 1px solid var(--line); }
th { color: var(--faint); font-weight: 600; } td.number, th.number { text-align: right; white-space: nowrap; }
@media (min-width: 40rem) { td.when { white-space: nowrap; } }
svg { display: block; max-width: 100%; height: auto; }
svg text { fill: var(--ink); font: 13px system-ui, "Segoe UI", Roboto, "Noto Sans", sans-serif;
  direction: ltr; unicode-bidi: isolate; }
svg .small { font-size: 11px; fill: var(--faint); }
svg .graph-node { fill: var(--soft); stroke: var(--line); } svg .graph-changed { fill: var(--warn-soft); stroke: var(--warn); }
svg .edge { fill: none; stroke: var(--faint); stroke-width: 1.2; } svg .edge-name { stroke-dasharray: 4 4; }
svg .success { fill: var(--good); } svg .partial { fill: var(--warn); } svg .failure { fill: var(--bad); }
svg .bar { fill: var(--bar); } svg .axis { stroke: var(--line); }
.graph svg { width: 760px; max-width: none; }
.key { display: inline-block; width: .8rem; height: .8rem; border-radius: 2px; vertical-align: -.1rem; margin-right: .3rem; }
.key.success { background: var(--good); } .key.partial { background: var(--warn); } .key.failure { background: var(--bad); }
footer { padding-top: 2rem; padding-bottom: 2rem; color: var(--faint); font-size: .85rem; }
input, button { font: inherit; padding: .35rem .7rem; border-radius: 5px; border: 1px solid var(--faint);
  background: var(--paper); color: var(--ink); max-width: 100%; }
@media (max-width: 34rem) {
  .track { grid-template-columns: repeat(10, 1fr); }
  dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: .4rem; }
  .stack thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .stack tr { display: block; border-bottom: 1px solid var(--line); padding: .4rem 0; }
  .stack td { display: block; border: 0; padding: .05rem 0; text-align: left; } }
@media print {
  nav, .skip, .live { display: none; } body { font-size: 10pt; } header, main, footer { max-width: none; padding: 0; }
  .diff { max-height: none; overflow: visible; } .diff span { white-space: pre-wrap; }
  details::details-content { content-visibility: visible; display: block; height: auto; opacity: 1; }
  .graph svg { width: 100%; } li, tr, .box { break-inside: avoid; } h2, h3, summary { break-after: avoid; } }
`;
