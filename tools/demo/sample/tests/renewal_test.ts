/** What the desk expects of renewals (rules 3 to 5); waits until there is a `renew`. */
import { deepStrictEqual as deepEqual, strictEqual as equal, throws } from "node:assert/strict";
import type { Loan } from "../src/loans.ts";
import * as loans from "../src/loans.ts";

type Renew = (loan: Loan, today: string) => Loan;

const renew = Reflect.get(loans, "renew") as Renew | undefined;
const ignore = renew === undefined;

Deno.test({ name: "renew() moves the due day by 14 days", ignore, fn: checkDueDay });
Deno.test({ name: "renew() refuses a third time", ignore, fn: checkThird });
Deno.test({ name: "renew() refuses a late loan", ignore, fn: checkLate });

function checkDueDay(): void {
  const loan = Object.freeze(loans.lend("b1", "m1", "2026-03-01"));
  const before = { ...loan };
  equal(renew?.(loan, "2026-03-10").dueOn, "2026-03-29");
  deepEqual(loan, before);
}

function checkThird(): void {
  const once = renew?.(loans.lend("b1", "m1", "2026-03-01"), "2026-03-02");
  const twice = once && renew?.(once, "2026-03-03");
  equal(twice?.dueOn, "2026-04-12");
  throws(() => twice && renew?.(twice, "2026-03-04"), /at most twice/);
}

function checkLate(): void {
  throws(() => renew?.(loans.lend("b1", "m1", "2026-03-01"), "2026-03-16"), /late/);
}
