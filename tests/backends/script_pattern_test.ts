/** Patterns of ripgrep as JavaScript expressions. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { compileScriptPattern, findRunaway } from "../../src/backends/script_pattern.ts";

const nest = (depth: number) => `${"(".repeat(depth)}a${"+)".repeat(depth)}+$`;

const RUNAWAY = [
  "^(a+)+$",
  "(a*)*b",
  "(?:\\w+\\s?)+=",
  "(\\w+\\s*)*;",
  "(x|b+)+c",
  "(.*,)*x",
  "((a.*)b)*c",
  "(a+){2,}$",
  "(a+){1,40}$",
  "(?P<name>[a-z]+)*=",
  "((a+)?)*b",
  "(a+)+".repeat(30),
  nest(30),
];
const HONEST = [
  "(a+)+",
  "x(\\w+\\s?)+",
  "(\\s+\\w+)*;",
  "(\\w+\\.)+\\w+\\(",
  "([^,]*,)+x",
  '("[^"]*")*$',
  "(a|b)*c",
  "(ab?)+c",
  "(a+){2}$",
  "[(a+)+]x",
  "\\(a+\\)+b",
  "function (\\w+)\\(.*\\)",
  "(?i)todo.*:",
  "a)b(",
];

Deno.test("findRunaway() finds what can be divided in countless ways, and nothing else", () => {
  for (const pattern of RUNAWAY) equal(findRunaway(pattern) !== null, true, pattern);
  for (const pattern of HONEST) equal(findRunaway(pattern), null, pattern);
});

const QUERY = {
  patterns: [],
  caseSensitive: true,
  fixed: false,
  wholeWord: false,
  contextLines: 0,
};

function check(pattern: string, text: string, expected: string | null): void {
  Deno.test(`compileScriptPattern() of ${JSON.stringify(pattern)} finds ${expected} in ${text}`, () => {
    const made = compileScriptPattern(pattern, QUERY);
    equal(made.kind, "pattern");
    equal(made.kind === "pattern" ? text.match(made.expression)?.[0] ?? null : undefined, expected);
  });
}

check("a]", "xa]", "a]");
check("a}", "a}", "a}");
check("\\w+", "héllo wörld", "héllo");
check("\\b日本\\b", "x 日本 y", "日本");
check("(?i)ABC", "xabc", "abc");
check("(?P<year>\\d{4})", "in 2024", "2024");
check("[\\w-]+", "a-b c", "a-b");
check("[]a]+", "x]a", "]a");
check("\\-x", "-x", "-x");
check("x{2,3}", "xxxx", "xxx");
check("\\x{41}b", "Ab", "Ab");
check("\\Aabc\\z", "abc", "abc");

function checkInvalid(pattern: string, position: number | undefined): void {
  Deno.test(`compileScriptPattern() refuses ${JSON.stringify(pattern)} at ${position}`, () => {
    const made = compileScriptPattern(pattern, QUERY);
    equal(made.kind, "invalid");
    equal(made.kind === "invalid" ? made.position : 0, position);
  });
}

checkInvalid("[[:alpha:]]", 2);
checkInvalid("a\\n", 2);
checkInvalid("(", undefined);
checkInvalid("(a)\\1", 4);
checkInvalid("\\<def\\>", 1);
checkInvalid("x(?=a)", 2);
checkInvalid("(?<!x)a", 1);
checkInvalid("x(?s:a)", 2);

Deno.test("compileScriptPattern() takes fixed text literally and words as wholes", () => {
  const made = compileScriptPattern("a.b", { ...QUERY, fixed: true, wholeWord: true });
  const found = made.kind === "pattern" ? [..."a.b xa.b axb".matchAll(made.expression)] : [];
  deepEqual(found.map((match) => match.index), [0]);
});

Deno.test("compileScriptPattern() refuses at once what the matcher would compute on for ever", () => {
  const made = compileScriptPattern("(a+)+b", QUERY);
  equal(made.kind === "invalid" && made.reason.startsWith('"(a+)+" divides'), true);
  equal(compileScriptPattern("(a+)+", QUERY).kind, "pattern");
  equal(compileScriptPattern("(a+)+", { ...QUERY, wholeWord: true }).kind, "invalid");
});
