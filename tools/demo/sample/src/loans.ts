/** Loans: a book that a person has until a day. */
import { addDays } from "./days.ts";

/** How long a book is lent. */
export const LOAN_DAYS = 14;

/** One book in the hands of one person. */
export interface Loan {
  readonly bookId: string;
  readonly memberId: string;
  readonly lentOn: string;
  readonly dueOn: string;
}

/** Lends a book from today on. */
export function lend(bookId: string, memberId: string, today: string): Loan {
  return { bookId, memberId, lentOn: today, dueOn: addDays(today, LOAN_DAYS) };
}

/** True when the book should have been back before today. */
export function isLate(loan: Loan, today: string): boolean {
  return today > loan.dueOn;
}
