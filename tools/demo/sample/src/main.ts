/** Prints the list of a day with two loans. */
import { lend } from "./loans.ts";
import { renderReport } from "./report.ts";

const loans = [lend("b2", "m1", "2026-03-04"), lend("b1", "m2", "2026-03-01")];
const text = renderReport(loans, "2026-03-16");
await Deno.stdout.write(new TextEncoder().encode(`${text}\n`));
