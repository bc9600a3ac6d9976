/** Adds files and folders to those that the session has explored, and shows what nothing has shown yet. */
import type { ProjectPath, TreePath } from "../../base/paths.ts";
import type { Problem } from "../../base/problem.ts";
import { toProblem } from "../../base/problem.ts";
import type { Reply } from "../../base/reply.ts";
import { clip } from "../../base/text/clip.ts";
import { call, say } from "../../base/text/words.ts";
import { parseReadLine, refuseReadLine } from "../../phase/rules/rule.ts";
import { toExploredFiles, WHOLE_FOLDER } from "../../session/records.ts";
import { readLines } from "../look/disk_facts.ts";
import { judgeSeen } from "../look/seen_files.ts";
import type { Bench, Desk } from "../context/desk.ts";
import { holdsProject } from "../../ledger/write_guard.ts";
import { toPlainRefusal } from "../context/replies.ts";
import { listBelow, MOST_BELOW, refuseLarge } from "./write_targets.ts";

/** Most files and folders that one reply shows. */
const MOST_SHOWN = 20;
const MOST_NAMES = 12;
const FIRST_LINES = 3;
const LINE_CHARS = 80;

/**
 * Records files and folders as explored: those that were shown, those of which a line is sent, and those that this reply
 * shows. Each, or its folder, must exist.
 */
export async function addExplored(desk: Desk, entries: readonly ProjectPath[]): Promise<Reply> {
  const bench = await desk.prepare();
  return await desk.onActive(async (session) => {
    const records = await desk.records(session.id);
    const seen = await judgeSeen(bench, records, entries);
    const found: TreePath[] = [];
    const whole: TreePath[] = [];
    const unseen = new Set<TreePath>();
    const problems: Problem[] = [];
    for (const [index, entry] of entries.entries()) {
      const at = `files[${index}]`;
      const path = parseReadLine(entry)?.path ?? entry;
      const target = await bench.paths.toTarget(path, at);
      const by = seen[entry]?.by;
      if (target.kind === "refused") problems.push(target.problem);
      else if (by === "differs") problems.push(refuseReadLine(entry, at));
      else {
        const { kind, nearestFolder, shownFolder } = target.target;
        const isNew = kind === "missing" && nearestFolder === parentOf(target.target.path);
        if (kind === "missing" && !isNew) {
          problems.push(toProblem("path_not_found", `"${path}" and its folder do not exist`, {
            at,
            hint: `Add the nearest existing folder: "${shownFolder}".`,
          }));
          continue;
        }
        const known = isNew ? nearestFolder as TreePath : target.target.path as TreePath;
        if (kind === "folder" && !holdsProject(known, bench.paths.projectFolder)) {
          const { length } = await listBelow(bench, known);
          if (length > MOST_BELOW) {
            problems.push(refuseLarge(path, length, at));
            continue;
          }
          whole.push(known);
        }
        found.push(known);
        if (isNew || by === "nothing") unseen.add(known);
      }
    }
    if (unseen.size > MOST_SHOWN) {
      problems.push(toProblem("too_long", `Nothing has shown ${unseen.size} of these yet`, {
        at: "files",
        hint: say`Name at most ${MOST_SHOWN} of them at once, or look with ${call("get_symbols")}.`,
      }));
    }
    if (problems.length > 0) return toPlainRefusal(problems, "add_explored_files");
    await desk.recordExplored(session, found, "add_explored_files");
    await desk.recordExplored(session, whole, WHOLE_FOLDER);
    const shown = await Promise.all(
      [...unseen].map(async (path) =>
        [bench.paths.toProject(path), await describe(bench, path)] as const
      ),
    );
    return {
      ok: true,
      added: found.map((path) => bench.paths.toProject(path)),
      total: new Set([...toExploredFiles(records), ...found]).size,
      ...(shown.length === 0 ? {} : { shown: Object.fromEntries(shown) }),
      call: "check_write_target",
      session_id: session.id,
      compaction_count: session.state.compactionCount,
    };
  });
}

/** What a file or a folder holds, at a glance: names of a folder, symbols of a file, else its first lines. */
async function describe(bench: Bench, path: TreePath): Promise<readonly string[]> {
  const shownPath = bench.paths.toProject(path);
  const info = await Deno.stat(bench.paths.toAbsolute(path)).catch(() => null);
  if (info?.isDirectory === true) {
    const { length } = await listBelow(bench, path);
    return [...toFew(await listFolder(bench, shownPath)), `${length} files below`];
  }
  const symbols = await bench.deps.listSymbols(shownPath);
  if (symbols.length > 0) return toFew(symbols);
  const lines = readLines(bench, path) ?? [];
  return lines.filter((line) => line.trim() !== "").slice(0, FIRST_LINES)
    .map((line) => clip(line.trim(), LINE_CHARS));
}

function toFew(names: readonly string[]): readonly string[] {
  const more = names.length - MOST_NAMES;
  return more <= 0 ? names : [...names.slice(0, MOST_NAMES), `and ${more} more`];
}

/** The names in a folder, folders with a slash; of files that the project has. */
async function listFolder({ deps }: Bench, folder: ProjectPath): Promise<readonly string[]> {
  const prefix = folder === "." ? "" : `${folder}/`;
  const files = (await deps.listFiles()).filter((path) => path.startsWith(prefix));
  return [...new Set(files.map((path) => path.slice(prefix.length).replace(/\/.*/, "/")))];
}

function parentOf(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash < 0 ? "." : path.slice(0, slash);
}
