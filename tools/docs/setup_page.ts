/** `docs/setup.md`: what `init` writes, and what happens to each byte of files that are not its own. */
import { buildClaudeSetup } from "../../src/clients/claude_code.ts";
import { buildCodexSetup } from "../../src/clients/codex.ts";
import type { DesiredFile } from "../../src/clients/setup.ts";
import type { FileState } from "../../src/project/setup/init_plan.ts";
import { planInit, updateManifest } from "../../src/project/setup/init_plan.ts";
import { EMPTY_MANIFEST } from "../../src/project/setup/setup_manifest.ts";
import { PROJECT_TEMPLATES } from "../../src/project/setup/templates.ts";
import { planUninstall } from "../../src/project/setup/uninstall.ts";
import type { ForeignFile } from "../../tests/support/files/foreign_files.ts";
import { EDITED, REFUSED } from "../../tests/support/files/foreign_files.ts";
import { fillPage, toTable, toWord } from "./markdown.ts";

const INPUT = {
  command: { words: ["code-intel"], isLocal: false },
  projectRoot: "/work/app",
  skills: ["code", "exp", "outcome"].map((name) => (
    { name, description: "-", argumentHint: "-", body: "-" }
  )),
  block: "## Working on this code\n",
  instructionFile: "CLAUDE.md",
};
const WISHES: readonly DesiredFile[] = [...buildClaudeSetup(INPUT), ...buildCodexSetup(INPUT)];

const KINDS: Readonly<Record<DesiredFile["kind"], string>> = {
  file: "written whole",
  json: "members added in place",
  toml: "a table added at the end, between markers",
  block: "a block added at the end, between markers",
};

/** The page, from the set-up of each client and from the fixtures of the tests. */
export async function renderSetup(): Promise<string> {
  const files = WISHES.map(({ path, kind }) => [toWord(path), KINDS[kind]]);
  const own = [
    ".gitignore",
    "config.json",
    "config.schema.json",
    "context.yml",
    ...PROJECT_TEMPLATES,
  ];
  const columns = ["bytes", "added", "taken away", "again", "left"];
  return fillPage(await Deno.readTextFile(new URL("setup.md", import.meta.url)), {
    files: toTable(["file", "how"], files),
    own: own.map(toWord).join(", "),
    bytes: toTable(["file before", "path", ...columns], EDITED.map(toRow)),
    refused: toTable(["file", "path", "why"], REFUSED.map(toRefusedRow)),
  });
}

function toRow(file: ForeignFile): readonly string[] {
  const before = String(file.text);
  const wishes = WISHES.filter(({ path }) => path === file.path);
  const first = planInit(wishes, toStates(file.path, before), EMPTY_MANIFEST);
  const after = first[0]?.text ?? before;
  const manifest = updateManifest(EMPTY_MANIFEST, first, []);
  const second = planInit(wishes, toStates(file.path, after), manifest);
  const again = second[0]?.text ?? after;
  const [undo] = planUninstall(manifest, toStates(file.path, again), { isPurge: false });
  const left = undo === undefined || undo.fromCopy ? before : undo.text ?? again;
  return [
    file.name,
    toWord(file.path),
    String(toSize(before)),
    file.isKept ? "0 (kept)" : String(toSize(after) - toSize(before)),
    String(countMissing(before, after)),
    again === after ? "nothing" : "CHANGED",
    left === before ? `identical${undo?.fromCopy ? " (from the copy)" : ""}` : "DIFFERS",
  ];
}

function toRefusedRow(file: ForeignFile): readonly string[] {
  const wishes = WISHES.filter(({ path }) => path === file.path);
  const states = typeof file.text === "string"
    ? toStates(file.path, file.text)
    : new Map([[file.path, { kind: "odd", message: "it is not UTF-8 text" } as const]]);
  const [planned] = planInit(wishes, states, EMPTY_MANIFEST);
  return [file.name, toWord(file.path), planned?.reason ?? "NOT REFUSED"];
}

function toStates(path: string, text: string): ReadonlyMap<string, FileState> {
  return new Map([[path, { kind: "text", text, isReadOnly: false }]]);
}

/** Characters of `before` that do not come in `after` in the same order. */
function countMissing(before: string, after: string): number {
  let at = 0;
  let missing = 0;
  for (const char of before) {
    const found = after.indexOf(char, at);
    if (found < 0) missing++;
    else at = found + char.length;
  }
  return missing;
}

function toSize(text: string): number {
  return new TextEncoder().encode(text).length;
}
