/** How large a request is judged to be, and when its work is more than that. */
import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import type { ChangedFile, ScaleFacts } from "../../src/phase/facts.ts";
import type { SizeInput } from "../../src/phase/size.ts";
import { findGrowth, formatSizeNote, judgeSize } from "../../src/phase/size.ts";
import { CHANGE } from "./samples.ts";

const SCALE: ScaleFacts = {
  places: 1,
  missing: 0,
  files: ["src/auth.ts"],
  users: 2,
  tests: 1,
  reverted: 0,
  troubled: 0,
};

function judge(scale: Partial<ScaleFacts>, rest: Partial<SizeInput> = {}) {
  return judgeSize({
    intent: "MODIFY",
    flags: {},
    gateLevel: "auto",
    risk: "MEDIUM",
    scale: { ...SCALE, ...scale },
    ...rest,
  });
}

Deno.test("judgeSize() calls small what is certain, large what has two signs of risk, the rest usual", () => {
  const rows:
    readonly (readonly [level: string, scale: Partial<ScaleFacts>, rest?: Partial<SizeInput>])[] = [
      ["small", {}],
      ["usual", { places: 0, missing: 1 }],
      ["usual", { missing: 1 }],
      ["usual", { places: 9 }],
      ["usual", { files: ["a.ts", "b.ts", "c.ts"] }],
      ["usual", { users: 9 }],
      ["usual", { tests: 0 }],
      ["usual", { reverted: 1 }],
      ["usual", { troubled: 1 }],
      ["usual", {}, { risk: "HIGH" }],
      ["large", { users: 40 }, { risk: "HIGH" }],
      ["large", { users: 40, reverted: 2 }],
      ["large", { troubled: 1 }, { risk: "HIGH" }],
    ];
  for (const [level, scale, rest] of rows) {
    equal(judge(scale, rest)?.level, level, JSON.stringify([scale, rest]));
  }
});

Deno.test("judgeSize() counts the uses in the same file where no other file has one", () => {
  match(
    judge({ users: 0, ownUses: 3 })?.because ?? "",
    /in 1 file, 3 uses in the same file, 1 test file/,
  );
  match(judge({ users: 2, ownUses: 3 })?.because ?? "", /, 2 users, /);
});

Deno.test("judgeSize() judges nothing where the steps are fixed or too little is known", () => {
  const rows: readonly Partial<SizeInput>[] = [
    { gateLevel: "full" },
    { flags: { fast: true } },
    { flags: { quick: true } },
    { flags: { only_explore: true } },
    { intent: "QUESTION" },
    { scale: null },
  ];
  deepEqual(rows.map((rest) => judge({}, rest)), rows.map(() => null));
});

Deno.test("formatSizeNote() says the facts, and how the person asks for more", () => {
  const size = judge({});
  ok(size !== null);
  const text = formatSizeNote(size);
  for (const part of ["small: 1 definition in 1 file", "2 users, 1 test file", "gate_level"]) {
    ok(text.includes(part), text);
  }
});

Deno.test("findGrowth() tells of code beyond a small request, not of tests and documents", () => {
  const small = { level: "small", because: "" } as const;
  const named = (
    paths: readonly string[],
    rest: Partial<ChangedFile> = {},
  ): readonly ChangedFile[] =>
    paths.map((path) => ({ ...CHANGE, path: path as ChangedFile["path"], ...rest }));
  const five = ["a", "b", "c", "d", "e"];
  const code = named(five.map((name) => `src/${name}.ts`));
  equal(findGrowth(small, code), "5 files of code changed");
  equal(findGrowth(small, named(["src/a.ts"], { lines: 400 })), "400 lines of code changed");
  equal(findGrowth(small, named(["src/a.ts"], { lines: 40 })), null);
  equal(findGrowth(small, named(five.map((name) => `docs/${name}.md`), { lines: 400 })), null);
  equal(findGrowth(small, named(five.map((name) => `${name}_test.ts`), { isTest: true })), null);
  equal(findGrowth({ level: "usual", because: "" }, code), null);
  equal(findGrowth(undefined, code), null);
});
