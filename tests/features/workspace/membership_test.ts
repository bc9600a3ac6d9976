/** The list of a workspace, as a file in the user's state folder. */
import { deepStrictEqual as deepEqual, rejects, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { chooseName, Membership } from "../../../src/features/workspace/membership.ts";
import { giveUp } from "../../support/temp_folder.ts";

Deno.test("Membership keeps what two processes add at once, ends with its last member, and takes no other file", async () => {
  const state = await Deno.makeTempDir({ prefix: "code-intel-state-" });
  try {
    const list = new Membership("/p/own", state);
    equal(list.read(), null);
    const other = new Membership("/p/own", state);
    await Promise.all([list.add(["/p/a/util", "/p/a/util"]), other.add(["/p/b/util", "/p/web"])]);
    const kept = list.read() ?? [];
    deepEqual(kept.map(({ root }) => root).sort(), ["/p/a/util", "/p/b/util", "/p/web"]);
    equal(new Set(kept.map(({ name }) => name)).size, 3);
    equal(new Membership("/p/other", state).read(), null);
    await list.remove(["web"]);
    deepEqual((other.read() ?? []).map(({ root }) => root).sort(), ["/p/a/util", "/p/b/util"]);
    await list.remove(["/p/a/util", "/p/b/util"]);
    equal(list.read(), null);
    await list.add([]);
    deepEqual(list.read(), []);

    const [folder] = await Array.fromAsync(Deno.readDir(join(state, "workspaces")));
    const file = join(state, "workspaces", folder?.name ?? "", "members.json");
    for (const text of ["{", `{"form": 2, "project": "/p/own", "members": []}`, "[]"]) {
      await Deno.writeTextFile(file, text);
      equal(list.read(), null, text);
    }
    await rejects(list.add(Array.from({ length: 101 }, (_, at) => `/p/${at}`)), /at most 100/);
    await rejects(new Membership("/p/own", null).add(["/p/a"]), /no home folder/);
  } finally {
    await giveUp(state);
  }
});

Deno.test("chooseName() takes as much of a path as tells it from the others", () => {
  equal(chooseName("/p/a/util", []), "util");
  equal(chooseName("/p/a/util", ["util"]), "a/util");
  equal(chooseName("/q/a/util", ["util", "a/util"]), "q/a/util");
  equal(chooseName("/util", ["util"]), "util-1");
  equal(chooseName("/", []), "root");
});
