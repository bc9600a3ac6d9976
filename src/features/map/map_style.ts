/** The style of the map's page, beside that of every page. It loads nothing. */

/** The text of the element; the policy of the page names its hash. */
export const MAP_STYLE = `
:root { --heat-0: #e7ebf1; --heat-1: #cfe0f3; --heat-2: #8db9e6; --heat-3: #3f7fc4; --heat-4: #123f7a;
  --on-heat-0: #1c2330; --on-heat-1: #1c2330; --on-heat-2: #10151d; --on-heat-3: #fff; --on-heat-4: #fff; }
@media (prefers-color-scheme: dark) { :root {
  --heat-0: #262e3a; --heat-1: #24405f; --heat-2: #2f69a3; --heat-3: #6aa6e0; --heat-4: #cfe6ff;
  --on-heat-0: #e4e8ef; --on-heat-1: #e4e8ef; --on-heat-2: #fff; --on-heat-3: #10151d; --on-heat-4: #10151d; } }
header, main, nav, footer { max-width: 78rem; }
#room { position: relative; border: 1px solid var(--line); border-radius: 6px; overflow: hidden; }
#room canvas { position: absolute; inset: 0; width: 100%; height: 100%; }
#room:focus-within { outline: 3px solid var(--link); outline-offset: 2px; }
#tools { display: flex; flex-wrap: wrap; gap: .4rem 1.4rem; align-items: center; margin: .5rem 0; }
#tools fieldset { border: 0; padding: 0; margin: 0; display: flex; flex-wrap: wrap; gap: .2rem .9rem; }
#tools legend { float: left; margin-right: .8rem; color: var(--faint); }
#tools input[type=search] { width: 16rem; }
#now { min-height: 1.5em; }
#crumbs { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: .3rem; margin: .4rem 0; }
#crumbs li + li::before { content: "/ "; color: var(--faint); }
#crumbs [aria-current] { font-weight: 700; }
#found { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: .3rem; margin: .3rem 0; }
button { cursor: pointer; text-align: left; padding: .1rem .5rem; }
.symbols { columns: 18rem; }
.heat { display: inline-block; width: 1.1rem; height: .9rem; border: 1px solid var(--line); vertical-align: -.1rem; margin-right: .3rem; }
.heat-0 { background: var(--heat-0); } .heat-1 { background: var(--heat-1); } .heat-2 { background: var(--heat-2); }
.heat-3 { background: var(--heat-3); } .heat-4 { background: var(--heat-4); }
.key-out { display: inline-block; width: 1.6rem; border-top: 2px solid var(--link); vertical-align: .25rem; margin-right: .3rem; }
.key-in { display: inline-block; width: 1.6rem; border-top: 2px dashed var(--warn); vertical-align: .25rem; margin-right: .3rem; }
.key-round { display: inline-block; width: 1.1rem; height: .9rem; border: 2px solid var(--bad); vertical-align: -.1rem; margin-right: .3rem; }
.legend { display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; list-style: none; padding: 0; font-size: .9rem; color: var(--faint); }
body[data-colour=session] .for-changes { display: none; }
body:not([data-colour=session]) .for-session { display: none; }
`;
