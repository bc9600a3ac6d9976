/** Lists compared as multisets. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { without } from "../../src/base/without.ts";

Deno.test("without() takes as many equal entries out as the other list has", () => {
  const toKey = ({ key }: { readonly key: string }) => key;
  const all = ["a", "b", "a"].map((key, at) => ({ key, at }));
  deepEqual(without(all, [{ key: "a" }], toKey), [{ key: "b", at: 1 }, { key: "a", at: 2 }]);
  deepEqual(without(all, [], toKey), all);
});
