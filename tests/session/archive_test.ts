/** The archive: everything of a session moves there, and old files go. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import {
  archiveFiles,
  GITIGNORE,
  prepareCodeIntelFolder,
  pruneArchive,
} from "../../src/session/archive.ts";
import { withLock } from "../../src/base/processes/lock_file.ts";
import { SAMPLE_ID, sampleState } from "./sample_state.ts";
import { withStore } from "./store_fixture.ts";

async function git(cwd: string, ...args: string[]): Promise<string> {
  const { stdout } = await new Deno.Command("git", { cwd, args }).output();
  return new TextDecoder().decode(stdout);
}

Deno.test("R29: git sees no working file, but agreements, prompts and configuration", async () => {
  const root = await Deno.makeTempDir();
  try {
    await git(root, "init", "-q");
    const folder = join(root, ".code-intel");
    await prepareCodeIntelFolder(folder);
    equal(await git(root, "status", "--porcelain", "-uall"), "", "the first write leaves it clean");
    const files = [
      "sessions/session_20260131_142530_9f3a.json",
      "sessions/.lock",
      "backup/a/.env",
      "logs/decisions.jsonl",
      "cache/symbols.json",
      "index.db",
      "index.db-wal",
      "config.json.1a2b3c4d.tmp",
      "config.json",
      "context.yml",
      "phase_contract.yml",
      "agreements/login.md",
      "review_prompts/quality_review.md",
      "verifiers/index.md",
    ];
    for (const file of files) {
      await Deno.mkdir(join(folder, file, ".."), { recursive: true });
      await Deno.writeTextFile(join(folder, file), "");
    }
    const list = async () =>
      (await git(root, "ls-files", "--others", "--exclude-standard")).trim().split("\n").sort();
    const shared = [
      ".code-intel/config.json",
      ".code-intel/context.yml",
      ".code-intel/phase_contract.yml",
      ".code-intel/review_prompts/quality_review.md",
      ".code-intel/verifiers/index.md",
    ];
    deepEqual(
      await list(),
      shared,
      "what sessions learn is no dirt where nobody set the project up",
    );
    await Deno.writeTextFile(join(folder, ".gitignore"), GITIGNORE);
    const ofTeam = [".code-intel/.gitignore", ".code-intel/agreements/login.md"];
    deepEqual(await list(), [...ofTeam, ...shared]);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});

Deno.test("prepareCodeIntelFolder() leaves an ignore file that exists as it is", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(join(folder, ".gitignore"), "mine\n");
    await prepareCodeIntelFolder(folder);
    equal(await Deno.readTextFile(join(folder, ".gitignore")), "mine\n");
    equal((await Deno.stat(join(folder, "sessions"))).isDirectory, true);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

async function listNames(folder: string): Promise<readonly string[]> {
  return (await Array.fromAsync(Deno.readDir(folder), ({ name }) => name)).sort();
}

Deno.test("R28: archive() takes an ended session out of the way, with its records", () =>
  withStore(async ({ store, again, sessionsDir }) => {
    const parked = "session_20260101_000000_0001";
    await store.save({ state: sampleState({ sessionId: parked, status: "parked" }) }, {
      expectedRevision: 0,
    });
    for (const expectedRevision of [0, 1]) {
      await store.save({ state: sampleState({ status: "ended" }) }, { expectedRevision });
    }
    await store.appendRecord(SAMPLE_ID, { kind: "note", at: "2026", code: "x", text: "y" });
    await store.archive(SAMPLE_ID);
    equal((await store.load(SAMPLE_ID)).kind, "missing");
    deepEqual((await again().loadAll()).map(({ id }) => id), [parked]);
    deepEqual(await listNames(join(sessionsDir, "archive")), [
      `${SAMPLE_ID}.json`,
      `${SAMPLE_ID}.records.jsonl`,
    ]);
    deepEqual(await listNames(sessionsDir), ["archive", `${parked}.json`]);
  }));

Deno.test("archiveFiles() finishes what a kill left half done, and removes leftovers", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.mkdir(join(folder, "archive"));
    const names = [
      `archive/${SAMPLE_ID}.records.jsonl`,
      `${SAMPLE_ID}.json`,
      `${SAMPLE_ID}.json.prev`,
      `${SAMPLE_ID}.json.0a1b2c3d.tmp`,
      `${SAMPLE_ID}.json.corrupt-1`,
    ];
    for (const name of names) await Deno.writeTextFile(join(folder, name), name);
    await archiveFiles(folder, SAMPLE_ID);
    deepEqual(await listNames(folder), ["archive"]);
    deepEqual(await listNames(join(folder, "archive")), [
      `${SAMPLE_ID}.json`,
      `${SAMPLE_ID}.json.corrupt-1`,
      `${SAMPLE_ID}.records.jsonl`,
    ]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("archiveFiles() waits for who writes under a lock of the session", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const path = join(folder, `${SAMPLE_ID}.verify.json`);
    const lock = join(folder, `${SAMPLE_ID}.verify.lock`);
    const archived = await withLock(lock, { timeoutMs: 5_000 }, async () => {
      const archived = archiveFiles(folder, SAMPLE_ID);
      await new Promise((resolve) => setTimeout(resolve, 100));
      await Deno.writeTextFile(path, "late");
      return { archived };
    });
    await archived.archived;
    deepEqual(await listNames(folder), ["archive"]);
    equal(await Deno.readTextFile(join(folder, "archive", `${SAMPLE_ID}.verify.json`)), "late");
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("pruneArchive() removes what is older than its days, and nothing else", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.mkdir(join(folder, "archive"));
    const now = new Date("2026-03-31T12:00:00Z");
    const rows = [["old", 31], ["young", 29], ["new", 0]] as const;
    for (const [name, ageDays] of rows) {
      const path = join(folder, "archive", name);
      await Deno.writeTextFile(path, "");
      const time = new Date(now.getTime() - ageDays * 86_400_000);
      await Deno.utime(path, time, time);
    }
    deepEqual(await pruneArchive(folder, { archiveDays: 30, now }), ["old"]);
    deepEqual(await listNames(join(folder, "archive")), ["new", "young"]);
    deepEqual(await pruneArchive(join(folder, "absent"), { archiveDays: 30, now }), []);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
