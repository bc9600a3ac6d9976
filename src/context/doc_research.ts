/** The second layer of context: which documents of the project step 3 may look into. */
import { join } from "node:path";
import type { ContextSettings } from "../base/settings/config_keys.ts";
import { readControlFile, readControlTextIfUsable } from "../base/files/control_file.ts";
import type { Problem } from "../base/problem.ts";
import { makeProblem } from "../base/problem.ts";
import { parseRepoPath } from "../base/repo_path.ts";
import { hashShort } from "./project_rules.ts";
import { compileDocumentTest, isDocument } from "../base/text/document_files.ts";

/** A document with what was noted of it. */
export interface DocumentSummary {
  /** Relative to the project. */
  readonly path: string;
  readonly summary: string;
  /** Notes of the user. */
  readonly notes: string | null;
}

/** What is noted of the documents. */
export interface DocumentSummaries {
  /** Made of the documents as they are. */
  readonly current: readonly DocumentSummary[];
  /** Paths of documents that have changed since, sorted. */
  readonly outdated: readonly string[];
}

/**
 * Compares the summaries of `context.yml` with the documents. Those of earlier programs
 * (`essential_docs`) count where there is no newer one; a document that is gone is left out.
 */
export function readDocumentSummaries(
  projectRoot: string,
  settings: Pick<ContextSettings, "doc_research" | "essential_docs">,
): DocumentSummaries {
  const rows = new Map(
    [...settings.essential_docs.summaries, ...settings.doc_research.summaries]
      .map((row) => [row.path, row]),
  );
  const current: DocumentSummary[] = [];
  const outdated: string[] = [];
  for (const { path, summary, content_hash: known, extra_notes: notes } of rows.values()) {
    const parsed = parseRepoPath(projectRoot, path);
    if (parsed.kind === "refused") continue;
    const file = join(projectRoot, parsed.path);
    const text = readControlTextIfUsable(file, "document", { within: projectRoot });
    if (text === undefined) continue;
    if (hashShort(text) !== known || summary.trim() === "") outdated.push(parsed.path);
    else current.push({ path: parsed.path, summary, notes });
  }
  return { current, outdated: outdated.sort() };
}

/** A summary with the hash of its document. */
export interface HashedSummary {
  readonly path: string;
  readonly summary: string;
  readonly hash: string;
}

/** Summaries that can be stored, or why one cannot. */
export type HashedDocuments =
  | { readonly kind: "hashed"; readonly rows: readonly HashedSummary[] }
  | { readonly kind: "refused"; readonly problem: Problem };

/** Takes the hash of each document; one that is not there refuses them all. */
export function hashDocuments(
  projectRoot: string,
  summaries: readonly { readonly path: string; readonly summary: string }[],
): HashedDocuments {
  const rows: HashedSummary[] = [];
  for (const [index, { path, summary }] of summaries.entries()) {
    const at = `design_doc_summaries[${index}].path`;
    const parsed = parseRepoPath(projectRoot, path, at);
    if (parsed.kind === "refused") return parsed;
    const file = join(projectRoot, parsed.path);
    const reading = readControlFile(file, "document", { within: projectRoot });
    if (reading.kind === "unusable") {
      return { kind: "refused", problem: { ...reading.problem, at } };
    }
    if (reading.kind === "absent") {
      const problem = makeProblem("path_not_found", `There is no document "${path}"`, {
        at,
        hint: "Name a document of the project, relative to its root.",
      });
      return { kind: "refused", problem };
    }
    rows.push({ path: parsed.path, summary, hash: hashShort(reading.text) });
  }
  return { kind: "hashed", rows };
}

/** The documents of a project. */
export interface DocumentList {
  /** Whether document research is switched on. */
  readonly enabled: boolean;
  /** Paths relative to the project, sorted; at most the asked number. */
  readonly documents: readonly string[];
  /** True when there are more documents than are listed. */
  readonly isCut: boolean;
  /** Configured paths that can be used, as `docs_path` names them; null where it names none. */
  readonly within: readonly string[] | null;
  /** Configured paths that cannot be used. */
  readonly problems: readonly Problem[];
}

/** Bounds of a search for documents. */
export interface FindDocumentsOptions {
  /** Most documents that are listed, default 200. */
  readonly limit?: number;
}

const DEFAULT_LIMIT = 200;
const MAX_FOLDERS = 2_000;
const MAX_DEPTH = 12;
const PASSED_OVER = new Set(["node_modules", "vendor", "dist", "build", "target"]);

/**
 * Lists the documents below the configured paths; without such paths those in `docs`, else files
 * called `DESIGN*.md`, else the README.
 */
