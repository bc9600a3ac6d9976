/** What is said where the tables of a hub's store cannot be brought to the present form. */
import { match, ok, rejects, strictEqual as equal } from "node:assert/strict";
import { CodeIntelError } from "../../../src/base/errors.ts";
import { HubStore } from "../../../src/features/hub/hub_store.ts";
import { parseStorePlace } from "../../../src/features/hub/postgres/store_place.ts";
import { testNeeding } from "../../support/needs.ts";
import { startPostgres } from "../../support/postgres.ts";

/** A store of the form before the present one. */
async function makeOlder(url: string): Promise<HubStore> {
  const store = await HubStore.open(parseStorePlace(url));
  store.link.exec(`UPDATE store SET version = 2; ALTER TABLE repositories DROP COLUMN problem`);
  return store;
}

async function expectFailure(
  url: string,
  { code, message, hint }: {
    readonly code: string;
    readonly message: RegExp;
    readonly hint: RegExp;
  },
): Promise<void> {
  await rejects(HubStore.open(parseStorePlace(url)), (error) => {
    ok(error instanceof CodeIntelError);
    equal(error.code, code, error.message);
    match(error.message, message);
    match(`${error.hint}`, hint);
    return true;
  });
}

testNeeding(["postgres"], "a migration needs the owner of the tables, and says so", async () => {
  await using postgres = await startPostgres();
  const owner = await makeOlder(postgres.url);
  try {
    owner.link.exec(`CREATE ROLE other LOGIN PASSWORD 'other-word';
      GRANT USAGE ON SCHEMA code_intel TO other;
      GRANT ALL ON ALL TABLES IN SCHEMA code_intel TO other`);
    const url = new URL(postgres.url);
    [url.username, url.password] = ["other", "other-word"];
    await expectFailure(url.href, {
      code: "store_refused",
      message: /form 2 .* form 3.* does not own its tables/,
      hint: /own the tables of the schema code_intel.* once as their owner/,
    });
    (await HubStore.open(parseStorePlace(postgres.url))).close();
    const store = await HubStore.open(parseStorePlace(url.href));
    equal(store.list().length, 0, "once it is done, the other user may use the store");
    store.close();
  } finally {
    owner.close();
  }
});

testNeeding(
  ["postgres"],
  "a migration does not wait long for a table that another connection holds",
  async () => {
    await using postgres = await startPostgres();
    const other = await makeOlder(postgres.url);
    try {
      other.link.exec("BEGIN");
      other.link.exec("SELECT name FROM repositories");
      const startedMs = performance.now();
      await expectFailure(postgres.url, {
        code: "busy",
        message: /another connection uses its tables/,
        hint: /try again/,
      });
      const tookMs = performance.now() - startedMs;
      ok(tookMs < 15_000, `${Math.round(tookMs)} ms`);
      other.link.exec("COMMIT");
      const store = await HubStore.open(parseStorePlace(postgres.url));
      equal(store.list().length, 0);
      store.close();
    } finally {
      other.close();
    }
  },
);
