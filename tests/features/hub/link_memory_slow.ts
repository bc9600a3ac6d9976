/** What the store answers is not kept: the runtime's own way to pass values between threads kept all of it for ever. */
import { ok, strictEqual as equal } from "node:assert/strict";
import { HubStore } from "../../../src/features/hub/hub_store.ts";
import { parseStorePlace } from "../../../src/features/hub/postgres/store_place.ts";
import { testNeeding } from "../../support/needs.ts";
import { startPostgres } from "../../support/postgres.ts";

const ANSWERS = 2_000;
const CHARACTERS = 100_000;
const MOST_BYTES = ANSWERS * CHARACTERS / 2;

testNeeding(["postgres"], "answers of the store are not kept in memory", async () => {
  await using postgres = await startPostgres();
  const store = await HubStore.open(parseStorePlace(postgres.url));
  try {
    const before = Deno.memoryUsage().heapUsed;
    for (let count = 0; count < ANSWERS; count++) {
      const row = store.link.get("SELECT repeat('x', ?::integer) AS text", CHARACTERS);
      equal(String(row?.["text"]).length, CHARACTERS);
    }
    const grown = Deno.memoryUsage().heapUsed - before;
    ok(grown < MOST_BYTES, `${grown} bytes`);
  } finally {
    store.close();
  }
});
