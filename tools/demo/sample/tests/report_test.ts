/** The list at the desk and the fees on it. */
import { strictEqual as equal } from "node:assert/strict";
import { toFeeCents } from "../src/fees.ts";
import { lend } from "../src/loans.ts";
import { renderReport } from "../src/report.ts";

Deno.test("toFeeCents() stops at 5 euros", () => {
  const loan = lend("b1", "m1", "2026-03-01");
  equal(toFeeCents(loan, "2026-03-15"), 0);
  equal(toFeeCents(loan, "2026-03-17"), 40);
  equal(toFeeCents(loan, "2026-12-31"), 500);
});

Deno.test("renderReport() lists the first due on top", () => {
  const loans = [lend("b2", "m1", "2026-03-04"), lend("b1", "m2", "2026-03-01")];
  equal(
    renderReport(loans, "2026-03-16"),
    "2026-03-15 b1 m2 (0.20 euros)\n2026-03-18 b2 m1",
  );
});
