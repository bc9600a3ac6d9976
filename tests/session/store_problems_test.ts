/** The refusals of the store: a stable code, and a next step in each. */
import { deepStrictEqual as deepEqual, ok } from "node:assert/strict";
import {
  listPending,
  STORE_PROBLEMS,
  UnreportedNotices,
} from "../../src/session/store_problems.ts";

Deno.test("UnreportedNotices keeps what was found until somebody takes it, and knows it again", () => {
  const untold = new UnreportedNotices();
  const notice = { code: "seal_unchecked", message: "one" } as const;
  const other = { code: "lock_taken_over", message: "two" } as const;
  untold.add("a", notice);
  untold.add("a", notice);
  untold.add(null, other);
  deepEqual(untold.list("a"), [notice], "listing takes nothing away");
  deepEqual(untold.list("b"), []);
  deepEqual(untold.take(), [{ id: "a", notice }, { id: null, notice: other }]);
  untold.add("a", notice);
  deepEqual(untold.take(), [], "the same cause is not told again");
});

Deno.test("listPending() names what stands in the records until a reply has told it, each once", () => {
  const at = "2026-01-01T00:00:00.000Z";
  const note = (code: string, text: string, told?: boolean) =>
    ({ kind: "note", at, code, text, ...(told === undefined ? {} : { told }) }) as const;
  const left = note("seal_unchecked", "one", false);
  const one = { code: "seal_unchecked", message: "one" };
  deepEqual(listPending([left, left, note("restored_change", "two", false)]), [one]);
  deepEqual(listPending([left, note("seal_unchecked", "one")]), []);
  deepEqual(listPending([note("seal_unchecked", "one")]), []);
});

Deno.test("each refusal of the store has its code and names a next step", () => {
  const problems = [
    STORE_PROBLEMS.missing("s"),
    STORE_PROBLEMS.tampered("s", "changed"),
    STORE_PROBLEMS.tampered("s", "older"),
    STORE_PROBLEMS.tampered("s", "key_lost"),
    STORE_PROBLEMS.unmarked("s"),
    STORE_PROBLEMS.newer("s", 2),
    STORE_PROBLEMS.damaged("s"),
    STORE_PROBLEMS.conflict("s", 2, 1),
    STORE_PROBLEMS.tooLarge("s", 2, 1),
  ];
  deepEqual(problems.map(({ code }) => code), [
    "session_not_found",
    "checkpoint_tampered",
    "checkpoint_tampered",
    "checkpoint_tampered",
    "checkpoint_tampered",
    "checkpoint_version",
    "checkpoint_damaged",
    "checkpoint_conflict",
    "checkpoint_too_large",
  ]);
  for (const { code, hint, message } of problems) {
    ok(String(hint ?? "").length > 20, code);
    ok(String(message).includes('"s"'), code);
  }
});
