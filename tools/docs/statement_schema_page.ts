/** `docs/statement.schema.json`: the form of statements about commits, for programs of others. */
import { toStatementSchema } from "../../src/features/attest/mod.ts";

/** The file. */
export function renderStatementSchema(): string {
  return `${JSON.stringify(toStatementSchema(), null, 2)}\n`;
}
