/** The permission to call the server's tools: put into a client's settings, left out, taken out. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { buildClaudeMinimum, buildClaudeSetup } from "../../../src/clients/claude_code.ts";
import { buildCodexSetup } from "../../../src/clients/codex.ts";
import type { DesiredEdit } from "../../../src/project/edits/file_edit.ts";
import { applyDesired, undoEdit } from "../../../src/project/edits/file_edit.ts";
import { planInit } from "../../../src/project/setup/init_plan.ts";
import type { PieceRecord } from "../../../src/project/setup/setup_manifest.ts";
import { EMPTY_MANIFEST } from "../../../src/project/setup/setup_manifest.ts";

const INPUT = {
  command: { words: ["code-intel"], isLocal: false },
  projectRoot: "/work/app",
  skills: [],
  block: "# x\n",
  instructionFile: "CLAUDE.md",
};
const LOCAL = { ...INPUT, command: { words: ["/x/code-intel"], isLocal: true } };
const PATH = ".claude/settings.json";

function toWish({ isAsking }: { readonly isAsking: boolean }): DesiredEdit {
  const wish = buildClaudeSetup({ ...INPUT, isAsking }).find(({ path }) => path === PATH);
  if (wish?.kind !== "json") throw new Error("no settings");
  return wish;
}

function put(
  text: string,
  options: { readonly isAsking: boolean; readonly remembered?: readonly PieceRecord[] },
) {
  const result = applyDesired(text, toWish(options), options.remembered ?? []);
  if (result.kind === "refused") throw new Error(result.message);
  const { permissions } = JSON.parse(result.text);
  return { ...result, permissions };
}

function undo(text: string, pieces: readonly PieceRecord[]): string {
  const record = { how: "json", isNew: false, before: null, after: "", pieces } as const;
  return undoEdit(text, record, { isPurge: false }).text;
}

const OWN = '{\n  "permissions": { "deny": ["Bash(rm *)"], "allow": ["Bash(ls)"] }\n}\n';

Deno.test("init lets the client call the server's tools beside what a person allowed, and uninstall takes it out", () => {
  const done = put(OWN, { isAsking: false });
  deepEqual(done.permissions, { deny: ["Bash(rm *)"], allow: ["Bash(ls)", "mcp__code-intel"] });
  const again = put(done.text, { isAsking: false, remembered: done.pieces });
  deepEqual([again.text, again.pieces], [done.text, done.pieces]);
  equal(undo(done.text, done.pieces), OWN);
});

Deno.test("init --no-permissions writes none, and takes out what an earlier run put in", () => {
  equal(put("{}", { isAsking: true }).permissions, undefined);
  const done = put(OWN, { isAsking: false });
  const asking = put(done.text, { isAsking: true, remembered: done.pieces });
  equal(asking.text, put(OWN, { isAsking: true }).text);
  equal(undo(asking.text, asking.pieces), OWN);
});

Deno.test("a permission that a person gave stays, and one that they took out stays out", () => {
  const given = OWN.replace('"Bash(ls)"', '"mcp__code-intel"');
  const done = put(given, { isAsking: false });
  equal(undo(done.text, done.pieces), given);
  equal(put(given, { isAsking: true }).permissions.allow[0], "mcp__code-intel");
  const first = put(OWN, { isAsking: false });
  const taken = first.text.replace(',"mcp__code-intel"', "");
  const again = put(taken, { isAsking: false, remembered: first.pieces });
  deepEqual([again.text, again.kept], [taken, ["permissions.allow"]]);
});

Deno.test("settings whose permissions have another form keep them, and get their hooks", () => {
  const odd = '{ "permissions": { "allow": "all" } }';
  const done = put(odd, { isAsking: false });
  deepEqual([done.permissions, done.kept], [{ allow: "all" }, ["permissions.allow"]]);
  match(done.text, /"PreToolUse"/);
});

Deno.test("the plan says of each client that its tools are called without asking, unless they are not", () => {
  for (const isAsking of [false, true]) {
    const input = { ...INPUT, isAsking };
    const wishes = [...buildClaudeSetup(input), ...buildCodexSetup(input)];
    const told = planInit(wishes, new Map(), EMPTY_MANIFEST)
      .filter(({ reason }) => /without asking each time; --no-permissions/.test(reason ?? ""));
    const paths = isAsking ? [] : [PATH, ".codex/config.toml"];
    deepEqual(told.map(({ path }) => path), paths);
    const [codex] = buildCodexSetup(input);
    equal(codex?.kind === "toml" && /approval_mode = "approve"/.test(codex.body), !isAsking);
  }
});

Deno.test("a try enters the permission for this machine alone, hidden from git, or nothing at all", () => {
  const plan = (isAsking: boolean) =>
    planInit(buildClaudeMinimum({ ...LOCAL, isAsking }), new Map(), EMPTY_MANIFEST);
  deepEqual(plan(false).map(({ path }) => path), [
    "~/.claude.json",
    ".claude/settings.local.json",
    ".claude/.gitignore",
  ]);
  deepEqual(plan(true).map(({ path }) => path), ["~/.claude.json"]);
  equal(plan(false)[2]?.text, "/settings.local.json\n/.gitignore\n");
});
