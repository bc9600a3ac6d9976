/**
 * Reads what step 17 says about the changed files, row by row, and checks the commit message. Pure.
 */
import type { Problem } from "../../base/problem.ts";
import { toProblem } from "../../base/problem.ts";
import { say, tool } from "../../base/text/words.ts";
import type { ChangedFile } from "../facts.ts";
import type { PayloadOf } from "../payload/payloads.ts";
import { globToRegExp } from "./rule.ts";
import type { ReviewedFile } from "../state.ts";

/** A message may not have the program's own trailers, because these state what the server saw. */
export function checkTrailers(message: string): readonly Problem[] {
  const forged = /^\s*(code-intel-[\w-]+)\s*:/im.exec(message);
  return forged === null ? [] : [
    toProblem("trailer_reserved", `The message has a line "${forged[1]}:", which is the server's`, {
      at: "data.commit_message",
      hint: "Leave lines that begin with Code-Intel- out; the server adds its own.",
    }),
  ];
}

/** Decisions by path, with globs and `rest` resolved; every changed file gets exactly one. */
export function toReview(
  payload: PayloadOf<"PRE_COMMIT">,
  changes: readonly ChangedFile[],
): { readonly files: readonly ReviewedFile[] } | { readonly problems: readonly Problem[] } {
  const problems: Problem[] = [];
  const decided = new Map<string, ReviewedFile>();
  payload.reviewed_files.forEach((entry, index) => {
    const at = `data.reviewed_files[${index}]`;
    const row = typeof entry === "string"
      ? { path: entry, decision: "keep" as const, reason: null }
      : { path: entry.path, decision: entry.decision, reason: entry.reason ?? null };
    const exact = changes.filter(({ path }) => path === row.path);
    const pattern = globToRegExp(row.path);
    const matched = exact.length > 0 ? exact : changes.filter(({ path }) => pattern?.test(path));
    if (matched.length === 0) {
      problems.push(toProblem("not_changed", `"${row.path}" is no file that this session changed`, {
        at: `${at}.path`,
        hint: say`Use the paths that ${tool("review_changes")} lists.`,
      }));
    }
    if (row.decision === "discard" && (row.reason ?? "").trim() === "") {
      problems.push(toProblem("reason_missing", `"${row.path}" is discarded without a reason`, {
        at: `${at}.reason`,
        hint: "Say in a few words why it is not part of the work.",
      }));
    }
    for (const { path } of matched) decided.set(path, { ...row, path });
  });
  for (const { path } of changes) {
    if (decided.has(path)) continue;
    if (payload.rest === "keep" || payload.rest === "discard") {
      decided.set(path, { path, decision: payload.rest, reason: "rest" });
    } else {
      problems.push(toProblem("file_not_reviewed", `"${path}" was changed and is not reviewed`, {
        at: "data.reviewed_files",
        hint: "Decide keep or discard for it, or send rest.",
        path,
      }));
    }
  }
  return problems.length > 0 ? { problems } : { files: [...decided.values()] };
}
