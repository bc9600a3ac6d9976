/** Objects read from their files, beside what git says of the same repository. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { isAncestor } from "../../src/git/repository.ts";
import { listTree } from "../../src/git/trees/changes.ts";
import {
  isAncestorByFiles,
  readEntryFile,
  readObjectFile,
  readParentsFile,
  readTreeIdFile,
} from "../../src/git/store_files.ts";
import { createTempRepo } from "../support/temp_repo.ts";

const FILES = Object.fromEntries(
  Array.from({ length: 40 }, (_, at) => [`src/ä${at}.ts`, `${at}\n`]),
);

for (const objectFormat of ["sha1", "sha256"] as const) {
  Deno.test(`objects with files of their own are what git says they are (${objectFormat})`, async () => {
    await using temp = await createTempRepo({ files: { ...FILES, "run.sh": "x\n" }, objectFormat });
    const { repo } = temp;
    const first = await temp.git("rev-parse", "HEAD");
    const second = await temp.commit("Second\n\nparent of nothing", { "new.ts": "n\n" });
    const tree = await temp.git("rev-parse", "HEAD^{tree}");
    equal(readTreeIdFile(repo, second), tree);
    equal(readTreeIdFile(repo, tree), tree);
    deepEqual([readParentsFile(repo, second), readParentsFile(repo, first)], [[first], []]);
    const listed = (await temp.git("ls-tree", "-r", "-z", tree)).split("\0").filter((line) => line);
    equal(listed.length, 42);
    for (const line of listed) {
      const [, mode, oid, path = ""] = /^(\d+) blob (\w+)\t(.*)$/s.exec(line) ?? [];
      deepEqual(readEntryFile(repo, tree, path), { mode, oid }, path);
      equal(new TextDecoder().decode(readObjectFile(repo, oid ?? "")?.body), await temp.read(path));
    }
    for (const path of ["src/none", "none/a", "run.sh/a"]) {
      equal(readEntryFile(repo, tree, path), "absent", path);
    }
    // A folder stands for its files, which git lists.
    for (const path of ["src", "src/", ".", "src/../run.sh"]) {
      equal(readEntryFile(repo, tree, path), null, path);
    }
    equal((await listTree(repo, tree, ["src"])).length, 40);
    deepEqual(
      [[first, second], [second, first], [second, second]]
        .map(([one = "", other = ""]) => isAncestorByFiles(repo, one, other)),
      [true, false, true],
    );
  });
}

Deno.test("what lies in a pack, is damaged, cut off or rewritten is left to git", async () => {
  await using temp = await createTempRepo({ files: { a: "a\n" } });
  const { repo } = temp;
  const first = await temp.git("rev-parse", "HEAD");
  const blob = await temp.git("rev-parse", "HEAD:a");
  await temp.git("gc", "-q");
  const second = await temp.commit("Second", { a: "b\n" });
  deepEqual([readObjectFile(repo, first), readTreeIdFile(repo, first)], [null, null]);
  deepEqual([isAncestorByFiles(repo, first, second), await isAncestor(repo, second, first)], [
    true,
    false,
  ]);
  equal(isAncestorByFiles(repo, blob, second), null);
  const toPath = (id: string) => join(repo.gitDir, "objects", id.slice(0, 2), id.slice(2));
  const other = await temp.git("rev-parse", "HEAD:a");
  // The file of one object under the name of another one, and no object at all.
  await temp.remove(".git/objects/" + other.slice(0, 2) + "/" + other.slice(2));
  await Deno.copyFile(toPath(second), toPath(other));
  equal(readObjectFile(repo, other), null);
  await temp.remove(".git/objects/" + other.slice(0, 2) + "/" + other.slice(2));
  await Deno.writeTextFile(toPath(other), "no object");
  equal(readObjectFile(repo, other), null);
  equal(readObjectFile(repo, "HEAD"), null);
  await temp.write({ ".git/shallow": `${second}\n` });
  equal(readParentsFile(repo, second), null);
});
