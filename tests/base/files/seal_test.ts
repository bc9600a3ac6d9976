/** The seal: one key for all processes of a user, and a verdict that tells edited from unknown. */
import {
  deepStrictEqual as deepEqual,
  match,
  ok,
  rejects,
  strictEqual as equal,
} from "node:assert/strict";
import { join } from "node:path";
import { createSeal, createSecretFile } from "../../../src/base/files/seal.ts";
import { inTempFolder } from "../../support/temp_folder.ts";

async function list(folder: string): Promise<readonly string[]> {
  return (await Array.fromAsync(Deno.readDir(folder), ({ name }) => name)).sort();
}

Deno.test("createSecretFile() lets one of many writers win, and leaves nothing beside the file", () =>
  inTempFolder(async (folder) => {
    const path = join(folder, "state", "key");
    await Promise.all(Array.from({ length: 8 }, (_, at) => createSecretFile(path, `text ${at}\n`)));
    const text = await Deno.readTextFile(path);
    equal(/^text \d\n$/.test(text), true);
    await createSecretFile(path, "another\n");
    equal(await Deno.readTextFile(path), text);
    deepEqual(await list(join(folder, "state")), ["key"]);
    if (Deno.build.os !== "windows") equal(((await Deno.stat(path)).mode ?? 0) & 0o777, 0o600);
  }));

Deno.test("createSecretFile() failed for the token where the file system has no hard links", () =>
  inTempFolder(async (folder) => {
    const path = join(folder, "key");
    const { link } = Deno;
    Deno.link = () => Promise.reject(new Error("Operation not permitted (os error 1)"));
    try {
      await createSecretFile(path, "one\n");
      await createSecretFile(path, "two\n");
    } finally {
      Deno.link = link;
    }
    equal(await Deno.readTextFile(path), "one\n");
    deepEqual(await list(folder), ["key"]);
  }));

Deno.test("createSecretFile() says what the system says where nothing can be written", () =>
  inTempFolder(async (folder) => {
    const path = join(folder, "key");
    await Deno.mkdir(path);
    await rejects(createSecretFile(path, "one\n"), /key/);
  }));

const MODULE = new URL("../../../src/base/files/seal.ts", import.meta.url).href;

Deno.test("check() tells a text that fits from one that was edited", () =>
  inTempFolder(async (folder) => {
    const seal = await createSeal(folder).sign("text");
    match(seal ?? "", /^[0-9a-f]{8}:[0-9a-f]{64}$/);
    const other = createSeal(folder);
    const rows: readonly (readonly [text: string, seal: string | null, verdict: string])[] = [
      ["text", seal, "fits"],
      ["texts", seal, "wrong"],
      ["text", null, "absent"],
      ["text", "", "absent"],
      ["text", "00000000:00", "foreign"],
    ];
    for (const [text, stored, verdict] of rows) {
      equal(await other.check(text, stored), verdict, JSON.stringify([text, stored]));
    }
  }));

Deno.test("the key file is private, and nothing is left beside it", () =>
  inTempFolder(async (folder) => {
    const stateDir = join(folder, "deep", "state");
    await createSeal(stateDir).sign("x");
    const names = await Array.fromAsync(Deno.readDir(stateDir), ({ name }) => name);
    deepEqual(names, ["seal.key"]);
    equal(((await Deno.stat(join(stateDir, "seal.key"))).mode ?? 0) & 0o777, 0o600);
  }));

Deno.test("processes that make the key at once end with one key", () =>
  inTempFolder(async (folder) => {
    const code = `import { createSeal } from "${MODULE}";
      console.log(await createSeal("${folder}").sign("x"));`;
    const runs = Array.from(
      { length: 5 },
      () => new Deno.Command(Deno.execPath(), { args: ["eval", "--no-lock", code] }).output(),
    );
    const seals = (await Promise.all(runs)).map(({ stdout }) => new TextDecoder().decode(stdout));
    const own = await Promise.all(
      Array.from({ length: 5 }, () => createSeal(folder).sign("x")),
    );
    equal(new Set([...seals.map((text) => text.trim()), ...own]).size, 1, seals.join());
  }));

Deno.test("a key that was replaced while the process runs is read again", () =>
  inTempFolder(async (folder) => {
    const running = createSeal(folder);
    await running.sign("x");
    await Deno.remove(join(folder, "seal.key"));
    const seal = await createSeal(folder).sign("x");
    equal(await running.check("x", seal), "fits");
  }));

Deno.test("without a usable key sealing is off, with a notice and no failure", () =>
  inTempFolder(async (folder) => {
    const path = join(folder, "seal.key");
    await Deno.writeTextFile(join(folder, "file"), "");
    const rows: readonly (readonly [content: string | null, stateDir: string | null])[] = [
      [null, null],
      [null, join(folder, "file")],
      ["", folder],
      ["code-intel-seal-1 2026-01-01T00:00:00Z abc\n", folder],
      ["code-intel-seal-2 2026-01-01T00:00:00Z " + "0".repeat(64) + "\n", folder],
    ];
    for (const [content, stateDir] of rows) {
      if (content !== null) await Deno.writeTextFile(path, content);
      const seal = createSeal(stateDir);
      equal(await seal.sign("x"), null);
      equal(await seal.check("x", "s"), "off");
      match(await seal.readNotice() ?? "", /^Session files are not sealed: /);
      if (content !== null) equal(await Deno.readTextFile(path), content, "never written over");
    }
    await Deno.remove(path);
    const seal = createSeal(folder);
    equal(await seal.readNotice(), null);
    ok(await seal.sign("x"));
  }));
