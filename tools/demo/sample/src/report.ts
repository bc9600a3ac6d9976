/** The list that hangs at the desk. */
import { toFeeCents } from "./fees.ts";
import type { Loan } from "./loans.ts";

/** One line a loan, the first due on top. */
export function renderReport(loans: readonly Loan[], today: string): string {
  const sorted = [...loans].sort((left, right) => left.dueOn < right.dueOn ? -1 : 1);
  return sorted.map((loan) => renderLine(loan, today)).join("\n");
}

function renderLine(loan: Loan, today: string): string {
  const cents = toFeeCents(loan, today);
  const fee = cents === 0 ? "" : ` (${(cents / 100).toFixed(2)} euros)`;
  return `${loan.dueOn} ${loan.bookId} ${loan.memberId}${fee}`;
}
