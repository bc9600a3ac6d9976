/** The map as a page: a treemap that a script draws, and lists that say the same without it. Pure, except for hashes. */
import type { Html } from "../../pages/html.ts";
import { bdi, code, markup } from "../../pages/html.ts";
import type { PageSection } from "../../pages/page.ts";
import { renderPage } from "../../pages/page.ts";
import { escapeText, formatCount } from "../../base/text/plain_text.ts";
import type { CodeMap, MapLink } from "./code_map.ts";
import {
  listChanged,
  listIdle,
  listUsed,
  toNumberText,
  toPastText,
  toSizeText,
} from "./code_map.ts";
import { listFolders } from "./gather_map.ts";

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
body:is([data-colour=session], [data-colour=runs]) .for-changes { display: none; }
body:not([data-colour=session]) .for-session { display: none; }
body:not([data-colour=runs]) .for-runs { display: none; }
`;

/**
 * Draws the page.
 *
 * @param script the text of `MAP_SCRIPT`.
 */
export function renderMapPage(map: CodeMap, script: string): string {
  const past = toPastText(map);
  const place = map.path === "." ? map.project : `${map.project}: ${map.path}`;
  return renderPage({
    title: `Map of ${place}`,
    header: markup`<p class="faint">Map of the code</p><h1>${bdi(place)}</h1>
<p>${toSizeText(map)}.</p>
${past === null ? null : markup`<p class="faint">${past}</p>`}
${map.notices.map((text) => markup`<p class="box warn">${bdi(text)}</p>`)}`,
    sections: [
      { id: "map", title: "Map", body: renderPicture(map) },
      {
        id: "file",
        title: "File",
        body:
          markup`<div id="file-body"><p class="faint">Choose a file in the map or by its name.</p></div>`,
      },
      { id: "folders", title: "Folders", body: renderFolderTable(map) },
      renderChanged(map),
      renderUsed(map),
      renderIdle(map),
      renderCycles(map),
    ].filter((section) => section !== null),
    program: { script, style: MAP_STYLE, data: buildData(map) },
  });
}

function renderPicture(map: CodeMap): Html {
  return markup`<noscript><p>The picture needs a script; the lists below say the same.</p></noscript>
<div id="picture" hidden>
<form id="tools">
<fieldset><legend>Colour</legend>
<label><input type="radio" name="colour" value="changes" checked> changes of the last year</label>
${
    map.session === null
      ? null
      : markup`<label><input type="radio" name="colour" value="session"> changes of the session</label>`
  }${
    map.recorded === undefined
      ? null
      : markup`<label><input type="radio" name="colour" value="runs"> run by recorded tests</label>`
  }</fieldset>
<p><label for="find">Find a file</label> <input id="find" type="search" autocomplete="off" spellcheck="false"></p>
</form>
<ul id="found" aria-label="Files that were found"></ul><p id="found-rest" class="faint"></p>
<ol id="crumbs" aria-label="Folders that hold the picture"></ol>
<div id="room"><canvas aria-hidden="true"></canvas><canvas tabindex="0" role="application"
  aria-roledescription="treemap" aria-label="Folders and files by their lines" aria-describedby="keys"></canvas></div>
<p id="now" data-empty="Point at a file to see what it leads to.">Point at a file to see what it leads to.</p>
<p id="said" class="hidden" role="status"></p>
${renderLegend(map)}
<p id="keys" class="faint">A click on a folder enters it, one on a file shows its definitions. With the keyboard: arrows go
to a neighbour, Enter opens it, Escape leaves the folder, Home shows all.</p>
</div>`;
}

/** The colours of what ran, as the script gives them. */
const RUN_LEVELS = [
  "not recorded, or no functions",
  "each of its functions ran",
  "less than half of its functions are not run",
  "half of them or more are not run",
  "no recorded test runs any of its functions",
] as const;

function renderLegend({ files, session, past, recorded }: CodeMap): Html {
  const most = files.reduce((best, { changes }) => Math.max(best, changes ?? 0), 1);
  const levels = past === null ? [] : most === 1 ? [2] : [1, 2, 3, 4];
  const toItem = (kind: string, level: number, words: string) =>
    markup`<li class="for-${kind}"><span class="heat heat-${level}"></span>${words}</li>`;
  return markup`<ul class="legend">${
    toItem("changes", 0, past === null ? "changes are not known" : "unchanged")
  }${levels.map((level) => toItem("changes", level, most === 1 ? "1" : formatRange(level, most)))}${
    session === null
      ? null
      : [toItem("session", 4, "changed by the session"), toItem("session", 0, "not changed")]
  }${
    recorded === undefined ? null : RUN_LEVELS.map((words, level) => toItem("runs", level, words))
  }<li><span class="key-out"></span>leads to</li><li><span class="key-in"></span>is led to by</li>
