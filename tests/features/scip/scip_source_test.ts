/** Index files on the disk: there, gone, replaced, and in the place of others. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { ScipSource } from "../../../src/features/scip/scip_source.ts";
import type { ScipState } from "../../../src/features/scip/scip_source.ts";
import { readMarked, writeScip } from "./scip_writer.ts";
import { giveUp } from "../../support/temp_folder.ts";

const WAIT_MS = 30_000;

interface Folder extends AsyncDisposable {
  readonly root: string;
  readonly source: ScipSource;
}

async function makeFolder(paths: readonly string[] = ["index.scip"]): Promise<Folder> {
  const root = await Deno.realPath(await Deno.makeTempDir());
  const source = new ScipSource({ projectRoot: root, loadPaths: () => Promise.resolve(paths) });
  return { root, source, [Symbol.asyncDispose]: () => giveUp(root) };
}

function bytesOf(...paths: readonly string[]): Uint8Array {
  return writeScip(paths.map((path) => readMarked(path, "«!f|s m n v f().»").document));
}

function filesOf(state: ScipState): readonly string[] {
  return state.kind === "read" ? state.trust.index.documents.map(({ path }) => path) : [state.kind];
}

Deno.test("ScipSource reads an index file once, and again when it is another one", async () => {
  await using folder = await makeFolder();
  const { root, source } = folder;
  equal((await source.read(WAIT_MS)).kind, "absent");
  await Deno.writeFile(join(root, "index.scip"), bytesOf("a.ts"));
  const first = await source.read(WAIT_MS);
  deepEqual(filesOf(first), ["a.ts"]);
  equal(await source.read(WAIT_MS), first, "the same state, not read again");
  await Deno.writeFile(join(root, "index.scip"), bytesOf("a.ts", "b.ts"));
  deepEqual(filesOf(await source.read(WAIT_MS)), ["a.ts", "b.ts"]);
  await Deno.remove(join(root, "index.scip"));
  equal((await source.read(WAIT_MS)).kind, "absent");
});

Deno.test("ScipSource reads several files, each below its own folder", async () => {
  await using folder = await makeFolder(["index.scip", "web/index.scip", "gone/index.scip"]);
  const { root, source } = folder;
  await Deno.mkdir(join(root, "web"));
  await Deno.writeFile(join(root, "index.scip"), bytesOf("a.go"));
  await Deno.writeFile(join(root, "web", "index.scip"), bytesOf("b.ts"));
  deepEqual(filesOf(await source.read(WAIT_MS)), ["a.go", "web/b.ts"]);
});

Deno.test("ScipSource refuses what is no index file, a folder, and a link that leads out of the project", async () => {
  await using folder = await makeFolder();
  await using other = await makeFolder();
  const path = join(folder.root, "index.scip");
  const refused = async () => {
    const state = await folder.source.read(WAIT_MS);
    return state.kind === "refused" ? `${state.path}: ${state.reason}` : state.kind;
  };
  await Deno.writeTextFile(path, "404: Not Found");
  equal(await refused(), "index.scip: it is no SCIP index");
  await Deno.remove(path);
  await Deno.mkdir(path);
  equal(await refused(), "index.scip: it is a folder");
  await Deno.remove(path);
  await Deno.writeFile(join(other.root, "index.scip"), bytesOf("a.ts"));
  await Deno.symlink(join(other.root, "index.scip"), path);
  equal(
    await refused(),
    "index.scip: it is a symbolic link, or lies behind one, that leads out of its folder",
  );
});

Deno.test("ScipSource never looks outside the project, whatever path is named", async () => {
  await using other = await makeFolder();
  await Deno.writeFile(join(other.root, "index.scip"), bytesOf("a.ts"));
  await using folder = await makeFolder([join(other.root, "index.scip"), "../../index.scip"]);
  equal((await folder.source.read(WAIT_MS)).kind, "absent");
});

Deno.test("ScipSource lets an answer go on without a file that takes longer, and has it for the next", async () => {
  await using folder = await makeFolder();
  const paths = Array.from({ length: 4_000 }, (_, at) => `src/f${at}.ts`);
  await Deno.writeFile(join(folder.root, "index.scip"), bytesOf(...paths));
  equal((await folder.source.read(0)).kind, "reading");
  equal(filesOf(await folder.source.read(WAIT_MS)).length, paths.length);
});
