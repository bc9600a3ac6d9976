/** Writing a file whole or not at all. */
import {
  deepStrictEqual as deepEqual,
  match,
  rejects,
  strictEqual as equal,
} from "node:assert/strict";
import { join } from "node:path";
import {
  buildTemporaryPath,
  isTemporaryEnding,
  removeLeftTemporaries,
  writeFileAtomic,
} from "../../../src/base/files/atomic_write.ts";
import { withLock } from "../../../src/base/processes/lock_file.ts";
import { testNeeding } from "../../support/needs.ts";
import { killChild } from "../../support/server/processes.ts";
import { inTempFolder } from "../../support/temp_folder.ts";

/** The number of a process that has ended. */
async function endedPid(): Promise<number> {
  const child = new Deno.Command(Deno.execPath(), { args: ["--version"], stdout: "null" }).spawn();
  await child.status;
  return child.pid;
}

Deno.test("what a killed process left unfinished stayed for ever: whoever takes a lock of the folder removes it", async () => {
  const folder = join(await Deno.makeTempDir(), "code-intel");
  await Deno.mkdir(folder);
  const old = new Date(Date.now() - 60_000);
  const left = `a.json.${await endedPid()}-0123abcd.tmp`;
  const kept = [
    `a.json.${Deno.pid}-0123abcd.tmp`,
    "a.json",
    "notes.tmp",
    "b.json.0123abcd.tmp",
  ];
  for (const name of [left, ...kept]) {
    await Deno.writeTextFile(join(folder, name), "{");
    await Deno.utime(join(folder, name), old, old);
  }
  const fresh = left.replace("0123abcd", "89abcdef");
  await Deno.writeTextFile(join(folder, fresh), "{");
  await withLock(join(folder, ".lock"), { timeoutMs: 60_000 }, () => Promise.resolve());
  const names = async () =>
    (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name)
      .filter((name) => name !== ".lock").toSorted();
  deepEqual(await names(), [...kept, fresh].toSorted(), "of a living process, or a moment old");
  await removeLeftTemporaries(folder, Date.now() + 3_600_000);
  deepEqual(await names(), kept.slice(0, 3).toSorted(), "an hour later");
});

Deno.test("buildTemporaryPath() names the process, and isTemporaryEnding() knows names of older versions too", () => {
  const path = buildTemporaryPath("/x/a.json");
  match(path, new RegExp(`^/x/a\\.json\\.${Deno.pid}-[0-9a-f]{8}\\.tmp$`));
  equal(isTemporaryEnding(path.slice("/x/a.json".length)), true);
  equal(isTemporaryEnding(".0123abcd.tmp"), true);
  equal(isTemporaryEnding(".bak.0123abcd.tmp"), false);
  equal(isTemporaryEnding(".tmp"), false);
});

const MODULE = new URL("../../../src/base/files/atomic_write.ts", import.meta.url).href;

async function listNames(folder: string): Promise<readonly string[]> {
  return (await Array.fromAsync(Deno.readDir(folder), ({ name }) => name)).sort();
}

Deno.test("writeFileAtomic() makes and replaces a file and leaves no other", () =>
  inTempFolder(async (folder) => {
    const path = join(folder, "a.json");
    for (const data of ["one", new Uint8Array([0, 255, 10]), ""]) {
      await writeFileAtomic(path, data);
      const bytes = typeof data === "string" ? new TextEncoder().encode(data) : data;
      deepEqual(await Deno.readFile(path), bytes);
      deepEqual(await listNames(folder), ["a.json"]);
    }
  }));

Deno.test("writeFileAtomic() gives a new file the asked permissions", () =>
  inTempFolder(async (folder) => {
    const path = join(folder, "secret");
    await writeFileAtomic(path, "x", { mode: 0o600 });
    equal(((await Deno.stat(path)).mode ?? 0) & 0o777, 0o600);
  }));

Deno.test("writeFileAtomic() fails without leaving anything behind", () =>
  inTempFolder(async (folder) => {
    await rejects(writeFileAtomic(join(folder, "absent", "a"), "x"), { code: "io_failed" });
    await Deno.mkdir(join(folder, "taken"));
    await Deno.writeTextFile(join(folder, "taken", "b"), "");
    await rejects(writeFileAtomic(join(folder, "taken"), "x"), { code: "io_failed" });
    deepEqual(await listNames(folder), ["taken"]);
  }));

Deno.test("many writers at once leave one whole file", () =>
  inTempFolder(async (folder) => {
    const path = join(folder, "a");
    const texts = Array.from({ length: 20 }, (_, n) => `${n}`.repeat(50_000));
    await Promise.all(texts.map((text) => writeFileAtomic(path, text)));
    equal(texts.includes(await Deno.readTextFile(path)), true);
    deepEqual(await listNames(folder), ["a"]);
  }));

Deno.test("a reader sees the old content or the new while the writer is killed", () =>
  inTempFolder(async (folder) => {
    const path = join(folder, "a");
    await writeFileAtomic(path, "0".repeat(300_000));
    const code = `import { writeFileAtomic } from "${MODULE}";
      for (let n = 1;; n++) await writeFileAtomic("${path}", String(n % 10).repeat(300_000));`;
    const child = new Deno.Command(Deno.execPath(), { args: ["eval", "--no-lock", code] }).spawn();
    const endsAt = Date.now() + 600;
    const seen = new Set<string>();
    const check = async () => {
      const text = await Deno.readTextFile(path);
      equal(text.length, 300_000);
      equal(new Set(text).size, 1, "no mixture");
      seen.add(text.charAt(0));
    };
    while (Date.now() < endsAt || seen.size < 2) await check();
    killChild(child);
    await child.status;
    await check();
  }));

testNeeding(
  ["mount"],
  "writeFileAtomic() says disk_full and keeps the old content when no byte more fits",
  () =>
    inTempFolder(async (folder) => {
      const path = join(folder, "a");
      await writeFileAtomic(path, "old");
      const full = await writeOnFullDisk(folder);
      equal(full.code, "disk_full", full.code);
      equal(full.content, "old");
      deepEqual(full.names, ["a"], "the temporary file is gone");
    }),
);

/** Writes on a file system of 64 KiB inside a namespace of its own. */
async function writeOnFullDisk(folder: string) {
  const code = `import { writeFileAtomic } from "${MODULE}";
    const path = "${folder}/disk/a";
    await writeFileAtomic(path, "old");
    const code = await writeFileAtomic(path, "x".repeat(1_000_000)).then(() => "none", (e) => e.code);
    const names = Array.from(Deno.readDirSync("${folder}/disk"), (entry) => entry.name);
    console.log(JSON.stringify({ code, content: Deno.readTextFileSync(path), names }));`;
  await Deno.mkdir(join(folder, "disk"));
  const script = 'mount -t tmpfs -o size=64k tmpfs "$1" && exec "$2" eval --no-lock "$3"';
  const { stdout, stderr } = await new Deno.Command("unshare", {
    args: [
      "--user",
      "--map-root-user",
      "--mount",
      "sh",
      "-c",
      script,
      "sh",
      join(folder, "disk"),
      Deno.execPath(),
      code,
    ],
  }).output();
  const text = new TextDecoder().decode(stdout);
  return text === ""
    ? { code: new TextDecoder().decode(stderr), content: "", names: [] }
    : JSON.parse(text) as { code: string; content: string; names: readonly string[] };
}
