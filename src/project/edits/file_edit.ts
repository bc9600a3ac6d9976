/**
 * Puts values, groups of hooks, tables and blocks into the text of a file that is not ours. It also
 * takes them out again. Works on texts only.
 */
import type { DesiredFile, JsonPiece } from "../../clients/setup.ts";
import { findOurHandlers, isOurHookGroup, keepOurHooks } from "../../clients/setup.ts";
import type { JsonPath } from "./json_edit.ts";
import {
  appendItem,
  findItems,
  insertMember,
  isEqualJson,
  parseJsonText,
  readJsonValue,
  removeChild,
  replaceValue,
} from "./json_edit.ts";
import type { EditRecord, PieceRecord } from "../setup/setup_manifest.ts";
import { hashText, hashValue } from "../setup/setup_manifest.ts";
import { OWN_BLOCK } from "../../base/text/document_files.ts";
import type { Markers } from "./block_edit.ts";
import {
  appendBlock,
  checkTomlEdit,
  findBlock,
  hasTable,
  parseTomlText,
  removeBlock,
  replaceBlock,
  TOML_MARKERS,
} from "./block_edit.ts";

/**
 * The text after one piece was put in and what to remember of it, or why there is no place for it.
 */
export type PutResult =
  | {
    readonly kind: "put";
    readonly text: string;
    readonly record: PieceRecord | undefined;
    /** True where the place holds something else, set by hand or edited since. */
    readonly isKept: boolean;
  }
  | { readonly kind: "refused"; readonly message: string };

/** Adds our group, or updates the one that is there in its place. */
export function putHookGroup(
  text: string,
  { at, value }: JsonPiece,
  old: PieceRecord | undefined,
): PutResult {
  const found = findItems(text, at, isOurHookGroup);
  if (found.length === 0) {
    const result = appendItem(text, at, value);
    if (result.kind === "fault") return { kind: "refused", message: result.message };
    const { made, tail } = result;
    const record = { at, isItem: true, hash: hashValue(value), made, lead: "", tail };
    return { kind: "put", text: result.text, record, isKept: false };
  }
  const isThere = found.some((index) => isEqualJson(readOurs(text, [...at, index]), value));
  if (isThere) return { kind: "put", text, record: old, isKept: false };
  const known = found.find((index) => hashValue(readOurs(text, [...at, index])) === old?.hash);
  if (old === undefined || known === undefined) {
    return { kind: "put", text, record: old, isKept: true };
  }
  const record = { ...old, hash: hashValue(value) };
  // The position stays the same, because a client may tell hooks apart by position.
  return { kind: "put", text: upgrade(text, [...at, known], value), record, isKept: false };
}

/** Removes our group, or only our hooks where a person added others; null where ours was edited. */
export function removeHookGroup(text: string, piece: PieceRecord, isPurge: boolean): string | null {
  const { at, hash } = piece;
  let now = text;
  // Items are removed from the end, so that the positions of earlier ones stay right.
  const isWanted = (item: unknown) => isOurHookGroup(item) || hashValue(item) === hash;
  for (const index of findItems(text, at, isWanted).toReversed()) {
    const isAsWritten = hashValue(readOurs(now, [...at, index])) === hash;
    if (isPurge || isAsWritten) now = removeOurs(now, index, piece);
  }
  return findItems(now, at, isOurHookGroup).length > 0 ? null : now;
}

function removeOurs(text: string, index: number, { at, made, tail }: PieceRecord): string {
  const own = findOurHandlers(readJsonValue(text, [...at, index]));
  if (own === null) return removeChild(text, at, { index, made, tail });
  return own.toReversed().reduce(
    (now, handler) =>
      removeChild(now, [...at, index, "hooks"], { index: handler, made: 0, tail: "" }),
    text,
  );
}

function readOurs(text: string, path: JsonPath): unknown {
  return keepOurHooks(readJsonValue(text, path));
}

/** A group that is wholly ours is replaced; in a shared one only our hooks are. */
function upgrade(text: string, path: JsonPath, value: unknown): string {
  const own = findOurHandlers(readJsonValue(text, path));
  if (own === null) return replaceValue(text, path, { value });
  const { hooks = [], ...rest } = value as { readonly hooks?: readonly unknown[] };
  let now = text;
  for (const [at, index] of own.entries()) {
    const handler = hooks[at];
    if (handler !== undefined) {
      now = replaceValue(now, [...path, "hooks", index], { value: handler });
    }
  }
  for (const [name, member] of Object.entries(rest)) {
    now = replaceValue(now, [...path, name], { value: member });
  }
  return now;
}

