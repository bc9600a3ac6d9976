/** The first layer of context: the project's own rules file and the summary that was made of it. */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { writeFileAtomic } from "../base/atomic_write.ts";
import type { ContextSettings } from "../base/config.ts";
import { readTextIfAny } from "../base/config.ts";
import type { Problem } from "../base/problem.ts";
import { toProblem } from "../base/problem.ts";
import { parseRepoPath } from "../base/repo_path.ts";

/** Where rules are looked for when the configuration names no file. */
export const RULES_FILES = [
  ".claude/CLAUDE.md",
  "CLAUDE.md",
  "AGENTS.md",
  ".cursor/rules.md",
  "CONTRIBUTING.md",
] as const;

/** The rules of a project as they are now. */
export interface ProjectRules {
  /** Path of the rules file relative to the project; null where there is none. */
  readonly source: string | null;
  /** The summary that `update_context` stored; null before the first. */
  readonly summary: string | null;
  /** Notes of the person that no update touches. */
  readonly extraNotes: string | null;
  /** First 16 hex digits of the SHA-256 of the rules file; null where there is none. */
  readonly contentHash: string | null;
  /** True when the file is not the one that the summary was made of. */
  readonly updateNeeded: boolean;
  /** What is wrong with the configured source. */
  readonly problems: readonly Problem[];
}

/** What a call of `update_context` stores. */
export interface ContextUpdate {
  readonly projectRulesSummary?: string;
  readonly extraNotes?: string;
}

/** Where a project and its context file lie. */
export interface ContextPlace {
  /** Absolute path of the project. */
  readonly projectRoot: string;
  /** Absolute path of its `.code-intel` folder. */
  readonly codeIntelDir: string;
}

/** Reads the rules file and compares it with the stored summary. */
export async function readProjectRules(
  projectRoot: string,
  settings: ContextSettings["project_rules"],
): Promise<ProjectRules> {
  const { found, problems } = await findRules(projectRoot, settings.source);
  const contentHash = found === null ? null : toContentHash(found.text);
  return {
    source: found?.path ?? null,
    summary: settings.summary,
    extraNotes: settings.extra_notes,
    contentHash,
    updateNeeded: contentHash !== null &&
      (contentHash !== settings.content_hash || (settings.summary ?? "").trim() === ""),
    problems,
  };
}

/** First 16 hex digits of the SHA-256 of a text. */
export function toContentHash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

interface Found {
  readonly path: string;
  readonly text: string;
}

async function findRules(
  projectRoot: string,
  configured: string | null,
): Promise<{ readonly found: Found | null; readonly problems: readonly Problem[] }> {
  if (configured === null) {
    for (const path of RULES_FILES) {
      const text = await readTextIfAny(join(projectRoot, path));
      if (text !== undefined) return { found: { path, text }, problems: [] };
    }
    return { found: null, problems: [] };
  }
  const parsed = parseRepoPath(projectRoot, configured, "project_rules.source");
  if (parsed.kind === "refused") return { found: null, problems: [parsed.problem] };
  const text = await readTextIfAny(join(projectRoot, parsed.path));
  if (text !== undefined) return { found: { path: parsed.path, text }, problems: [] };
  const problem = toProblem("path_not_found", `The rules file "${configured}" does not exist`, {
    at: "project_rules.source",
    path: parsed.path,
    hint: "Correct project_rules.source in .code-intel/context.yml.",
  });
  return { found: null, problems: [problem] };
}

/** The rules as stored, or why they were not. */
export type UpdateResult =
  | { readonly kind: "updated"; readonly path: string; readonly updated: readonly string[] }
  | { readonly kind: "refused"; readonly problem: Problem };

/**
 * Stores a summary with the hash of the present rules file in `context.yml`. Comments, order and
 * foreign keys of the file stay; so do the notes when none are given.
 */
export async function updateContext(
  place: ContextPlace,
  update: ContextUpdate,
): Promise<UpdateResult> {
  const path = join(place.codeIntelDir, "context.yml");
  const { isMap, parseDocument } = await import("yaml");
  const document = parseDocument(await readTextIfAny(path) ?? "");
  const error = document.errors[0];
  if (error !== undefined || (document.contents !== null && !isMap(document.contents))) {
    return toRefused(error?.message ?? "The file is not a mapping of keys");
  }
  const key = "project_rules";
  if (document.has(key) && !isMap(document.get(key))) document.delete(key);
  const configured = document.getIn([key, "source"]);
  const source = typeof configured === "string" && configured !== "" ? configured : null;
  const { found, problems } = await findRules(place.projectRoot, source);
  if (problems[0] !== undefined) return { kind: "refused", problem: problems[0] };
  const values: Record<string, string> = {};
  if (update.projectRulesSummary !== undefined) {
    if (found !== null && source === null) values["source"] = found.path;
    values["summary"] = update.projectRulesSummary;
    if (found !== null) values["content_hash"] = toContentHash(found.text);
  }
  if (update.extraNotes !== undefined) values["extra_notes"] = update.extraNotes;
  for (const [name, value] of Object.entries(values)) document.setIn([key, name], value);
  const updated = Object.keys(values);
  if (updated.length > 0) {
    await Deno.mkdir(place.codeIntelDir, { recursive: true });
    await writeFileAtomic(path, document.toString({ lineWidth: 0 }));
  }
  return { kind: "updated", path, updated };
}

function toRefused(reason: string): UpdateResult {
  return {
    kind: "refused",
    problem: toProblem("config_invalid", `Cannot change .code-intel/context.yml: ${reason}`, {
      path: ".code-intel/context.yml",
      hint: "Correct the file by hand, then call update_context again.",
    }),
  };
}
