/** Rows of verification commands, and which of them apply. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { checkConfigText } from "../../../src/base/settings/config.ts";
import {
  isWrittenBy,
  parseVerifyCommands,
  selectCommands,
} from "../../../src/evidence/runs/verify_commands.ts";

const ROWS = [
  { name: "lint", run: ["npm", "run", "lint"], timeout_s: 60 },
  { name: "web", run: ["npm", "test"], paths: ["web/**", "*.css"], timeout_s: 1800 },
  { name: "go", run: ["go", "test"], paths: ["**/*.go"], writes: ["cover/**"], timeout_s: 1.5 },
];

Deno.test("parseVerifyCommands() gives rows with times in milliseconds and null for always", () => {
  const { commands, problems } = parseVerifyCommands(ROWS);
  deepEqual(problems, []);
  deepEqual(commands[0], {
    name: "lint",
    run: ["npm", "run", "lint"],
    paths: null,
    writes: [],
    timeoutMs: 60_000,
  });
  deepEqual([commands[2]?.timeoutMs, commands[2]?.writes], [1500, ["cover/**"]]);
});

Deno.test("parseVerifyCommands() refuses a name that comes twice and names a broken glob", () => {
  const { commands, problems } = parseVerifyCommands([
    { name: "a", run: ["x"], paths: ["src/[a"], timeout_s: 1 },
    { name: "a", run: ["y"], timeout_s: 1 },
    { name: "b", run: ["z"], writes: ["{a", "b"], timeout_s: 1 },
  ]);
  deepEqual(commands.map(({ name, run, paths, writes }) => [name, run, paths, writes]), [
    ["a", ["x"], null, []],
    ["b", ["z"], null, ["b"]],
  ]);
  deepEqual(problems.map(({ code, at }) => [code, at]), [
    ["config_invalid", "verify.0.paths.0"],
    ["config_invalid", "verify.1.name"],
    ["config_invalid", "verify.2.writes.0"],
  ]);
});

Deno.test("selectCommands() takes a command when any changed path matches, or always", () => {
  const { commands } = parseVerifyCommands(ROWS);
  const rows: readonly (readonly [paths: readonly string[], names: readonly string[]])[] = [
    [[], ["lint"]],
    [["README.md"], ["lint"]],
    [["web/a/b.ts"], ["lint", "web"]],
    [["a/b/site.css"], ["lint", "web"]],
    [["web"], ["lint"]],
    [["README.md", "cmd/x.go"], ["lint", "go"]],
    [["main.go", "web/x"], ["lint", "web", "go"]],
  ];
  for (const [paths, names] of rows) {
    deepEqual(selectCommands(commands, paths).map(({ name }) => name), names, paths.join());
  }
});

Deno.test("isWrittenBy() holds only for the command's own globs", () => {
  const { commands: [lint, , go] } = parseVerifyCommands(ROWS);
  if (lint === undefined || go === undefined) throw new Error("three rows were given");
  equal(isWrittenBy(go, "cover/out/a.html"), true);
  equal(isWrittenBy(go, "src/cover.go"), false);
  equal(isWrittenBy(lint, "cover/a"), false);
});

Deno.test("checkConfigText() keeps the first row of verify of a name that comes twice", () => {
  const { values, warnings } = checkConfigText(
    '{"verify": [{"name": "a", "run": ["x"]}, {"name": "a", "run": ["y"]}]}',
  );
  deepEqual(values.verify.map(({ run }) => run), [["x"]]);
  deepEqual(warnings.map(({ at }) => at), ["verify.1.name"]);
});
