/** The store of statements, loaded when a session commits or a report tells of it. */
import { Late, later } from "../../base/later.ts";
import type { StatementStore, StatementStoreOptions } from "./statement_file.ts";

/** Makes the store; nothing is read before the first call. */
export function createStatementStore(options: StatementStoreOptions): StatementStore {
  const late = new Late(async () =>
    (await import("./statement_file.ts")).createStatementStore(options)
  );
  return later<StatementStore>(late, { keep: true, read: true });
}
