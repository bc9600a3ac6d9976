/** Notices wait for a reply, whoever found them, and each cause is told once. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { listPending, UntoldNotices } from "../../src/session/store_problems.ts";

Deno.test("UntoldNotices keeps what was found until somebody takes it, and knows it again", () => {
  const untold = new UntoldNotices();
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
