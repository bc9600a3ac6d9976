/** What no tool may ever see. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { checkJson } from "../../src/tools/arguments.ts";

function check(value: unknown, expected: readonly (readonly [code: string, at?: string])[]): void {
  deepEqual(checkJson(value).map(({ code, at }) => (at === undefined ? [code] : [code, at])), [
    ...expected.map((row) => [...row]),
  ]);
}

function toDeep(depth: number): unknown {
  let value: unknown = "leaf";
  for (let level = 0; level < depth; level++) value = [value];
  return value;
}

Deno.test("checkJson() accepts plain values, names with odd letters and emoji", () => {
  check({ a: [1, null, true, { b: "text 😀 日本語" }], "--option": "-rf" }, []);
});

Deno.test("checkJson() refuses NUL and half surrogate pairs in values and keys", () => {
  check({ a: "x\0y" }, [["invalid_value", "a"]]);
  check({ a: { b: ["\ud800"] } }, [["invalid_value", "a.b[0]"]]);
  check({ "k\0": 1 }, [["invalid_value", "k\0"]]);
});

Deno.test("checkJson() refuses keys that reach into prototypes", () => {
  check(JSON.parse('{"a":{"__proto__":{"isAdmin":true}}}'), [
    ["unknown_parameter", "a.__proto__"],
  ]);
});

Deno.test("checkJson() refuses deep nesting without exhausting the stack", () => {
  check(toDeep(20), []);
  equal(checkJson({ data: toDeep(200_000) })[0]?.code, "too_long");
});

Deno.test("checkJson() refuses more than a megabyte in all", () => {
  check({ a: "x".repeat(1_000_000) }, []);
  check({ a: "x".repeat(1_100_000) }, [["too_long"]]);
  check({ a: "é".repeat(600_000) }, [["too_long"]]);
});

Deno.test("checkJson() names at most twenty problems", () => {
  equal(checkJson({ list: Array.from({ length: 500 }, () => "\0") }).length, 20);
});
