/** The map as a text of few lines, for a terminal and for agents. Pure. */
import { toShownLine } from "../../base/text/plain_text.ts";
import type { CodeMap } from "./code_map.ts";
import { listFolders } from "./list_folders.ts";
import { listChanged, listUsed, toNumberText, toPastText, toSizeText } from "./map_facts.ts";

const MOST = { folders: 20, changed: 8, used: 8, cycles: 6, inCycle: 8, inSession: 20 } as const;

/** Tells the map in lines; each is one line, whatever the names in it hold. */
export function toMapLines(map: CodeMap): readonly string[] {
  const place = map.path === "." ? map.project : `${map.project}: ${map.path}`;
  const changed = listChanged(map, MOST.changed);
  const used = listUsed(map, MOST.used);
  const past = toPastText(map);
  const inSession = map.files.filter((file) => file.in_session);
  const lines = [
    `${place}: ${toSizeText(map)}`,
    ...past === null ? [] : [past],
    ...map.notices,
    "",
    ...toFolderLines(map),
    ...toPart(
      "Changed most in the last year",
      changed.map(({ path, changes }) => `${toNumberText(changes ?? 0).padStart(5)}  ${path}`),
    ),
    ...toPart(
      "Most files lead to",
      used.map(({ path, users }) => `${toNumberText(users).padStart(5)}  ${path}`),
    ),
    ...toPart("Files that import each other in a circle", toCycleLines(map)),
    ...toPart(
      `Changed by the session (${inSession.length})`,
      inSession.slice(0, MOST.inSession).map(({ path }) => `       ${path}`),
    ),
  ];
  return lines.map(toShownLine);
}

function toFolderLines({ files }: CodeMap): readonly string[] {
  const rows = listFolders(files, MOST.folders);
  const width = Math.max(6, ...rows.map(({ path }) => path.length));
  const toLine = (path: string, numbers: readonly string[]) =>
    [path.padEnd(width), ...numbers.map((text) => text.padStart(9))].join(" ");
  return [
    toLine("folder", ["files", "lines", "changes"]),
    ...rows.map((row) =>
      toLine(row.path, [
        toNumberText(row.files),
        toNumberText(row.lines),
        row.changes === null ? "-" : toNumberText(row.changes),
      ])
    ),
  ];
}

/** A heading with its lines; nothing without lines. */
function toPart(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ["", title, ...lines];
}

function toCycleLines({ cycles }: CodeMap): readonly string[] {
  const rest = cycles.length - MOST.cycles;
  return [
    ...cycles.slice(0, MOST.cycles).map((group) => {
      const more = group.length - MOST.inCycle;
      const names = group.slice(0, MOST.inCycle).join(", ");
      return `${`${group.length}`.padStart(5)}  ${names}${more > 0 ? ` and ${more} more` : ""}`;
    }),
    ...rest > 0 ? [`       and ${rest} more`] : [],
  ];
}
