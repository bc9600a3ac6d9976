/** Which repetitions are refused without ripgrep, and which honest ones are not. */
import { strictEqual as equal } from "node:assert/strict";
import { findRunaway } from "../../src/backends/script_pattern.ts";

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
