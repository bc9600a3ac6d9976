/** Decisions of the user about repositories: remembered, shared by worktrees, forged by none. */
import {
  deepStrictEqual as deepEqual,
  match,
  notStrictEqual as notEqual,
  rejects,
  strictEqual as equal,
} from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { CodeIntelError } from "../../../src/base/errors.ts";
import { createSeal } from "../../../src/base/files/seal.ts";
import { findRepositoryKey, TrustStore } from "../../../src/evidence/runs/trust.ts";
import { openRepository } from "../../../src/git/repository.ts";
import { createTempRepo } from "../../support/temp_repo.ts";

const REPO = "/repo/.git";
const NOW = "2026-11-21T10:15:00.000Z";

function toShown(hash: string, name = "test") {
  const commands = [{ name, run: ["npm", "test"], paths: null, writes: [], timeoutMs: 1_000 }];
  return { commands, behind: [], hash };
}

async function setUp() {
  const stateDir = await Deno.makeTempDir();
  const create = () =>
    new TrustStore({
      stateDir,
      seal: createSeal(stateDir),
      clock: { now: () => new Date(NOW) },
    });
  return { stateDir, path: `${stateDir}/trust.json`, create, store: create() };
}

Deno.test("isTrusted() holds for this repository and this hash, in every process", async () => {
  const { store, create } = await setUp();
  equal(await store.isTrusted(REPO, "h1"), false);
  deepEqual(await store.trust(REPO, toShown("h1"), "terminal"), {
    repository: REPO,
    hash: "h1",
    by: "terminal",
    at: NOW,
    commands: [{ name: "test", run: ["npm", "test"] }],
  });
  equal(await create().isTrusted(REPO, "h1"), true);
  equal(await store.isTrusted(REPO, "h2"), false);
  equal(await store.isTrusted("/other/.git", "h1"), false);
});

Deno.test("trust() keeps several hashes, each once, and the newest of too many", async () => {
  const { store } = await setUp();
  await store.trust("/other/.git", toShown("other"), "asked");
  for (let index = 0; index < 25; index++) {
    await store.trust(REPO, toShown(`h${index}`), "asked");
    await store.trust(REPO, toShown("always"), "terminal");
  }
  const { entries } = await store.list();
  const own = entries.filter(({ repository }) => repository === REPO).map(({ hash }) => hash);
  deepEqual([own.length, own[0], own.at(-2), own.at(-1)], [20, "h6", "h24", "always"]);
  equal(await store.isTrusted("/other/.git", "other"), true);
});

Deno.test("revoke() takes back all of one repository", async () => {
  const { store } = await setUp();
  await store.trust(REPO, toShown("h1"), "asked");
  await store.trust(REPO, toShown("h2"), "asked");
  await store.confirmMode(REPO, "warn", "terminal");
  await store.trust("/other/.git", toShown("h1"), "asked");
  equal(await store.revoke(REPO), 3);
  equal(await store.isTrusted(REPO, "h1"), false);
  equal(await store.readConfirmedMode(REPO), null);
  equal(await store.isTrusted("/other/.git", "h1"), true);
  equal(await store.revoke(REPO), 0);
});

Deno.test("confirmMode() holds for its repository, the last word counts", async () => {
  const { store, create } = await setUp();
  equal(await store.readConfirmedMode(REPO), null);
  await store.confirmMode(REPO, "off", "terminal");
  await store.confirmMode(REPO, "warn", "asked");
  equal(await create().readConfirmedMode(REPO), "warn");
  equal(await store.readConfirmedMode("/other/.git"), null);
  deepEqual((await store.list()).modes, [{ repository: REPO, mode: "warn", by: "asked", at: NOW }]);
});

