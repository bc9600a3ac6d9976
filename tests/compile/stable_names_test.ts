/** The names of the modules in an executable: the same wherever it was made. */
import { deepStrictEqual as deepEqual, match, ok, throws } from "node:assert/strict";
import { toStableModules } from "../../tools/compile/bundle.ts";

/** A bundle as the bundler names it: `hashes` are what it makes of the folder that it works in. */
function toBundle([a, b, c, d]: readonly [string, string, string, string]) {
  return new Map([
    [
      "main.js",
      `import "./chunk-${a}.js"; await import("./mod-${b}.js"); import("./mod-${c}.js");`,
    ],
    // Two doors that differ by nothing but where they lead, and two modules that import each other.
    [`mod-${b}.js`, `export * from "./chunk-${a}.js";`],
    [`mod-${c}.js`, `export * from "./chunk-${d}.js";`],
    [`chunk-${a}.js`, `import "./chunk-${d}.js"; export const a = 1;`],
    [`chunk-${d}.js`, `import "./chunk-${a}.js"; export const d = 2;`],
  ]);
}

Deno.test("toStableModules() gives what was bundled in two folders the same names and texts", () => {
  const one = toStableModules(toBundle(["AAAAAAA1", "BBBBBBB1", "CCCCCCC1", "DDDDDDD1"]));
  const other = toStableModules(toBundle(["ZZZZZZZ2", "YYYYYYY2", "XXXXXXX2", "WWWWWWW2"]));
  deepEqual(new Map([...one].sort()), new Map([...other].sort()));
  ok(one.has("main.js"));
  deepEqual(one.size, 5);
  for (const name of one.keys()) match(name, /^(?:main|(?:mod|chunk)-[0-9a-f]{8})\.js$/);
});

Deno.test("toStableModules() names in each text what is there", () => {
  const modules = toStableModules(toBundle(["AAAAAAA1", "BBBBBBB1", "CCCCCCC1", "DDDDDDD1"]));
  for (const text of modules.values()) {
    for (const [, name = ""] of text.matchAll(/"\.\/([^"]+)"/g)) ok(modules.has(name), name);
  }
});

Deno.test("toStableModules() gives another text another name", () => {
  const before = toStableModules(new Map([["a-AAAAAAAA.js", "1"]]));
  const after = toStableModules(new Map([["a-AAAAAAAA.js", "2"]]));
  ok([...before.keys()][0] !== [...after.keys()][0]);
});

Deno.test("toStableModules() refuses modules that it cannot tell apart, and leaves names that nobody made up", () => {
  const twins = new Map([["a-AAAAAAAA.js", "1"], ["a-BBBBBBBB.js", "1"]]);
  throws(() => toStableModules(twins), /cannot be told apart/);
  const plain = new Map([["main.js", "1"], ["some_worker.ts", "2"]]);
  deepEqual(toStableModules(plain), plain);
});
