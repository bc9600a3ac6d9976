/** What the disk has at paths and lines that a payload names, and the reading of a payload by it. */
import { readRegularText } from "../../base/files/regular_file.ts";
import type { ProjectPath, TreePath } from "../../base/paths.ts";
import { LIMITS } from "../../base/settings/limits.ts";
import type { Facts, PathFact } from "../../phase/facts.ts";
import type { PayloadOf } from "../../phase/payload/payloads.ts";
import { listObservedPlaces } from "../../phase/rules/removed_tests.ts";
import { asRecord, isRecord } from "../../base/text/json_record.ts";
import type { CommonPart, ParsedSubmission } from "../../phase/payload/payloads.ts";
import { parseSubmission } from "../../phase/payload/payloads.ts";
import { findKnownFiles, listNamedTexts, readFilesOf } from "../../request/named_files.ts";
import { fillKnown, readKnownRows } from "../../request/named_rows.ts";
import type { OpenContext, SessionContext } from "../context/sessions.ts";

/** What the disk has where an observation names lines. */
export async function readObserved(
  context: SessionContext,
  { observed }: Pick<PayloadOf<"READY_COMPLETE">, "observed">,
): Promise<Pick<Facts, "paths" | "lines">> {
  const files = listObservedPlaces(observed).map(({ path }) => path);
  const [paths, lines] = await Promise.all([
    readPathFacts(context, files),
    countLines(context, files),
  ]);
  return { paths, lines };
}

/** What the disk has at the named paths. */
export async function readPathFacts(
  context: SessionContext,
  paths: readonly ProjectPath[],
): Promise<Readonly<Record<string, PathFact>>> {
  const entries = await Promise.all(
    [...new Set(paths)].map(async (path) => [path, await context.paths.toFact(path)] as const),
  );
  return Object.fromEntries(entries);
}

/** Numbers of lines of the named files that can be read as text. */
export async function countLines(
  context: SessionContext,
  paths: readonly ProjectPath[],
): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {};
  await Promise.all([...new Set(paths)].map(async (path) => {
    const lines = await readProjectLines(context, path);
    if (lines !== null) counts[path] = lines.length;
  }));
  return counts;
}

/** The lines of a file of the worktree; null where it cannot be read as text. */
export function readLines({ paths }: SessionContext, path: TreePath): readonly string[] | null {
  const bounds = { within: paths.toAbsolute("."), maxBytes: LIMITS.wholeFileBytes.value };
  const text = readRegularText(paths.toAbsolute(path), bounds);
  return text === undefined ? null : text.replace(/\n$/, "").split("\n");
}

/** The lines of a file by its path of the project; null where it cannot be read as text. */
export async function readProjectLines(
  context: SessionContext,
  path: ProjectPath,
): Promise<readonly string[] | null> {
  const found = await context.paths.toTarget(path);
  return found.kind === "refused" || found.target.kind !== "file"
    ? null
    : readLines(context, found.target.path);
}

/**
 * Reads what was sent at the present step; every payload comes in here. The session and the disk put the rows and files
 * right that it names.
 */
export async function readPayload(context: OpenContext, data: unknown): Promise<ParsedSubmission> {
  const { state } = context.session;
  const sent = isRecord(data) ? fillKnown(state, data) : data;
  const parsed = readKnownRows(parseSubmission(state.stage, sent), state);
  const { submission } = parsed;
  if (submission?.kind !== "payload") return parsed;
  const { rules } = submission.common;
  const ofRules = { mandatory_rules: rules };
  const texts = [...listNamedTexts(submission.data), ...listNamedTexts(ofRules)];
  const facts = await readPathFacts(context, texts);
  const isPlain = (text: string) => ["file", "folder"].includes(facts[text] ?? "");
  if (texts.every((text) => isPlain(text) && !text.startsWith("/"))) return parsed;
  const known = findKnownFiles(await context.deps.listFiles(), {
    isPlain,
    toProject: (path) => {
      const resolved = context.paths.toWorktree(path);
      return resolved.kind === "path" ? context.paths.toProject(resolved.path) : path;
    },
  });
  const [own, cited] = [readFilesOf(submission.data, known), readFilesOf(ofRules, known)];
  const sources = asRecord(cited.data).mandatory_rules as NonNullable<CommonPart["rules"]>;
  const common = { ...submission.common, ...(rules === undefined ? {} : { rules: sources }) };
  const notices = [...own.read, ...cited.read].map((row) => `Read as: ${row}.`);
  return {
    ...parsed,
    submission: { ...submission, data: own.data, common },
    notices: [...parsed.notices, ...notices],
  };
}
