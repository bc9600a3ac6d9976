/** Adds files and folders to those that the session has explored, and shows what nothing has shown yet. */
import type { ProjectPath, TreePath } from "../../base/paths.ts";
import type { Problem } from "../../base/problem.ts";
import { makeProblem } from "../../base/problem.ts";
import type { FileObservation } from "../../phase/facts.ts";
import type { Reply } from "../../base/reply.ts";
import { clip } from "../../base/text/clip.ts";
import { call, say } from "../../base/text/words.ts";
import { refuseReadLine } from "../../phase/rules/rule.ts";
import { parseReadLine } from "../../base/text/places.ts";
import { listExploredFiles, WHOLE_FOLDER } from "../../session/records.ts";
import { readLines } from "../look/disk_facts.ts";
import { judgeSeen } from "../look/seen_files.ts";
import type { OpenSession, SessionContext, Sessions } from "../context/sessions.ts";
import { holdsProject } from "../../ledger/write_guard.ts";
import { buildPlainRefusal } from "../context/replies.ts";
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
export async function addExplored(
  sessions: Sessions,
  entries: readonly ProjectPath[],
): Promise<Reply> {
  const context = await sessions.prepare();
  return await sessions.onActive(async (session) => {
    const shown = await showEntries(context, session, entries);
    return shown.problems.length > 0 ? buildPlainRefusal(shown.problems, "add_explored_files") : {
      ok: true,
      ...shown.fields,
      call: "check_write_target",
      session_id: session.id,
      compaction_count: session.state.compactionCount,
    };
  });
}

/**
 * Records entries as explored, and gives what a reply has to show of those that nothing has shown yet. Call it under the
 * lock; where there are problems nothing is recorded.
 */
export async function showEntries(
  context: SessionContext,
  session: OpenSession,
  entries: readonly ProjectPath[],
): Promise<{
  readonly problems: readonly Problem[];
  readonly fields: Readonly<Record<string, unknown>>;
}> {
  const { sessions } = context;
  const records = await sessions.records(session.id);
  const seen = await judgeSeen(context, records, entries);
  const judged = await Promise.all(
    entries.map((entry, index) =>
      judgeEntry(context, { entry, by: seen[entry]?.by, at: `files[${index}]` })
    ),
  );
  const problems = judged.flatMap((one) => one.kind === "refused" ? [one.problem] : []);
  const taken = judged.flatMap((one) => one.kind === "taken" ? [one] : []);
  const found = taken.map(({ path }) => path);
  const whole = taken.flatMap(({ path, isWhole }) => isWhole ? [path] : []);
  const unseen = new Set(taken.flatMap(({ path, isUnseen }) => isUnseen ? [path] : []));
  if (unseen.size > MOST_SHOWN) {
    problems.push(makeProblem("too_long", `Nothing has shown ${unseen.size} of these yet`, {
      at: "files",
      hint: say`Name at most ${MOST_SHOWN} of them at once, or look with ${call("get_symbols")}.`,
    }));
  }
  if (problems.length > 0) return { problems, fields: {} };
  await sessions.recordExplored(session, found, "add_explored_files");
  await sessions.recordExplored(session, whole, WHOLE_FOLDER);
  const shown = await Promise.all(
    [...unseen].map(async (path) =>
      [context.paths.toProject(path), await describe(context, path)] as const
    ),
  );
  return {
    problems: [],
    fields: {
      added: found.map((path) => context.paths.toProject(path)),
      total: new Set([...listExploredFiles(records), ...found]).size,
      ...(shown.length === 0 ? {} : { shown: Object.fromEntries(shown) }),
    },
  };
}

type JudgedEntry =
  | { readonly kind: "refused"; readonly problem: Problem }
  | {
    readonly kind: "taken";
    readonly path: TreePath;
    /** The whole folder counts. */
    readonly isWhole: boolean;
    /** Nothing has shown it yet. */
    readonly isUnseen: boolean;
  };

/** Whether an entry leads to a file or a folder that may count as explored. */
async function judgeEntry(
  context: SessionContext,
  { entry, by, at }: { entry: ProjectPath; by: FileObservation["by"] | undefined; at: string },
): Promise<JudgedEntry> {
  const path = parseReadLine(entry)?.path ?? entry;
  const found = await context.paths.toTarget(path, at);
  if (found.kind === "refused") return found;
  if (by === "differs") return { kind: "refused", problem: refuseReadLine(entry, at) };
  const { kind, nearestFolder, shownFolder, path: target } = found.target;
  const isNew = kind === "missing" && nearestFolder === parentOf(target);
  if (kind === "missing" && !isNew) {
    const hint = `Add the nearest existing folder: "${shownFolder}".`;
    const message = `"${path}" and its folder do not exist`;
    return { kind: "refused", problem: makeProblem("path_not_found", message, { at, hint }) };
  }
  const known = (isNew ? nearestFolder : target) as TreePath;
  const isWhole = kind === "folder" && !holdsProject(known, context.paths.projectFolder);
  const { length } = isWhole ? await listBelow(context, known) : [];
  return length > MOST_BELOW
    ? { kind: "refused", problem: refuseLarge(path, length, at) }
    : { kind: "taken", path: known, isWhole, isUnseen: isNew || by === "nothing" };
}

/** What a file or a folder holds, at a glance: names of a folder, symbols of a file, else its first lines. */
async function describe(context: SessionContext, path: TreePath): Promise<readonly string[]> {
  const shownPath = context.paths.toProject(path);
  const info = await Deno.stat(context.paths.toAbsolute(path)).catch(() => null);
  if (info?.isDirectory === true) {
    const { length } = await listBelow(context, path);
    return [...shortenList(await listFolder(context, shownPath)), `${length} files below`];
  }
  const symbols = await context.deps.listSymbols(shownPath);
  if (symbols.length > 0) return shortenList(symbols);
  const lines = readLines(context, path) ?? [];
  return lines.filter((line) => line.trim() !== "").slice(0, FIRST_LINES)
    .map((line) => clip(line.trim(), LINE_CHARS));
}

function shortenList(names: readonly string[]): readonly string[] {
  const more = names.length - MOST_NAMES;
  return more <= 0 ? names : [...names.slice(0, MOST_NAMES), `and ${more} more`];
}

/** The names in a folder, folders with a slash; of files that the project has. */
async function listFolder(
  { deps }: SessionContext,
  folder: ProjectPath,
): Promise<readonly string[]> {
  const prefix = folder === "." ? "" : `${folder}/`;
  const files = (await deps.listFiles()).filter((path) => path.startsWith(prefix));
  return [...new Set(files.map((path) => path.slice(prefix.length).replace(/\/.*/, "/")))];
}

function parentOf(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash < 0 ? "." : path.slice(0, slash);
}
