/** The command `map`: the code as a picture for people, as a short text, and as data. */
import { isAbsolute, relative, resolve } from "node:path";
import { readProgramFile } from "../../base/program_files.ts";
import { toProblem } from "../../base/problem.ts";
import { SYSTEM_CLOCK } from "../../base/clock.ts";
import { MAP_SCRIPT } from "./feature.ts";
import { createMapReader } from "./gather_map.ts";
import { toMapPage } from "./map_page.ts";
import { toMapLines } from "./map_text.ts";
import { closeSoon, openServices } from "../../cli/answer.ts";
import type { Command } from "../../cli/command.ts";
import { givePage, refuse } from "../../cli/page_file.ts";

/** Draws the map of the code, on standard output, into a file, or in the browser. */
export const MAP: Command = {
  usage: "[PATH]",
  positionals: [0, 1],
  example: "code-intel map src --open",
  options: [
    { name: "open", kind: "flag", summary: "Show the picture in the browser" },
    { name: "out", kind: "text", value: "FILE", summary: "Write the picture to this file" },
  ],
  async run(invocation) {
    const { options, positionals: [named = "."], isJson, signal } = invocation;
    const isOpened = options["open"] === true;
    const out = typeof options["out"] === "string" ? options["out"] : null;
    if (isOpened && isJson) {
      const problem = toProblem("page_only", "The browser shows the picture, not JSON", {
        at: "open",
        hint: "Leave --open or --json out.",
      });
      return await refuse(problem, invocation, "invalid_arguments");
    }
    const opening = openServices(invocation);
    const services = await opening;
    const { projectRoot } = services;
    const path = toProjectPath(named, projectRoot);
    if (path === null) {
      await closeSoon(opening);
      const problem = toProblem("outside_project", `"${named}" lies outside the project`, {
        at: "path",
        hint: "Name a folder of the project, or another project with --project.",
      });
      return await refuse(problem, invocation, "invalid_arguments");
    }
    const found = await createMapReader({ ...services, clock: SYSTEM_CLOCK })({ path, signal });
    await closeSoon(opening);
    if (found.kind === "refused") return await refuse(found.problem, invocation);
    const { map } = found;
    if (!isJson && !isOpened && out === null) {
      await invocation.terminal.out(...toMapLines(map));
      return 0;
    }
    const text = isJson
      ? `${JSON.stringify({ ok: true, ...map })}\n`
      : toMapPage(map, new TextDecoder().decode(await readProgramFile(MAP_SCRIPT)));
    return await givePage(text, { out, isOpened, name: "map", isReadable: false }, invocation);
  },
};

/** A path as the index has it; null where it lies outside. What is named counts from the project's folder, as in tools. */
function toProjectPath(named: string, projectRoot: string): string | null {
  const path = relative(projectRoot, resolve(projectRoot, named)).replaceAll("\\", "/");
  if (path === "") return ".";
  return path === ".." || path.startsWith("../") || isAbsolute(path) ? null : path;
}
