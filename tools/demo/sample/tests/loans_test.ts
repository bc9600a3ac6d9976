/** What a loan is. */
import { strictEqual as equal } from "node:assert/strict";
import { isLate, lend } from "../src/loans.ts";

Deno.test("lend() is due after 14 days", () => {
  equal(lend("b1", "m1", "2026-02-20").dueOn, "2026-03-06");
});

Deno.test("isLate() is true from the day after the due day", () => {
  const loan = lend("b1", "m1", "2026-03-01");
  equal(isLate(loan, "2026-03-15"), false);
  equal(isLate(loan, "2026-03-16"), true);
});
