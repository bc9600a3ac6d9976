/** Command lines into options and positionals, and every problem named. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import type { Command } from "../../src/cli/command.ts";
import { parseLine } from "../../src/cli/parse.ts";

const COMMAND: Command = {
  usage: "PATTERN...",
  positionals: [1, 2],
  example: "",
  options: [
    { name: "path", kind: "text", summary: "" },
    { name: "max-results", kind: "number", summary: "" },
    { name: "http", kind: "number", value: "PORT", fallback: "0", summary: "" },
    { name: "glob", kind: "list", summary: "" },
    { name: "fixed", kind: "flag", short: "F", summary: "" },
    { name: "no-verify", kind: "flag", summary: "" },
    { name: "mode", kind: "text", values: ["fast", "full"], summary: "" },
  ],
  run: () => Promise.resolve(0),
};

function check(words: readonly string[], expected: unknown): void {
  const line = parseLine(words, COMMAND);
  deepEqual(line.kind === "line" ? [line.options, line.positionals] : line.problems, expected);
}

Deno.test("parseLine() reads options of every kind and positionals", () => {
  check(["a", "--path", "src", "--max-results=5", "--glob", "*.ts", "--glob=*.js", "-F"], [
    { path: "src", "max-results": 5, glob: ["*.ts", "*.js"], fixed: true },
    ["a"],
  ]);
  check(["a", "--no-verify"], [{ "no-verify": true }, ["a"]]);
  check(["--json", "--", "--path", "-x"], [{ json: true }, ["--path", "-x"]]);
});

Deno.test("parseLine() gives an option with a fallback its value where none follows", () => {
  check(["a", "--http"], [{ http: 0 }, ["a"]]);
  check(["--http", "--fixed", "a"], [{ http: 0, fixed: true }, ["a"]]);
  check(["--http", "8080", "a"], [{ http: 8080 }, ["a"]]);
  check(["--http", "--", "a"], [{ http: 0 }, ["a"]]);
  check(["--", "--http"], [{}, ["--http"]]);
  check(["a", "--http", "many"], ['--http takes a whole number from 0 on, not "many"']);
});

Deno.test("parseLine() names every problem at once", () => {
  check(["--max-results", "many", "--fxed", "--mode", "ful"], [
    '--max-results takes a whole number from 0 on, not "many"',
    'Unknown option "--fxed". Did you mean "--fixed"?',
    '--mode takes fast, full, not "ful". Did you mean "full"?',
    "Too few arguments: give PATTERN...",
  ]);
  check(["a", "--fixed=yes"], ["--fixed takes no value"]);
  check(["a", "--path"], ["--path needs a value: --path=VALUE"]);
  check(["a", "b", "c"], ['Too many arguments: "c" is not expected']);
  check(["a", "-zq"], [
    'Unknown option "-z". (a value that begins with "-" goes after "--")',
    'Unknown option "-q". (a value that begins with "-" goes after "--")',
  ]);
});
