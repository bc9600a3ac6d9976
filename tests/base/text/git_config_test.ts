/** Settings in git's form: what git reads is read alike. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { parseConfig } from "../../../src/base/text/git_config.ts";
import { createTempRepo } from "../../support/temp_repo.ts";

const TEXT = `; a comment
[core]
\tattributesFile = /a/b ; mine
  ExcludesFile="quoted \\"x\\" # kept"   # gone
[include] path = ~/inc
[includeIf "gitdir:~/Work \\"x\\"/"]
  path = two\\
words
[Old.Section]
  flag
  empty =
  spaces = a  b\t
  half = "  a  "  b
`;

Deno.test("parseConfig() reads sections, quotes, comments, and lines that go on, as git does", async () => {
  await using temp = await createTempRepo();
  await temp.write({ odd: TEXT });
  const listed = await temp.git("config", "-z", "--file", "odd", "--list");
  const expected = listed.split("\0").filter((row) => row !== "").map((row) => {
    const [key = "", ...value] = row.split("\n");
    return { key, value: value.join("\n") };
  });
  deepEqual(parseConfig(TEXT), expected);
});

Deno.test("parseConfig() passes over what git would refuse", () => {
  deepEqual(parseConfig("garbage[\nx = 1\n[a\n[ok]\ny = 2\n"), [{ key: "ok.y", value: "2" }]);
});
