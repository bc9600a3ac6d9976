/** What goes into an executable: nothing of the folders is forgotten, and nothing else is taken. */
import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { BUNDLE_FOLDER, ENTRIES } from "../../tools/compile/bundle.ts";
import { HUB_PERMISSIONS, PERMISSIONS } from "../../tools/compile/build.ts";
import { findSection } from "../../tools/compile/pack.ts";
import { FEATURES } from "../../src/features/features.ts";
import { listParts } from "../../tools/compile/parts.ts";
import { cutAfterElf } from "../../tools/compile/runtime.ts";
import { findOwnTarget, TARGETS } from "../../tools/compile/targets.ts";
import { expectNone, readSourceFiles } from "../tidy/source_files.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Files of the folders that stay outside, each with the reason. */
const OUTSIDE: Readonly<Record<string, string>> = {
  "wasm/LICENSES.md": "THIRD_PARTY_LICENSES has its text",
  "models/README.md": "for developers",
  "models/licenses/LICENSE.microsoft-unilm-e5": "THIRD_PARTY_LICENSES has its text",
  "models/licenses/LICENSE.onnxruntime": "THIRD_PARTY_LICENSES has its text",
  "models/licenses/NOTICE.md": "THIRD_PARTY_LICENSES has its text",
};

async function listFolder(folder: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(join(ROOT, folder))) {
    const path = `${folder}/${name}`;
    if (isDirectory) found.push(...await listFolder(path));
    else found.push(path);
  }
  return found;
}

Deno.test("listParts() names every file of wasm, patterns, templates and models, save those that stay outside", async () => {
  const target = findOwnTarget();
  if (target === null) return; // No executable can be made for this machine.
  const parts = await listParts(ROOT, target);
  const names = parts.flatMap(({ files }) => files.map(({ name }) => name));
  const folders = await Promise.all(["wasm", "patterns", "templates", "models"].map(listFolder));
  const expected = folders.flat().filter((path) => !Object.hasOwn(OUTSIDE, path));
  // Templates of features are among the templates; what lies in their own folders is named by them.
  const own = FEATURES.flatMap(({ files = [] }) => files).filter((path) => path.startsWith("src/"));
  const others = ["THIRD_PARTY_LICENSES", "native/ort-wasm-simd-threaded.wasm.bin", ...own];
  const extension = names.filter((name) => /^native\/vec0\.(?:so|dylib|dll)$/.test(name));
  equal(extension.length, 1);
  deepEqual(names.sort(), [...expected, ...others, ...extension].sort());
  for (const { files } of parts) for (const { path } of files) ok((await Deno.stat(path)).isFile);
});

Deno.test("each thread of the source is an entry of the bundle, beside the module that starts it", async () => {
  const files = await readSourceFiles("src");
  const started = files.flatMap(({ path, text }) =>
    [...text.matchAll(/new URL\("\.\/(\w+_worker\.ts)", import\.meta\.url\)/g)]
      .map(([, name]) => path.replace(/[^/]+$/, name ?? ""))
  );
  deepEqual([...started, "src/main.ts"].sort(), [...ENTRIES].sort());
  equal(BUNDLE_FOLDER.split("/").length, 2, "the program's files are two folders up");
  const elsewhere = files.filter(({ path, text }) =>
    path !== "src/base/program_files.ts" && /new URL\([`"']\.\.\//.test(text)
  );
  expectNone(
    elsewhere.map(({ path }) => `${path} reads a file beside the source by itself`),
    "Read it through src/base/program_files.ts.",
  );
});

Deno.test("only try_lock.ts asks for a lock in the way that the compiling Deno does not know", async () => {
  const files = await readSourceFiles("src");
  const callers = files.filter(({ text }) => text.includes(".tryLock(")).map(({ path }) => path);
  deepEqual(callers, ["src/base/processes/lock_file.ts"]);
});

Deno.test("the executable may reach no other machine, and asks nothing", () => {
  deepEqual(PERMISSIONS.filter((word) => /net|import|all$|prompt/.test(word)), [
    "--allow-net=127.0.0.1",
    "--deny-import",
    "--no-prompt",
  ]);
  // That of a hub is another file, which differs in this alone.
  deepEqual(HUB_PERMISSIONS.filter((word) => !(PERMISSIONS as readonly string[]).includes(word)), [
    "--allow-net",
  ]);
  equal(HUB_PERMISSIONS.length, PERMISSIONS.length);
});

Deno.test("every target has a name, an output and an extension of its own", () => {
  for (const key of ["name", "output"] as const) {
    equal(new Set(TARGETS.map((target) => target[key])).size, TARGETS.length);
  }
  equal(new Set(TARGETS.map(({ extension }) => extension.sha256)).size, TARGETS.length);
  for (const { placement, os } of TARGETS) equal(placement, os === "linux" ? "pack" : "embedded");
});

Deno.test("findSection() refuses a file that does not end as Deno writes it", () => {
  let message = "";
  try {
    findSection(new Uint8Array(200));
  } catch (error) {
    message = error instanceof Error ? error.message : "";
  }
  match(message, /does not end as this task knows it/);
});

Deno.test("cutAfterElf() gives the file up to the end of its table of sections", () => {
  const bytes = new Uint8Array(400);
  bytes.set([0x7f, 0x45, 0x4c, 0x46, 2, 1]);
  const view = new DataView(bytes.buffer);
  view.setBigUint64(0x28, 100n, true);
  view.setUint16(0x3a, 64, true);
  view.setUint16(0x3c, 3, true);
  equal(cutAfterElf(bytes).length, 100 + 3 * 64);
});
