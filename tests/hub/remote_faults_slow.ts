/** What an indexer does about remotes that break, or that say what a store cannot keep. */
import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { HubStore } from "../../src/hub/mod.ts";
import { parseStorePlace } from "../../src/index/mod.ts";
import { testNeeding } from "../support/needs.ts";
import { startPostgres } from "../support/postgres.ts";
import { createTempRepo } from "../support/temp_repo.ts";
import type { TempRepo } from "../support/temp_repo.ts";
import { doAll } from "./served.ts";

/** Runs `act` with an empty hub and what does its jobs. */
async function withHub(
  act: (hub: HubStore, refresh: () => ReturnType<typeof doAll>) => Promise<void>,
): Promise<void> {
  await using postgres = await startPostgres();
  const folder = await Deno.makeTempDir();
  const hub = await HubStore.open(parseStorePlace(postgres.url));
  const { signal } = new AbortController();
  try {
    await act(hub, () => {
      hub.askRefresh(null);
      return doAll(hub, folder, signal);
    });
  } finally {
    hub.close();
    await Deno.remove(folder, { recursive: true });
  }
}

/** Makes a branch whose only new file the repository has lost, so that it cannot be sent. */
async function breakBranch(repo: TempRepo, branch: string): Promise<void> {
  await repo.git("switch", "--quiet", "-c", branch);
  await repo.commit("Lose", { "lost.ts": `export const lost = "${branch}";\n` });
  const blob = await repo.git("rev-parse", "HEAD:lost.ts");
  await Deno.remove(join(repo.dir, ".git/objects", blob.slice(0, 2), blob.slice(2)));
  // The lost file would be missed by the way back.
  await repo.git("symbolic-ref", "HEAD", "refs/heads/main");
  await repo.git("read-tree", "main");
}

testNeeding(
  ["postgres"],
  "a branch that cannot be sent does not hold the others back, though git says why with a NUL byte",
  async () => {
    await using repo = await createTempRepo({ files: { "cart.ts": "export class Cart {}\n" } });
    await repo.git("branch", "good");
    await breakBranch(repo, "bad");
    await withHub(async (hub, refresh) => {
      for (const branch of ["main", "good", "bad"]) {
        hub.add({ name: branch, url: repo.dir, branch });
      }
      const [job] = await refresh();
      equal(job?.failure, null);
      deepEqual(job?.report?.failed.map(({ name }) => name), ["bad"]);
      const bad = hub.find("bad")?.problem ?? "";
      match(bad, /Cannot use the remote .*(?:corruption|unable to read|missing|early EOF)/);
      ok(!/\p{Cc}/u.test(bad), JSON.stringify(bad));
      deepEqual(["good", "main"].map((name) => hub.find(name)?.files), [1, 1]);
      deepEqual(["good", "main"].map((name) => hub.find(name)?.problem), [null, null]);
    });
  },
);

testNeeding(
  ["postgres"],
  "a reason with a NUL byte is kept without it, whoever says it",
  async () => {
    await withHub((hub) => {
      hub.add({ name: "shop", url: "/nowhere/shop.git", branch: null });
      const id = hub.find("shop")?.id ?? 0;
      hub.noteProblem(id, "torn\0off");
      equal(hub.find("shop")?.problem, "tornoff");
      const lease = hub.take();
      ok(lease !== null);
      hub.finish(lease, hub.now(), "cut\0short");
      equal(hub.find("shop")?.job?.failure, "cutshort");
      return Promise.resolve();
    });
  },
);

testNeeding(
  ["postgres"],
  "a job whose end cannot be written does not end the indexer",
  async () => {
    await using repo = await createTempRepo({ files: { "cart.ts": "export class Cart {}\n" } });
    await withHub(async (hub, refresh) => {
      hub.add({ name: "gone", url: "/nowhere/gone.git", branch: null });
      hub.add({ name: "shop", url: repo.dir, branch: null });
      hub.link.exec(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'no failures here'; END $$;
      CREATE TRIGGER refuse BEFORE UPDATE ON jobs FOR EACH ROW
        WHEN (new.failure IS NOT NULL) EXECUTE FUNCTION refuse()`);
      const jobs = await refresh();
      deepEqual(jobs.map(({ failure }) => failure === null), [false, true]);
      match(String(jobs[0]?.failure), /gone\.git.*; and this could not be written: .*no failures/s);
      equal(hub.find("shop")?.files, 1);
    });
  },
);