/** A wish for a file that is not ours. */
export type DesiredEdit = Exclude<DesiredFile, { readonly kind: "file" }>;

/** The edited text and what the manifest has to remember, or why the file is left alone. */
export type EditResult =
  | {
    readonly kind: "edited";
    readonly text: string;
    readonly pieces: readonly PieceRecord[];
    /**
     * Wished values whose place holds something else, set by hand or edited since; they are left
     * alone.
     */
    readonly kept: readonly string[];
  }
  | { readonly kind: "refused"; readonly message: string };

/** Puts a wish into a text; null as the text means that the file does not exist. */
export function applyDesired(
  text: string | null,
  wish: DesiredEdit,
  remembered: readonly PieceRecord[],
): EditResult {
  const before = text ?? "";
  if (wish.kind === "json") return applyJson(before, wish.pieces, remembered);
  if (wish.kind === "block") {
    const { body } = wish;
    return applyBlock(before, { markers: OWN_BLOCK, body, name: "block" }, remembered);
  }
  return applyToml(before, wish, remembered);
}

/** Takes our pieces out. A piece that was edited since is kept, unless `isPurge`. */
export function undoEdit(
  text: string,
  record: EditRecord,
  { isPurge }: { readonly isPurge: boolean },
): { readonly text: string; readonly kept: readonly string[] } {
  const kept: string[] = [];
  let now = text;
  for (const piece of record.pieces.toReversed()) {
    const result = record.how === "json"
      ? undoJson(now, piece, isPurge)
      : undoBlock(now, piece, { record, isPurge });
    if (result === null) kept.push(piece.at.join("."));
    else now = result;
  }
  return { text: now, kept };
}

function applyJson(
  before: string,
  pieces: readonly JsonPiece[],
  remembered: readonly PieceRecord[],
): EditResult {
  const parsed = parseJsonText(before);
  if (parsed.kind === "fault") return { kind: "refused", message: parsed.message };
  let text = before;
  const records: PieceRecord[] = [];
  const kept: string[] = [];
  const made = new Set(
    remembered.flatMap((piece) => piece.made === 0 ? [] : listContainers(piece).slice(-piece.made)),
  );
  for (const piece of pieces) {
    const old = remembered.find(({ at }) => isEqualJson(at, piece.at));
    const step = putPiece(text, piece, old);
    if (step.kind === "refused") return step;
    text = step.text;
    if (step.isKept) kept.push(piece.at.join("."));
    if (step.record !== undefined) records.push(withMade(step.record, made));
  }
  const lost = pieces.find((piece) => !kept.includes(piece.at.join(".")) && !isActive(text, piece));
  return lost === undefined
    ? { kind: "edited", text, pieces: records, kept }
    : { kind: "refused", message: `its form leaves no room for ${lost.at.join(".")}` };
}

function putPiece(text: string, piece: JsonPiece, old: PieceRecord | undefined): PutResult {
  if (piece.isHookGroup === true) return putHookGroup(text, piece, old);
  return piece.isItem === true ? putItem(text, piece, old) : putMember(text, piece, old);
}

/** Whether a client that reads the text finds our piece in it. */
function isActive(
  text: string,
  { at, value, isHookGroup, isItem, isUnwanted = false }: JsonPiece,
): boolean {
  if (isUnwanted) return true;
  return isHookGroup === true || isItem === true
    ? findItems(text, at, (item) => isOurHookGroup(item) || isEqualJson(item, value)).length > 0
    : isEqualJson(readJsonValue(text, at), value);
}

/**
 * A container that an earlier piece made is marked for a later piece too. So the piece that is
 * removed last also removes the container.
 */
function withMade(record: PieceRecord, made: Set<string>): PieceRecord {
  const containers = listContainers(record);
  if (record.made > 0) { for (const name of containers.slice(-record.made)) made.add(name); }
  const foreign = containers.findLastIndex((name) => !made.has(name));
  return { ...record, made: containers.length - 1 - foreign };
}

/**
 * The containers above a value, outermost first; for an item, the array at its path is one of them.
 */
function listContainers({ at, isItem }: Pick<PieceRecord, "at" | "isItem">): readonly string[] {
  const inner = isItem ? at : at.slice(0, -1);
  return inner.map((_, index) => JSON.stringify(inner.slice(0, index + 1)));
}