export async function findDocuments(
  projectRoot: string,
  settings: ContextSettings,
  options: FindDocumentsOptions = {},
): Promise<DocumentList> {
  const limit = options.limit ?? DEFAULT_LIMIT;
  const { enabled, docs_path: paths } = settings.doc_research;
  const problems: Problem[] = [];
  const found = new Set<string>();
  const starts: string[] = [];
  for (const [index, path] of paths.entries()) {
    const parsed = parseRepoPath(projectRoot, path, `doc_research.docs_path[${index}]`);
    if (parsed.kind === "refused") problems.push(parsed.problem);
    else if (await readKind(join(projectRoot, parsed.path)) === "none") {
      problems.push(makeMissingProblem(path, `doc_research.docs_path[${index}]`));
    } else starts.push(parsed.path);
  }
  const { test: isWanted, faults } = compileDocumentTest(settings.document_search);
  for (const { at, glob, reason } of faults) problems.push(makeGlobProblem(at, glob, reason));
  const walk = { projectRoot, limit, isWanted, found, folders: 0, problems };
  for (const start of paths.length === 0 ? ["docs"] : starts) await addDocuments(start, 0, walk);
  if (paths.length === 0 && found.size === 0) {
    for (const path of await findLooseDocuments(projectRoot)) found.add(path);
  }
  const documents = [...found].sort();
  const isCut = documents.length > limit || walk.folders > MAX_FOLDERS;
  const within = paths.length === 0 ? null : starts;
  return { enabled, documents: documents.slice(0, limit), isCut, within, problems };
}

function makeMissingProblem(path: string, at: string): Problem {
  return makeProblem(
    "path_not_found",
    `"${path}" does not exist: no document is looked for there`,
    {
      at,
      path: ".code-intel/context.yml",
      hint: "Correct doc_research.docs_path in .code-intel/context.yml.",
    },
  );
}

function makeGlobProblem(at: string, glob: string, reason: string): Problem {
  return makeProblem("config_invalid", `The glob "${glob}" cannot be read: ${reason}`, {
    at,
    path: ".code-intel/context.yml",
    hint: "Correct the file; until then the glob takes no document.",
  });
}

interface Walk {
  readonly projectRoot: string;
  readonly limit: number;
  readonly isWanted: (path: string) => boolean;
  readonly found: Set<string>;
  readonly problems: Problem[];
  folders: number;
}

/** Goes down to a bounded depth, without following links, until one document too many is found. */
async function addDocuments(path: string, depth: number, walk: Walk): Promise<void> {
  const absolute = join(walk.projectRoot, path);
  const isFolder = await readKind(absolute);
  if (isFolder === "file" && isDocument(path)) walk.found.add(path);
  if (isFolder !== "folder" || depth > MAX_DEPTH || ++walk.folders > MAX_FOLDERS) return;
  const folders: string[] = [];
  const entries = await readFolder(absolute);
  if (entries === null) {
    walk.problems.push(makeProblem("folder_unreadable", `The folder "${path}" cannot be read`, {
      hint: "The documents below it are not listed. Let your user read it, or name other paths.",
    }));
    return;
  }
  for (const entry of entries) {
    const child = path === "." ? entry.name : `${path}/${entry.name}`;
    if (entry.isFile && walk.isWanted(child)) walk.found.add(child);
    const isHidden = entry.name.startsWith(".") || PASSED_OVER.has(entry.name);
    if (entry.isDirectory && !isHidden) folders.push(child);
  }
  for (const folder of folders.sort()) {
    if (walk.found.size > walk.limit) return;
    await addDocuments(folder, depth + 1, walk);
  }
}

/** What a folder holds; null where it cannot be read. */
async function readFolder(path: string): Promise<readonly Deno.DirEntry[] | null> {
  try {
    return await Array.fromAsync(Deno.readDir(path));
  } catch {
    return null;
  }
}

async function readKind(path: string): Promise<"file" | "folder" | "none"> {
  try {
    const { isFile, isDirectory } = await Deno.lstat(path);
    return isFile ? "file" : isDirectory ? "folder" : "none";
  } catch {
    // What cannot be looked at is no document.
    return "none";
  }
}

async function findLooseDocuments(projectRoot: string): Promise<readonly string[]> {
  const names: string[] = [];
  for (const entry of await readFolder(projectRoot) ?? []) if (entry.isFile) names.push(entry.name);
  const designs = names.filter((name) => /^design.*\.md$/i.test(name));
  return designs.length > 0 ? designs : names.filter((name) => /^readme\.(md|rst)$/i.test(name));
}
