/** The command `map`: the code as a picture for people, as a short text for a terminal and for agents, and as data. */
import { escapeLine } from "../../base/text/plain_text.ts";
import type { CodeMap } from "./code_map.ts";
import {
  listChanged,
  listIdle,
  listUsed,
  toNumberText,
  toPastText,
  toSizeText,
} from "./code_map.ts";
import { createMapReader, listFolders } from "./gather_map.ts";
import { isAbsolute, relative, resolve } from "node:path";
import { readProgramFile } from "../../base/program_files.ts";
import { makeProblem } from "../../base/problem.ts";
import { SYSTEM_CLOCK } from "../../base/clock.ts";
import { MAP_SCRIPT } from "./feature.ts";
import { renderMapPage } from "./map_page.ts";
import { withServices } from "../../cli/answer.ts";
import type { Command } from "../../cli/command.ts";
import { makePageOptions, printRefusal, readPageTarget, writePage } from "../../cli/page_file.ts";

const MOST = {
  folders: 20,
  changed: 8,
  used: 8,
  idle: 8,
  cycles: 6,
  inCycle: 8,
  inSession: 20,
} as const;

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
    ...toPart(
      `Functions that no recorded test runs (${map.recorded ?? ""})`,
      listIdle(map, MOST.idle).map(([path, { functions, not_run }]) =>
        `${toNumberText(not_run).padStart(5)} of ${toNumberText(functions)}  ${path}`
      ),
    ),
    ...toPart("Files that import each other in a circle", toCycleLines(map)),
    ...toPart(
      `Changed by the session (${inSession.length})`,
      inSession.slice(0, MOST.inSession).map(({ path }) => `       ${path}`),
    ),
  ];
  return lines.map(escapeLine);
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

/** Draws the map of the code, on standard output, into a file, or in the browser. */
export const MAP: Command = {
  usage: "[PATH]",
  positionals: [0, 1],
  example: "code-intel map src --open",
  options: makePageOptions("Show the picture in the browser", "Write the picture to this file"),
  async run(invocation) {
    const { positionals: [named = "."], isJson, signal } = invocation;
    const place = readPageTarget(invocation);
    if (place.isOpened && isJson) {
      const problem = makeProblem("page_only", "The browser shows the picture, not JSON", {
        at: "open",
        hint: "Leave --open or --json out.",
      });
      return await printRefusal(problem, invocation, "invalid_arguments");
    }
    const found = await withServices(invocation, async (services) => {
      const path = findProjectPath(named, services.parts.projectRoot);
      return path === null
        ? null
        : await createMapReader({ ...services, clock: SYSTEM_CLOCK })({ path, signal });
    });
    if (found === null) {
      const problem = makeProblem("outside_project", `"${named}" lies outside the project`, {
        at: "path",
        hint: "Name a folder of the project, or another project with --project.",
      });
      return await printRefusal(problem, invocation, "invalid_arguments");
    }
    if (found.kind === "refused") return await printRefusal(found.problem, invocation);
    const { map } = found;
    if (!isJson && !place.isOpened && place.out === null) {
      await invocation.terminal.out(...toMapLines(map));
      return 0;
    }
    const text = isJson
      ? `${JSON.stringify({ ok: true, ...map })}\n`
      : renderMapPage(map, new TextDecoder().decode(await readProgramFile(MAP_SCRIPT)));
    return await writePage(text, { ...place, name: "map", isReadable: false }, invocation);
  },
};

/** A path as the index has it; null where it lies outside. What is named counts from the project's folder, as in tools. */
function findProjectPath(named: string, projectRoot: string): string | null {
  const path = relative(projectRoot, resolve(projectRoot, named)).replaceAll("\\", "/");
  if (path === "") return ".";
  return path === ".." || path.startsWith("../") || isAbsolute(path) ? null : path;
}