Deno.test("takeNotices() tells once what was allowed in a repository, when and how; a mode is used up by a start", async () => {
  const { store, create } = await setUp();
  await store.trust(REPO, toShown("h1"), "asked");
  await store.confirmMode(REPO, "warn", "terminal");
  await store.noteWord("/other/.git", "the file of session_x, whose seal did not fit", "terminal");
  await store.useMode(REPO);
  equal(await store.readConfirmedMode(REPO), null);
  const words = await create().takeWords(REPO);
  deepEqual(words.map(({ by, at }) => [by, at]), [["asked", NOW], ["terminal", NOW]]);
  match(words[0]?.what ?? "", /^may run: /);
  equal(words[1]?.what, "the mode warn for the next session");
  deepEqual(await store.takeWords(REPO), []);
  equal((await store.takeWords("/other/.git")).length, 1);
  equal(await store.isTrusted(REPO, "h1"), true);
});

Deno.test("trustTexts() holds for one repository, place and content, and keeps the newest of too many", async () => {
  const { store, create } = await setUp();
  const text = { path: ".code-intel/a.md", name: "", text: "Do it.\n" };
  await store.trust(REPO, toShown("h1"), "asked");
  await store.trustTexts(REPO, [text], "terminal");
  const others = [
    { ...text, text: "Do it.\r\n" },
    { ...text, text: "Do it!\n" },
    { ...text, path: ".code-intel/b.md" },
    { ...text, name: "key" },
  ];
  deepEqual(await create().areTextsTrusted(REPO, [text, ...others]), [
    true,
    true,
    false,
    false,
    false,
  ]);
  deepEqual(await store.areTextsTrusted("/other/.git", [text]), [false]);
  const many = Array.from({ length: 510 }, (_, at) => ({ ...text, text: `${at}` }));
  await store.trustTexts(REPO, many, "update_context");
  equal((await store.list()).texts?.length, 500);
  const words = await store.takeWords(REPO);
  deepEqual(words.map(({ what }) => what.slice(0, 17)), ["may run: test (np", "may guide agents:"]);
  equal(await store.isTrusted(REPO, "h1"), true);
  equal(await store.revoke(REPO), 501);
});

Deno.test("a trust file changed by hand trusts nothing, and can be written again", async () => {
  const { store, path } = await setUp();
  await store.trust(REPO, toShown("h1"), "terminal");
  const text = await Deno.readTextFile(path);
  await Deno.writeTextFile(path, text.replace('"h1"', '"h2"'));
  deepEqual([await store.isTrusted(REPO, "h1"), await store.isTrusted(REPO, "h2")], [false, false]);
  await store.trust(REPO, toShown("h3"), "terminal");
  deepEqual((await store.list()).entries.map(({ hash }) => hash), ["h3"]);
  if (Deno.build.os !== "windows") equal(((await Deno.stat(path)).mode ?? 0) & 0o777, 0o600);
});

Deno.test("trust() without a home folder is an error with the way on, and nothing is trusted", async () => {
  const clock = { now: () => new Date(NOW) };
  const store = new TrustStore({ stateDir: null, seal: createSeal(null), clock });
  equal(await store.isTrusted(REPO, "h1"), false);
  await rejects(
    store.trust(REPO, toShown("h1"), "terminal"),
    (error) => error instanceof CodeIntelError && /CODE_INTEL_STATE_DIR/.test(String(error.hint)),
  );
});

Deno.test("two processes that trust at once lose nothing", async () => {
  const { stateDir, store } = await setUp();
  const script = fileURLToPath(new URL("../trust_process.ts", import.meta.url));
  const hashes = ["a", "b", "c", "d"];
  await Promise.all(hashes.map(async (hash) => {
    const args = ["run", "--quiet", "-A", script, REPO, stateDir, hash];
    const { success } = await new Deno.Command(Deno.execPath(), { args, stderr: "inherit" })
      .output();
    equal(success, true);
  }));
  deepEqual((await store.list()).entries.map(({ hash }) => hash).sort(), hashes);
});

Deno.test("findRepositoryKey() is one for all worktrees, and the project without git", async () => {
  await using temp = await createTempRepo();
  const linked = `${await Deno.makeTempDir()}/linked`;
  await temp.git("worktree", "add", "-q", linked);
  const key = await findRepositoryKey(temp.dir, temp.repo);
  equal(await findRepositoryKey(linked, await openRepository(linked)), key);
  const plain = await Deno.makeTempDir();
  equal(await findRepositoryKey(plain, null), await Deno.realPath(plain));
  notEqual(await findRepositoryKey(plain, null), key);
});