function putMember(text: string, piece: JsonPiece, old: PieceRecord | undefined): PutResult {
  const { at, value } = piece;
  const present = readJsonValue(text, at);
  if (present === undefined) {
    const result = insertMember(text, at, value);
    if (result.kind === "fault") return { kind: "refused", message: result.message };
    const { made, tail } = result;
    return {
      kind: "put",
      text: result.text,
      isKept: false,
      record: { at, isItem: false, hash: hashValue(value), made, lead: "", tail },
    };
  }
  if (isEqualJson(present, value)) return { kind: "put", text, record: old, isKept: false };
  if (old === undefined || old.hash !== hashValue(present)) {
    return { kind: "put", text, record: old, isKept: true };
  }
  const record = { ...old, hash: hashValue(value) };
  return { kind: "put", text: replaceValue(text, at, { value }), record, isKept: false };
}

/**
 * Adds an item that is not there yet, or takes out one that is not wanted any more. A list from which
 * a person took our item stays as they left it, and so does a value that is no list.
 */
function putItem(text: string, piece: JsonPiece, old: PieceRecord | undefined): PutResult {
  const { at, value, isUnwanted = false } = piece;
  if (isUnwanted) {
    const taken = old === undefined ? text : undoJson(text, old, false) ?? text;
    return { kind: "put", text: taken, record: undefined, isKept: false };
  }
  if (findItems(text, at, (item) => isEqualJson(item, value)).length > 0) {
    return { kind: "put", text, record: old, isKept: false };
  }
  const isTakenOut = old !== undefined && readJsonValue(text, at) !== undefined;
  const result = isTakenOut ? null : appendItem(text, at, value);
  if (result === null || result.kind === "fault") {
    return { kind: "put", text, record: old, isKept: true };
  }
  const { made, tail } = result;
  const record = { at, isItem: true, hash: hashValue(value), made, lead: "", tail };
  return { kind: "put", text: result.text, record, isKept: false };
}

function undoJson(text: string, piece: PieceRecord, isPurge: boolean): string | null {
  const { at, hash, isItem, made, tail } = piece;
  if (isItem) return removeHookGroup(text, piece, isPurge);
  const present = readJsonValue(text, at);
  if (present === undefined) return text;
  if (!isPurge && hashValue(present) !== hash) return null;
  return removeChild(text, at, { made, tail });
}

interface Block {
  readonly markers: Markers;
  readonly body: string;
  readonly name: string;
}

function applyBlock(
  before: string,
  { markers, body, name }: Block,
  remembered: readonly PieceRecord[],
): EditResult {
  const found = findBlock(before, markers);
  if (found.kind === "fault") return { kind: "refused", message: found.message };
  const hash = hashText(body);
  const [old] = remembered;
  if (found.kind === "none") {
    const { text, lead } = appendBlock(before, markers, body);
    const record = { at: [name], isItem: false, hash, made: 0, lead, tail: "" };
    return { kind: "edited", text, pieces: [record], kept: [] };
  }
  const { block } = found;
  if (block.body === body) return { kind: "edited", text: before, pieces: remembered, kept: [] };
  if (old === undefined || old.hash !== hashText(block.body)) {
    return { kind: "edited", text: before, pieces: remembered, kept: [name] };
  }
  const text = replaceBlock(before, markers, { block, body });
  return { kind: "edited", text, pieces: [{ ...old, hash }], kept: [] };
}

function applyToml(
  before: string,
  wish: Extract<DesiredEdit, { readonly kind: "toml" }>,
  remembered: readonly PieceRecord[],
): EditResult {
  const { table, body } = wish;
  const parsed = parseTomlText(before);
  if (parsed.kind === "fault") return { kind: "refused", message: parsed.message };
  const name = table.join(".");
  const isMarked = findBlock(before, TOML_MARKERS).kind !== "none";
  if (!isMarked && hasTable(parsed.value, table)) {
    return { kind: "edited", text: before, pieces: remembered, kept: [name] };
  }
  const result = applyBlock(before, { markers: TOML_MARKERS, body, name }, remembered);
  if (result.kind === "refused") return result;
  const fault = checkTomlEdit(before, result.text, table);
  return fault === null ? result : { kind: "refused", message: fault };
}

function undoBlock(
  text: string,
  piece: PieceRecord,
  { record, isPurge }: { readonly record: EditRecord; readonly isPurge: boolean },
): string | null {
  const found = findBlock(text, record.how === "toml" ? TOML_MARKERS : OWN_BLOCK);
  if (found.kind === "none") return text;
  if (found.kind === "fault") return null;
  if (!isPurge && hashText(found.block.body) !== piece.hash) return null;
  return removeBlock(text, found.block, piece.lead);
}
