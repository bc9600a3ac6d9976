/** Summaries of the project's documents: which of them still fit the document that they were made of. */
import { join } from "node:path";
import type { ContextSettings } from "../base/settings/config.ts";
import { readControlFile, readControlTextIfUsable } from "../base/files/control_file.ts";
import type { Problem } from "../base/problem.ts";
import { toProblem } from "../base/problem.ts";
import { parseRepoPath } from "../base/repo_path.ts";
import { toContentHash } from "./project_rules.ts";

/** A document with what was noted of it. */
export interface DocumentSummary {
  /** Relative to the project. */
  readonly path: string;
  readonly summary: string;
  /** Notes of the person. */
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
    if (toContentHash(text) !== known || summary.trim() === "") outdated.push(parsed.path);
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
      const problem = toProblem("path_not_found", `There is no document "${path}"`, {
        at,
        hint: "Name a document of the project, relative to its root.",
      });
      return { kind: "refused", problem };
    }
    rows.push({ path: parsed.path, summary, hash: toContentHash(reading.text) });
  }
  return { kind: "hashed", rows };
}
