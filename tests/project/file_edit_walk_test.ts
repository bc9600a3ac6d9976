/**
 * Edits of random files of other people: after `init` our entries are active and every byte of the person is
 * there in its order, a second `init` changes nothing, an upgrade replaces only our own, and `uninstall`
 * brings every byte back. `TEST_SEED=n` takes n, `TEST_SEED=new` a seed by the time.
 */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import type { ParseError } from "jsonc-parser";
import { parse } from "jsonc-parser";
import type { DesiredFile } from "../../src/clients/setup.ts";
import { buildClaudeSetup } from "../../src/clients/claude_code.ts";
import { buildCodexSetup } from "../../src/clients/codex.ts";
import type { DesiredEdit } from "../../src/project/edits/file_edit.ts";
import { applyDesired, undoEdit } from "../../src/project/edits/file_edit.ts";
import type { EditRecord, PieceRecord } from "../../src/project/setup/setup_manifest.ts";
import { parseTomlText } from "../../src/project/edits/block_edit.ts";
import type { Draw } from "../support/files/random_files.ts";
import {
  createDraw,
  pick,
  writeJson,
  writeMarkdown,
  writeToml,
} from "../support/files/random_files.ts";

const GIVEN = Deno.env.get("TEST_SEED");
const SEED = GIVEN === "new" ? Date.now() % 2 ** 31 : Number(GIVEN ?? "20260101");
/** How many files a seed gives: few in the gate, many where somebody looks for new faults. */
const TIMES = GIVEN === undefined ? 1 : 10;

interface Kind {
  readonly path: string;
  readonly write: (draw: Draw) => string;
  /** Which of our values a client finds in the text, as it reads it. */
  readonly findOurs: (text: string, wish: DesiredEdit) => number;
  /** How many there are to find. */
  readonly count: number;
  /** How many of them no upgrade changes. */
  readonly lasting?: number;
  readonly cases: number;
  /** Lines that a person may put behind everything. */
  readonly note: string;
}

const KINDS: readonly Kind[] = [
  {
    path: ".mcp.json",
    write: (draw) => writeJson(draw, ["mcpServers"]),
    findOurs: findJson,
    count: 1,
    cases: 150,
    note: "\n// a note",
  },
  {
    path: ".claude/settings.json",
    write: (draw) => writeJson(draw, ["hooks", "permissions"]),
    findOurs: findJson,
    count: 7,
    lasting: 1,
    cases: 30,
    note: "\n/* a note */\n",
  },
  {
    path: ".codex/config.toml",
    write: writeToml,
    findOurs: findToml,
    count: 1,
    cases: 150,
    note: "\n# note\n",
  },
  {
    path: "CLAUDE.md",
    write: writeMarkdown,
    findOurs: findBlock,
    count: 1,
    cases: 300,
    note: "\n- note\n",
  },
];

for (const { path, ...kind } of KINDS) {
  Deno.test(`a random ${path} is edited, edited again, upgraded and brought back (TEST_SEED=${SEED})`, () => {
    const draw = createDraw(SEED);
    for (let at = 0; at < kind.cases * TIMES; at++) {
      const text = kind.write(draw);
      try {
        checkText(text, { path, ...kind }, draw);
      } catch (failure) {
        throw new Error(`case ${at} of TEST_SEED=${SEED}: ${JSON.stringify(text)}`, {
          cause: failure,
        });
      }
    }
  });
}

function checkText(text: string, kind: Kind, draw: Draw): void {
  const [wish, later] = [NOW, LATER].map((words) => toWish(kind.path, words)) as [
    DesiredEdit,
    DesiredEdit,
  ];
  const after = put(text, wish, []);
  checkBytes(text, after.text);
  equal(kind.findOurs(after.text, wish), kind.count, `not active: ${after.text}`);
  const again = put(after.text, wish, after.pieces);
  equal(again.text, after.text, "a second init changes bytes");
  deepEqual(again.pieces, after.pieces);
  const upgraded = put(after.text, later, after.pieces);
  checkBytes(text, upgraded.text);
  equal(kind.findOurs(upgraded.text, later), kind.count, `not upgraded: ${upgraded.text}`);
  equal(
    kind.findOurs(upgraded.text, wish),
    kind.lasting ?? 0,
    `an old entry stays: ${upgraded.text}`,
  );
  if (!after.text.includes("\r") && !isBlank(text)) {
    const cloned = put(toCrlf(after.text), wish, after.pieces);
    equal(cloned.text, toCrlf(after.text), "a clone with other line ends is edited");
    equal(take(cloned.text, wish, after.pieces), toCrlf(text));
  }
  for (const { text: own, pieces } of [after, upgraded]) {
    // Lines that a person wrote round an empty file are all that is left of it.
    const notes = isBlank(text) ? [""] : ["", kind.note];
    const [first, behind] = [pick(draw, ["", "", "\n"]), pick(draw, notes)];
    const mark = own.startsWith("\uFEFF") ? "\uFEFF" : "";
    const edited = mark + first + own.slice(mark.length) + behind;
    const back = take(edited, wish, pieces);
    equal(kind.findOurs(back, wish) + kind.findOurs(back, later), 0, `still active: ${back}`);
    if (isBlank(text) && wish.kind === "json") {
      deepEqual(readJson(back), {}, "an empty file becomes an empty object");
    } else equal(back, mark + first + text.slice(mark.length) + behind);
  }
}

