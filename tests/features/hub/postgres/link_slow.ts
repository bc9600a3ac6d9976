/** A connection to the store that is lost between two statements of one piece of work. */
import { deepStrictEqual as deepEqual, strictEqual as equal, throws } from "node:assert/strict";
import { PostgresLink } from "../../../../src/features/hub/postgres/link.ts";
import { parseStorePlace } from "../../../../src/features/hub/postgres/store_place.ts";
import { testNeeding } from "../../../support/needs.ts";
import { startPostgres } from "../../../support/postgres.ts";

testNeeding(
  ["postgres"],
  "work whose connection is lost between two statements is done anew, as a whole",
  async (t) => {
    await using postgres = await startPostgres();
    const place = parseStorePlace(postgres.url);
    const link = await PostgresLink.open(place);
    const other = await PostgresLink.open(place);
    const list = () => other.all("SELECT v FROM t ORDER BY v").map(({ v }) => v);
    const reset = () => other.exec("TRUNCATE t; INSERT INTO t VALUES (1)");
    /** Ends the link's connection, and waits until the thread that holds it has heard of that: it says so by a new one. */
    const lose = async () => {
      const id = () => Number(other.get(BACKENDS)?.["pid"] ?? 0);
      const before = id();
      other.all("SELECT pg_terminate_backend(?::integer)", before);
      while (id() === before) await new Promise((resolve) => setTimeout(resolve, 5));
    };
    try {
      other.exec("CREATE SCHEMA code_intel; CREATE TABLE code_intel.t (v integer)");
      await t.step("a state that is held", async () => {
        reset();
        let runs = 0;
        const counts = await link.hold(async () => {
          const first = link.number("SELECT count(*) FROM t");
          if (++runs === 1) {
            await lose();
            other.run("INSERT INTO t VALUES (2)");
            // Whoever asks after the store meanwhile makes the thread connect anew.
            equal(await link.isUp(), true);
          }
          return [first, link.number("SELECT count(*) FROM t")];
        });
        deepEqual([counts, runs], [[2, 2], 2]);
      });
      await t.step("a change", () => {
        reset();
        let runs = 0;
        link.transaction(() => {
          link.run("INSERT INTO t VALUES (2)");
          if (++runs === 1) loseAtOnce(link, other);
          link.run("INSERT INTO t VALUES (3)");
        });
        deepEqual([list(), runs], [[1, 2, 3], 2]);
      });
      await t.step("a change that is given up", () => {
        reset();
        throws(() =>
          link.transaction(() => {
            link.run("INSERT INTO t VALUES (2)");
            loseAtOnce(link, other);
            try {
              link.run("INSERT INTO t VALUES (3)");
            } catch {
              // Whoever takes no notice changes nothing all the same.
            }
            throw new Error("given up");
          }), /given up/);
        deepEqual(list(), [1]);
      });
    } finally {
      link.close();
      other.close();
    }
  },
);

const BACKENDS = `SELECT pid FROM pg_stat_activity
  WHERE backend_type = 'client backend' AND pid <> pg_backend_pid() LIMIT 1`;
/** The thread hears of it while nobody asks; this one has no event loop to wait with. */
const HEARD_MS = 500;

function loseAtOnce(link: PostgresLink, other: PostgresLink): void {
  const { pid = 0 } = link.get("SELECT pg_backend_pid() AS pid") ?? {};
  other.all("SELECT pg_terminate_backend(?::integer)", pid);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, HEARD_MS);
}
