/** What a hub does about branches that are gone or cannot be read, and about analyses of another version. */
import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { SILENT_LOGGER } from "../../../src/base/logger.ts";
import { HubCode } from "../../../src/features/hub/hub_code.ts";
import { HubStore } from "../../../src/features/hub/hub_store.ts";
import { parseStorePlace } from "../../../src/features/hub/postgres/store_place.ts";
import { callHubTool } from "../../../src/features/hub/answers/hub_call.ts";
import { testNeeding } from "../../support/needs.ts";
import { startPostgres } from "../../support/postgres.ts";
import { createTempRepo } from "../../support/temp_repo.ts";
import type { Answer } from "./served.ts";
import { doAll } from "./served.ts";

testNeeding(
  ["postgres"],
  "a branch that is gone upstream keeps its last state and says so, while the others are refreshed",
  async (t) => {
    await using postgres = await startPostgres();
    await using repo = await createTempRepo({ files: { "cart.ts": "export class Cart {}\n" } });
    const folder = await Deno.makeTempDir();
    const hub = await HubStore.open(parseStorePlace(postgres.url));
    const { signal } = new AbortController();
    const refresh = () => {
      hub.askRefresh(null);
      return doAll(hub, folder, signal);
    };
    const ask = async (name: string, args: Answer): Promise<Answer> => {
      const code = new HubCode(hub, SILENT_LOGGER);
      const reply = await callHubTool(name, args, {
        store: hub,
        code,
        logger: SILENT_LOGGER,
        signal,
      });
      return JSON.parse(JSON.stringify(reply));
    };
    const listed = async (): Promise<Readonly<Record<string, Answer>>> => {
      const { repositories } = await ask("list_repositories", {}) as {
        readonly repositories: readonly (Answer & { readonly name: string })[];
      };
      return Object.fromEntries(repositories.map((one) => [one.name, one]));
    };
    try {
      await repo.git("branch", "next");
      // The branch that will be gone is the first of the origin's.
      hub.add({ name: "shop@next", url: repo.dir, branch: "next" });
      hub.add({ name: "shop", url: repo.dir, branch: null });
      deepEqual((await refresh()).map(({ report }) => report?.failed), [[]]);

      await t.step("the other branch has its new commit, and the job did not fail", async () => {
        await repo.git("branch", "-D", "next");
        await repo.commit("Add", { "till.ts": "export class Till {}\n" });
        const [job] = await refresh();
        equal(job?.failure, null);
        deepEqual([job?.report?.read, job?.report?.failed.map(({ name }) => name)], [1, [
          "shop@next",
        ]]);
        equal(hub.take(), null, "trying again would not help");
        const { shop, "shop@next": next } = await listed();
        deepEqual([shop?.["files"], shop?.["refresh_failed"]], [2, undefined]);
        equal(next?.["files"], 1);
        match(
          String(next?.["refresh_failed"]),
          /no branch "next" any more; .* hub remove shop@next/,
        );
      });
      await t.step("what it had is answered, with the reason", async () => {
        const { repositories } = await ask("find_definitions", {
          repository: "shop@next",
          symbol: "Cart",
        }) as { readonly repositories: readonly Answer[] };
        equal(repositories[0]?.["total"], 1);
        match(String(repositories[0]?.["refresh_failed"]), /no branch "next" any more/);
      });
      await t.step("a branch that comes back is refreshed, and nothing more is said", async () => {
        await repo.git("branch", "next");
        deepEqual((await refresh()).map(({ report }) => report?.failed), [[]]);
        const { "shop@next": next } = await listed();
        deepEqual([next?.["files"], next?.["refresh_failed"]], [2, undefined]);
      });
      await t.step(
        "a branch that never was is told by name, and one that cannot be fetched waits",
        async () => {
          hub.add({ name: "shop@typo", url: repo.dir, branch: "typo" });
          hub.add({ name: "shop@odd", url: repo.dir, branch: "a b" });
          const [job] = await refresh();
          deepEqual(job?.report?.failed.map(({ name, isGone }) => [name, isGone]), [
            ["shop@typo", true],
            ["shop@odd", false],
          ]);
          const { shop, "shop@typo": typo, "shop@odd": odd } = await listed();
          equal(shop?.["refresh_failed"], undefined);
          match(
            String(typo?.["refresh_failed"]),
            /has no branch "typo"\. .*hub refresh shop@typo.*hub remove shop@typo/,
          );
          match(String(odd?.["refresh_failed"]), /Cannot use the remote/);
          equal(odd?.["job"], "waits");
          const refused = await ask("get_symbols", { repository: "shop@typo", path: "." });
          match(JSON.stringify(refused), /has no branch \\"typo\\"/);
        },
      );
    } finally {
      hub.close();
      await Deno.remove(folder, { recursive: true });
    }
  },
);

testNeeding(
  ["postgres"],
  "answers say that a repository was analysed by another version of the program than the server's",
  async () => {
    await using postgres = await startPostgres();
    await using repo = await createTempRepo({ files: { "cart.ts": "export class Cart {}\n" } });
    const folder = await Deno.makeTempDir();
    const hub = await HubStore.open(parseStorePlace(postgres.url));
    const { signal } = new AbortController();
    const ask = async (name: string, args: Answer): Promise<Answer> => {
      const code = new HubCode(hub, SILENT_LOGGER);
      const reply = await callHubTool(name, args, {
        store: hub,
        code,
        logger: SILENT_LOGGER,
        signal,
      });
      return JSON.parse(JSON.stringify(reply));
    };
    const define = async () => {
      const reply = await ask("find_definitions", { symbol: "Cart" });
      const { repositories: [one] } = await ask("list_repositories", {}) as {
        readonly repositories: readonly Answer[];
      };
      return { notices: JSON.stringify(reply["notices"] ?? []), by: one?.["analysed_by"] };
    };
    try {
      hub.add({ name: "shop", url: repo.dir, branch: null });
      await doAll(hub, folder, signal);
      deepEqual(await define(), { notices: "[]", by: undefined });

      hub.link.exec("UPDATE repositories SET variant = '1|512|'");
      const older = await define();
      match(
        older.notices,
        /older version of code-intel than this server, .*: shop\. .*hub refresh/,
      );
      equal(older.by, "older version");

      hub.link.exec("UPDATE repositories SET variant = '9999|512|'");
      const newer = await define();
      match(newer.notices, /newer version of code-intel than this server, which should be updated/);
      equal(newer.by, "newer version");

      hub.askRefresh(null);
      const [job] = await doAll(hub, folder, signal);
      ok((job?.report?.read ?? 0) > 0, "all files are read anew");
      deepEqual(await define(), { notices: "[]", by: undefined });
    } finally {
      hub.close();
      await Deno.remove(folder, { recursive: true });
    }
  },
);
