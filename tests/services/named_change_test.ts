/** Names of which one would be passed over are refused. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { nameChange } from "../../src/services/named_change.ts";

Deno.test("nameChange() takes one change, and refuses two", () => {
  const read = (named: Partial<Parameters<typeof nameChange>[0]>) => {
    const change = nameChange({ isStaged: false, ...named });
    return "code" in change ? change.message : change.kind;
  };
  deepEqual([
    read({}),
    read({ base: "main" }),
    read({ isStaged: true, base: "main" }),
    read({ commit: "HEAD", base: "main" }),
    read({ range: "a..b" }),
  ], ["worktree", "worktree", "staged", "commit", "range"]);
  const refused = "One change is proven, not several: ";
  deepEqual([
    read({ range: "a..b", isStaged: true }),
    read({ range: "a..b", base: "main" }),
    read({ commit: "HEAD", isStaged: true }),
  ], [`${refused}RANGE and staged`, `${refused}RANGE and base`, `${refused}commit and staged`]);
});
