/** Random JSON with comments in every style that people write: edits are undone byte for byte. */
import { deepStrictEqual as deepEqual, fail, ok } from "node:assert/strict";
import { parseJsonc } from "../../src/base/text/jsonc.ts";
import {
  appendItem,
  findItems,
  insertMember,
  isEqualJson,
  readJsonValue,
  removeChild,
} from "../../src/project/edits/json_edit.ts";

const CASES = 400;
const SEED = Number(Deno.env.get("SEED") ?? "20260101");
const VALUE = { command: "code-intel", args: ["serve"] };

Deno.test(`an edit of random JSON keeps what is foreign, and its removal every byte (SEED=${SEED})`, () => {
  const random = createRandom(SEED);
  for (let count = 0; count < CASES; count++) {
    const text = writeDocument(random);
    const member = insertMember(text, ["mcpServers", "code-intel"], VALUE);
    if (member.kind === "fault") fail(`${member.message}\n${text}`);
    check(text, member.text, ["mcpServers", "code-intel"]);
    same(text, removeChild(member.text, ["mcpServers", "code-intel"], member), member.text);
    const item = appendItem(text, ["hooks", "Stop"], VALUE);
    if (item.kind === "fault") fail(`${item.message}\n${text}`);
    const [index = -1] = findItems(
      item.text,
      ["hooks", "Stop"],
      (found) => isEqualJson(found, VALUE),
    );
    ok(index >= 0, item.text);
    same(text, removeChild(item.text, ["hooks", "Stop"], { ...item, index }), item.text);
  }
});

function check(before: string, after: string, path: readonly string[]): void {
  ok(isEqualJson(readJsonValue(after, path), VALUE), after);
  const [old, now] = [parseJsonc(before), parseJsonc(after)];
  if (old.kind !== "value" || now.kind !== "value") fail(`not readable any more:\n${after}`);
  for (const [key, value] of Object.entries(old.value as Record<string, unknown>)) {
    if (key !== "mcpServers") deepEqual((now.value as Record<string, unknown>)[key], value, after);
  }
}

function same(before: string, back: string, between: string): void {
  if (back !== before) {
    fail(`${JSON.stringify(before)}\n${JSON.stringify(between)}\n${JSON.stringify(back)}`);
  }
}

type Random = (below: number) => number;

/** A small generator with a seed (mulberry32), so that a failure can be repeated. */
function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

interface Style {
  readonly random: Random;
  readonly eol: string;
  readonly unit: string;
  readonly hasComments: boolean;
  readonly hasTrailing: boolean;
}

function writeDocument(random: Random): string {
  const style: Style = {
    random,
    eol: pick(random, ["\n", "\r\n"]),
    unit: pick(random, ["  ", "    ", "\t", " "]),
    hasComments: random(2) === 0,
    hasTrailing: random(3) === 0,
  };
  const names = ["mcpServers", "hooks", "a", "b", "c"].filter(() => random(2) === 0);
  const members = names.map((name): Member => [name, writeMember(name, style, 1)]);
  const head = pick(random, ["", "\uFEFF", style.hasComments ? `// head${style.eol}` : ""]);
  return head + writeContainer("{}", members, style, 0) +
    pick(random, ["", style.eol, `${style.eol}${style.eol}`]);
}

type Member = readonly [name: string | null, text: string];

function writeMember(name: string, style: Style, depth: number): string {
  const { random } = style;
  const inner = ["x", "y"].slice(0, random(3));
  if (name === "mcpServers") {
    return writeContainer(
      "{}",
      inner.map((key): Member => [key, `{ "command": "${key}" }`]),
      style,
      depth,
    );
  }
  if (name === "hooks") {
    const list = writeContainer(
      "[]",
      inner.map((key): Member => [null, `{"m":"${key}"}`]),
      style,
      depth + 1,
    );
    return writeContainer(
      "{}",
      random(2) === 0 ? [["Stop", list]] : [["Other", "[]"]],
      style,
      depth,
    );
  }
  return pick(random, ["1", '"t, {x} // no"', "null", "[1, 2]", '{ "k": [ ] }', "-1.5e3"]);
}

function writeContainer(
  pair: string,
  members: readonly Member[],
  style: Style,
  depth: number,
): string {
  const { random, eol, unit, hasComments, hasTrailing } = style;
  const [open = "", close = ""] = pair;
  const isWide = random(3) > 0;
  const comment = () =>
    hasComments && random(3) === 0 ? pick(random, [" /* n */", isWide ? ` // , "n" }` : ""]) : "";
  if (members.length === 0) {
    return open + pick(random, ["", " ", `${eol}${unit.repeat(depth)}`]) + close;
  }
  const lead = isWide ? `${eol}${unit.repeat(depth + 1)}` : pick(random, ["", " "]);
  const parts = members.map(([name, text], index) => {
    const isLast = index === members.length - 1;
    const comma = isLast && !hasTrailing ? "" : ",";
    const key = name === null ? "" : `${JSON.stringify(name)}:${pick(random, ["", " ", "  "])}`;
    return `${lead}${key}${text}${comma}${comment()}`;
  });
  const tail = isWide ? `${eol}${unit.repeat(depth)}` : lead;
  return open + parts.join("") + tail + close;
}

function pick<T>(random: Random, from: readonly T[]): T {
  return from[random(from.length)] as T;
}
