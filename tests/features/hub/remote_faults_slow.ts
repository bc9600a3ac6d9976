/** What an indexer does about remotes that break, or that say what a store cannot keep. */
import {
  deepStrictEqual as deepEqual,
  match,
  ok,
  rejects,
  strictEqual as equal,
} from "node:assert/strict";
import { join } from "node:path";
import { fetchBranch } from "../../../src/features/hub/fetch_branch.ts";
import { HubCode } from "../../../src/features/hub/hub_code.ts";
import { HubStore } from "../../../src/features/hub/hub_store.ts";
import { SILENT_LOGGER } from "../../../src/base/logger.ts";
import { callHubTool } from "../../../src/features/hub/answers/hub_call.ts";
import { Mirror } from "../../../src/git/remote/mirror.ts";
import { findRemote } from "../../../src/git/remote/remote_location.ts";
import { parseStorePlace } from "../../../src/features/hub/postgres/store_place.ts";
import { testNeeding } from "../../support/needs.ts";
import { startPostgres } from "../../support/postgres.ts";
import { createTempRepo } from "../../support/temp_repo.ts";
import type { TempRepo } from "../../support/temp_repo.ts";
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

/** A remote that takes its time and fails; it counts who asked. */
function serveFailing(delayMs: number) {
  let asked = 0;
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, async () => {
    asked++;
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    return new Response("out of order", { status: 500 });
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}/shop.git`,
    count: () => asked,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

testNeeding(
  ["postgres"],
  "a remote that is down is not asked for each of its branches",
  async () => {
    await using remote = serveFailing(0);
    await withHub(async (hub, refresh) => {
      for (const branch of ["a", "b", "c", "d", "e"]) {
        hub.add({ name: branch, url: remote.url, branch });
      }
      const [job] = await refresh();
      match(String(job?.failure), /Cannot use the remote .*500/);
      equal(remote.count(), 2, "once for a branch, and once to tell whether it is the branch's");
      ok(hub.list().every((one) => /500/.test(one.job?.failure ?? "")), "all are told of it");
    });
  },
);

testNeeding(["postgres"], "a lease is renewed for each branch, failing ones too", async () => {
  await using repo = await createTempRepo({ files: { "cart.ts": "export class Cart {}\n" } });
  await breakBranch(repo, "bad");
  await withHub(async (hub, refresh) => {
    hub.add({ name: "main", url: repo.dir, branch: "main" });
    for (const name of ["x", "y", "z"]) hub.add({ name, url: repo.dir, branch: "bad" });
    hub.link.exec(`CREATE TABLE renewals (at timestamptz);
      CREATE FUNCTION count_renewal() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN INSERT INTO renewals VALUES (clock_timestamp()); RETURN new; END $$;
      CREATE TRIGGER count_renewal AFTER UPDATE ON jobs FOR EACH ROW
        WHEN (new.lease = old.lease) EXECUTE FUNCTION count_renewal()`);
    const [job] = await refresh();
    equal(job?.report?.failed.length, 3);
    const renewals = hub.link.number("SELECT count(*) FROM renewals");
    ok(renewals >= 8, `before each of 4 branches and after each, but ${renewals}`);
  });
});

testNeeding(["postgres"], "a lease is renewed while a fetch waits", async () => {
  await using remote = serveFailing(700);
  await using folder = await createTempRepo();
  await withHub(async (hub) => {
    hub.add({ name: "shop", url: remote.url, branch: "main" });
    const lease = hub.take();
    ok(lease !== null);
    const toEnd = () => String(hub.link.get("SELECT leased_until::text AS at FROM jobs")?.["at"]);
    const before = toEnd();
    const mirror = new Mirror(join(folder.dir, "mirror"));
    await mirror.open();
    const place = await findRemote(null, remote.url, { base: folder.dir });
    const { signal } = new AbortController();
    const deps = { ...{ store: hub, lease, mirror, place, signal }, renewMs: 100 };
    const [branch] = hub.list();
    ok(branch !== undefined);
    await rejects(fetchBranch(deps, branch), /500/);
    ok(toEnd() > before);
  });
});

testNeeding(
  ["postgres"],
  "the present failure of a remote is told, and not what failed for a branch before",
  async () => {
    await using repo = await createTempRepo({ files: { "cart.ts": "export class Cart {}\n" } });
    await breakBranch(repo, "bad");
    await withHub(async (hub, refresh) => {
      hub.add({ name: "main", url: repo.dir, branch: "main" });
      hub.add({ name: "bad", url: repo.dir, branch: "bad" });
      const listed = async () => {
        const { signal } = new AbortController();
        const code = new HubCode(hub, SILENT_LOGGER);
        const parts = { store: hub, code, logger: SILENT_LOGGER, signal };
        const reply = await callHubTool("list_repositories", {}, parts);
        const { repositories } = JSON.parse(JSON.stringify(reply));
        return (repositories as { readonly refresh_failed?: string }[])
          .map((one) => one.refresh_failed ?? "");
      };
      await refresh();
      const [bad, main] = await listed();
      match(String(bad), /Cannot use the remote/);
      equal(main, "");
      await Deno.rename(join(repo.dir, ".git"), join(repo.dir, "away"));
      await refresh();
      for (const failure of await listed()) match(failure, /not appear to be a git repository/);
      await Deno.rename(join(repo.dir, "away"), join(repo.dir, ".git"));
    });
  },
);
