/** Memory that a process has freed goes back to the system. */
import { ok } from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { giveMemoryBack } from "../../../src/base/processes/worker_pool.ts";
import { testNeeding } from "../../support/needs.ts";

const ROWS = 8_000;
const ROW_BYTES = 4_000;

/** A database in memory: some 32 MB that the C library hands out in pages. */
function fill(rows: number): DatabaseSync {
  const db = new DatabaseSync(":memory:");
  db.exec(`CREATE TABLE texts (text BLOB);
    WITH RECURSIVE row(at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM row WHERE at < ${rows})
      INSERT INTO texts SELECT zeroblob(${ROW_BYTES}) FROM row`);
  return db;
}

/** Other C libraries give memory back by themselves, or cannot. */
const HAS_GNU_C_LIBRARY = {
  what: "the GNU C library",
  hindrance: Deno.build.target.endsWith("linux-gnu") ? null : Deno.build.target,
};

testNeeding(
  [HAS_GNU_C_LIBRARY],
  "giveMemoryBack() gives back what was freed below something that is still in use",
  () => {
    const freed = fill(ROWS);
    using kept = fill(10);
    freed.close();
    const before = Deno.memoryUsage().rss;
    giveMemoryBack();
    const givenBack = before - Deno.memoryUsage().rss;
    ok(givenBack > ROWS * ROW_BYTES / 4, `${givenBack} bytes were given back`);
    ok(kept.isOpen);
  },
);