function put(
  text: string,
  wish: DesiredEdit,
  remembered: readonly PieceRecord[],
): { readonly text: string; readonly pieces: readonly PieceRecord[] } {
  const result = applyDesired(text, wish, remembered);
  if (result.kind === "refused") throw new Error(`refused: ${result.message}`);
  deepEqual(result.kept, []);
  return result;
}

function take(text: string, { kind: how }: DesiredEdit, pieces: readonly PieceRecord[]): string {
  const record: EditRecord = { how, isNew: false, before: null, after: "", pieces };
  const { text: back, kept } = undoEdit(text, record, { isPurge: false });
  deepEqual(kept, []);
  return back;
}

/** How the program is called; other words stand for the templates of another version. */
const NOW = ["code-intel"];
const LATER = ["deno", "run", "/later/src/main.ts"];

/** What the program wants of a file. */
function toWish(path: string, words: readonly string[]): DesiredEdit {
  const input = {
    command: { words, isLocal: false },
    projectRoot: "/project",
    skills: [],
    block: `# ${words.join(" ")}\n\nText.\n`,
    instructionFile: "CLAUDE.md",
  };
  const wishes: readonly DesiredFile[] = [...buildClaudeSetup(input), ...buildCodexSetup(input)];
  const wish = wishes.find((one) => one.path === path);
  if (wish === undefined || wish.kind === "file") throw new Error(`nothing is wanted of ${path}`);
  return wish;
}

function checkBytes(before: string, after: string): void {
  let at = 0;
  for (const char of before) {
    at = after.indexOf(char, at) + 1;
    ok(at > 0, `a byte of the person is gone: ${after}`);
  }
  if (/\r\n/.test(before) && !/[^\r]\n/.test(before)) ok(!/[^\r]\n/.test(after), "mixed line ends");
}

/** As git writes a file into a clone with `core.autocrlf=true`. */
function toCrlf(text: string): string {
  return text.replaceAll("\n", "\r\n");
}

function isBlank(text: string): boolean {
  return text.replace("\uFEFF", "").trim() === "";
}

function readJson(text: string): unknown {
  const errors: ParseError[] = [];
  const options = { allowTrailingComma: true, allowEmptyContent: true };
  const value: unknown = parse(text.replace("\uFEFF", ""), errors, options);
  deepEqual(errors, [], text);
  return value;
}

function findJson(text: string, wish: DesiredEdit): number {
  const value = readJson(text);
  if (wish.kind !== "json") return 0;
  return wish.pieces.filter(({ at, value: wanted, isHookGroup, isItem }) => {
    const found = at.reduce((inner, key) => (inner as Record<string, unknown>)?.[key], value);
    const isMember = isHookGroup !== true && isItem !== true;
    const candidates = isMember ? [found] : Array.isArray(found) ? found : [];
    return candidates.filter((one) => JSON.stringify(one) === JSON.stringify(wanted)).length === 1;
  }).length;
}

function findToml(text: string, wish: DesiredEdit): number {
  const parsed = parseTomlText(text);
  if (parsed.kind === "fault" || wish.kind !== "toml") throw new Error("not readable any more");
  const [wanted, found] = [parseTomlText(wish.body), parsed].map((one) =>
    one.kind === "toml" ? readTable(one.value, wish.table) : null
  );
  return found !== undefined && JSON.stringify(found) === JSON.stringify(wanted) ? 1 : 0;
}

function readTable(value: unknown, table: readonly string[]): unknown {
  return table.reduce((inner, key) => (inner as Record<string, unknown>)?.[key], value);
}

function findBlock(text: string, wish: DesiredEdit): number {
  return wish.kind === "block" && text.replaceAll("\r\n", "\n").includes(wish.body) ? 1 : 0;
}
