/** Parameters that several tools have in common, so that they are named and bounded alike. */
import * as z from "zod";
import { LIMITS } from "../base/settings/limits.ts";
import { toProblem } from "../base/problem.ts";
import type { RefusedReply } from "../base/reply.ts";
import { toRefusal } from "../base/reply.ts";
import type { ToolContext } from "./tool.ts";

/** Longest path that any operating system takes. */
const MAX_PATH_CHARS = 4096;

/** A field for a path of the project. Entries of a list need no description of their own. */
export function pathField(description?: string) {
  const path = z.string().min(1).max(MAX_PATH_CHARS);
  return description === undefined ? path : path.describe(description);
}

/** A field for free text up to the common bound. */
export function textField(description: string) {
  return z.string().max(LIMITS.textFieldChars.value)
    .regex(/\S/, "is blank").describe(description);
}

/**
 * A field for the project's folder, which older clients send; only this server's project is
 * accepted.
 */
export function repoPathField() {
  return z.string().max(MAX_PATH_CHARS).describe('Only "."').optional();
}

/** A field for the most bytes of the reply. */
export function maxBytesField() {
  return z.int().min(LIMITS.replyMinBytes.value).max(LIMITS.replyMaxBytes.value)
    .describe("Most bytes").optional();
}

/** The budget of a reply of which an agent uses the beginning; who asks for a budget, or reads at a terminal, gets all. */
export function toUsualBytes(
  { maxBytes, via }: ToolContext,
  asked: { readonly max_bytes?: number | undefined },
  usualBytes: number,
): number {
  const isUsual = via === "mcp" && asked.max_bytes === undefined;
  return isUsual ? Math.min(maxBytes, usualBytes) : maxBytes;
}

/** Refuses a `repo_path` that is another folder than the project of this server. */
export function checkRepoPath(
  repoPath: string | undefined,
  { services }: ToolContext,
  at = "repo_path",
): RefusedReply | undefined {
  if (repoPath === undefined || repoPath === "." || repoPath === "./") return undefined;
  if (repoPath.replace(/\/+$/, "") === services.projectRoot) return undefined;
  return toRefusal([
    toProblem("invalid_value", `\`${at}\` is another folder than the project of this server`, {
      at,
      hint: `Leave \`${at}\` out or send "."; another project needs a server of its own.`,
    }),
  ]);
}
