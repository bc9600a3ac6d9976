/** What a late book costs. */
import { daysBetween } from "./days.ts";
import type { Loan } from "./loans.ts";

const CENTS_PER_DAY = 20;
const MAX_CENTS = 500;

/** The fee of a loan in cents, 0 while it is not late. */
export function toFeeCents(loan: Loan, today: string): number {
  const lateDays = Math.max(0, daysBetween(loan.dueOn, today));
  return Math.min(lateDays * CENTS_PER_DAY, MAX_CENTS);
}