<li><span class="key-round"></span>↻ in a circle of imports</li></ul>`;
}

/** Which numbers of changes have a colour: the script shares them on a logarithmic scale. */
function formatRange(level: number, most: number): string {
  const first = Math.max(1, Math.ceil(most ** ((level - 1) / 3.999) - 1e-9));
  const last = level === 4 ? most : Math.ceil(most ** (level / 3.999) - 1e-9) - 1;
  if (last < first) return "none";
  return first === last ? toNumberText(first) : `${toNumberText(first)} to ${toNumberText(last)}`;
}

const MOST_ROWS = { folders: 40, files: 25, cycles: 40, inCycle: 20 } as const;

function renderFolderTable({ files }: CodeMap): Html {
  return renderTable(
    ["Folder", "Files", "Lines", "Changes"],
    listFolders(files, MOST_ROWS.folders).map((row) => [
      row.path,
      row.files,
      row.lines,
      row.changes,
    ]),
  );
}

function renderChanged(map: CodeMap): PageSection | null {
  const rows = listChanged(map, MOST_ROWS.files);
  if (rows.length === 0) return null;
  return {
    id: "changed",
    title: "Changed most in the last year",
    body: renderTable(
      ["File", "Changes", "Lines"],
      rows.map(({ path, changes, lines }) => [path, changes, lines]),
    ),
  };
}

function renderUsed(map: CodeMap): PageSection | null {
  const rows = listUsed(map, MOST_ROWS.files);
  if (rows.length === 0) return null;
  return {
    id: "used",
    title: "Most files lead to",
    body: renderTable(
      ["File", "Files that lead to it"],
      rows.map(({ path, users }) => [path, users]),
    ),
  };
}

function renderIdle(map: CodeMap): PageSection | null {
  const rows = listIdle(map, MOST_ROWS.files);
  if (rows.length === 0) return null;
  return {
    id: "idle",
    title: "Functions that no recorded test runs",
    body: markup`<p class="faint">Runs are ${map.recorded ?? ""}.</p>${
      renderTable(
        ["File", "Not run", "Functions"],
        rows.map(([path, { functions, not_run }]) => [path, not_run, functions]),
      )
    }`,
  };
}

function renderCycles({ cycles }: CodeMap): PageSection | null {
  if (cycles.length === 0) return null;
  const rest = cycles.length - MOST_ROWS.cycles;
  return {
    id: "circles",
    title: `Circles of imports (${cycles.length})`,
    body: markup`<ul>${
      cycles.slice(0, MOST_ROWS.cycles).map((group) => {
        const more = group.length - MOST_ROWS.inCycle;
        return markup`<li>${
          group.slice(0, MOST_ROWS.inCycle).map((path) => markup`${code(path)} `)
        }${more > 0 ? `and ${more} more` : null}</li>`;
      })
    }${rest > 0 ? markup`<li>and ${formatCount(rest, "more circle")}</li>` : null}</ul>`,
  };
}

type Cell = string | number | null;

/** A table whose first column is a path and whose others are numbers; null is not known. */
function renderTable(heads: readonly string[], rows: readonly (readonly Cell[])[]): Html {
  const toHead = (text: string, at: number) =>
    at === 0 ? markup`<th>${text}</th>` : markup`<th class="number">${text}</th>`;
  const toCell = (value: Cell, at: number) =>
    at === 0
      ? markup`<td>${code(`${value}`)}</td>`
      : markup`<td class="number">${typeof value === "number" ? toNumberText(value) : "–"}</td>`;
  return markup`<table><thead><tr>${heads.map(toHead)}</tr></thead><tbody>${
    rows.map((row) => markup`<tr>${row.map(toCell)}</tr>`)
  }</tbody></table>`;
}

const BY: readonly MapLink["by"][] = ["import", "package", "name"];

/** What the script draws: lists without names of fields, since there may be many thousand rows. */
function buildData({ project, files, links, cycles, recorded }: CodeMap) {
  const places = new Map(files.map(({ path }, place) => [path, place]));
  const kinds = new Map<string, number>();
  const toKind = (kind: string) => {
    const known = kinds.get(kind) ?? kinds.size;
    kinds.set(kind, known);
    return known;
  };
  const symbols = files.map((file) =>
    file.symbols.flatMap(({ name, kind, line }) => [escapeText(name), toKind(kind), line])
  );
  return {
    project: escapeText(project),
    // Path, lines, changes (-1: not known), whether the session changed it, definitions in all; where runs were recorded,
    // functions that are in the records, and those that nothing ran.
    files: files.map((file) => [
      escapeText(file.path),
      file.lines,
      file.changes ?? -1,
      file.in_session ? 1 : 0,
      file.symbols_total,
      ...recorded === undefined ? [] : [file.seen?.functions ?? 0, file.seen?.not_run ?? 0],
    ]),
    symbols,
    kinds: [...kinds.keys()],
    // From, to, by, calls, uses, and so on.
    links: links.flatMap(({ from, to, by, calls, uses }) => [
      places.get(from) ?? 0,
      places.get(to) ?? 0,
      BY.indexOf(by),
      calls,
      uses,
    ]),
    cycles: cycles.map((group) => group.flatMap((path) => places.get(path) ?? [])),
  };
}
