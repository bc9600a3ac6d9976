/** Rows of a review, and what a commit message may not hold. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import type { ChangedFile } from "../../../src/phase/facts.ts";
import { checkTrailers, toReview } from "../../../src/phase/rules/review_rows.ts";

const CHANGES = ["src/a.ts", "src/b.ts", "log.txt"].map((path): ChangedFile => ({
  path,
  kind: "modified",
  isShared: false,
}));

function decide(rows: readonly unknown[], rest?: "keep" | "discard") {
  const payload = { reviewed_files: rows, ...(rest === undefined ? {} : { rest }) };
  const review = toReview(payload as Parameters<typeof toReview>[0], CHANGES);
  return "problems" in review
    ? review.problems.map(({ code }) => code)
    : review.files.map(({ path, decision }) => `${decision} ${path}`);
}

Deno.test("toReview() gives each changed file one decision, by path, by glob and by rest", () => {
  const discard = { path: "log.txt", decision: "discard", reason: "a log" };
  deepEqual(decide(["src/*.ts", discard]), ["keep src/a.ts", "keep src/b.ts", "discard log.txt"]);
  deepEqual(decide([discard], "keep"), ["discard log.txt", "keep src/a.ts", "keep src/b.ts"]);
});

Deno.test("toReview() names what is not reviewed, not changed, or discarded without a reason", () => {
  deepEqual(decide(["src/a.ts", "log.txt"]), ["file_not_reviewed"]);
  deepEqual(decide(["other.ts"], "keep"), ["not_changed"]);
  deepEqual(decide([{ path: "log.txt", decision: "discard" }], "keep"), ["reason_missing"]);
});

Deno.test("checkTrailers() refuses lines that are the server's in every place of a message", () => {
  const list = (message: string) => checkTrailers(message).map(({ code }) => code);
  deepEqual(list("Add it\n\nCode-Intel-Verified: yes"), ["trailer_reserved"]);
  deepEqual(list("  code-intel-session : x"), ["trailer_reserved"]);
  deepEqual(list("Say what Code-Intel-Verified: means"), []);
});
