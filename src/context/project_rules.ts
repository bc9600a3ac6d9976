/** The first layer of context: the project's own rules file and the summary that was made of it. */
import { createHash } from "node:crypto";
import { join } from "node:path";
import type { ContextSettings } from "../base/settings/config_keys.ts";
import type { ControlReading } from "../base/files/control_file.ts";
import { readControlFile } from "../base/files/control_file.ts";
import { blankOwnBlock } from "../base/text/document_files.ts";
import type { Problem } from "../base/problem.ts";
import { makeProblem } from "../base/problem.ts";
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
  /** The summary that `update_context` stored; null before the first, and where it is of an earlier text of a short file. */
  readonly summary: string | null;
  /** Notes of the user that no update touches. */
  readonly extraNotes: string | null;
  /** First 16 hex digits of the SHA-256 of the rules file; null where there is none. */
  readonly contentHash: string | null;
  /** True when the file is not the one that the summary was made of, and long enough to be summed up. */
  readonly updateNeeded: boolean;
  /** What is wrong with the configured source. */
  readonly problems: readonly Problem[];
}

/** Reads the rules file and compares it with the stored summary. */
export function readProjectRules(
  projectRoot: string,
  settings: ContextSettings["project_rules"],
): ProjectRules {
  const { found, problems } = findRules(projectRoot, settings.source);
  const contentHash = found === null ? null : hashShort(found.text);
  const isShort = found !== null && found.text.trimEnd().split("\n").length <= SHORT_LINES;
  const isOfOther = (settings.content_hash ?? contentHash) !== contentHash;
  return {
    source: found?.path ?? null,
    summary: isShort && isOfOther ? null : settings.summary,
    extraNotes: settings.extra_notes,
    contentHash,
    updateNeeded: contentHash !== null && !isShort && !isOurs(found?.text ?? "") &&
      (contentHash !== settings.content_hash || (settings.summary ?? "").trim() === ""),
    problems,
  };
}

/** Who reads so few lines needs no summary of them (guessed). */
const SHORT_LINES = 40;

/** Whether a file holds nothing but the block that `init` wrote: there is nothing to sum up. */
function isOurs(text: string): boolean {
  const rest = blankOwnBlock(text);
  return rest !== text && rest.trim() === "";
}

/** First 16 hex digits of the SHA-256 of a text. */
export function hashShort(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

/** A rules file with its text. */
export interface FoundRules {
  readonly path: string;
  readonly text: string;
}

/** Finds the rules file: the configured one, else the first of {@link RULES_FILES} that exists. */
export function findRules(
  projectRoot: string,
  configured: string | null,
): { readonly found: FoundRules | null; readonly problems: readonly Problem[] } {
  if (configured === null) {
    const problems: Problem[] = [];
    for (const path of RULES_FILES) {
      const reading = readRulesFile(projectRoot, path);
      if (reading.kind === "text") return { found: { path, text: reading.text }, problems };
      if (reading.kind === "unusable") problems.push(reading.problem);
    }
    return { found: null, problems };
  }
  const parsed = parseRepoPath(projectRoot, configured, "project_rules.source");
  if (parsed.kind === "refused") return { found: null, problems: [parsed.problem] };
  const reading = readRulesFile(projectRoot, parsed.path);
  if (reading.kind === "text") {
    return { found: { path: parsed.path, text: reading.text }, problems: [] };
  }
  if (reading.kind === "unusable") return { found: null, problems: [reading.problem] };
  const problem = makeProblem("path_not_found", `The rules file "${configured}" does not exist`, {
    at: "project_rules.source",
    path: parsed.path,
    hint: "Correct project_rules.source in .code-intel/context.yml.",
  });
  return { found: null, problems: [problem] };
}

function readRulesFile(projectRoot: string, path: string): ControlReading {
  return readControlFile(join(projectRoot, path), "document", { within: projectRoot });
}
