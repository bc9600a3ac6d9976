/**
 * Puts wished values, tables and blocks into the text of a file that is not ours, and takes them
 * out again. Works on texts only.
 */
import { OWN_BLOCK } from "../../base/text/document_files.ts";
import type { FileWish, JsonPiece } from "../../clients/setup.ts";
import { isOurHookGroup } from "../../clients/setup.ts";
import type { Markers } from "./block_edit.ts";
import { appendBlock, findBlock, removeBlock, replaceBlock } from "./block_edit.ts";
import type { PutResult } from "./hook_edit.ts";
import { putHookGroup, takeHookGroup } from "./hook_edit.ts";
import {
  appendItem,
  findItems,
  insertMember,
  isSameJson,
  parseJsonText,
  readJsonValue,
  removeChild,
  replaceValue,
} from "./json_edit.ts";
import type { EditRecord, PieceRecord } from "../setup/setup_manifest.ts";
import { toHash, toValueHash } from "../setup/setup_manifest.ts";
import { checkTomlEdit, hasTable, parseTomlText, TOML_MARKERS } from "./toml_edit.ts";

/** A wish for a file that is not ours. */
export type EditWish = Exclude<FileWish, { readonly kind: "file" }>;

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
export function applyWish(
  text: string | null,
  wish: EditWish,
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
    remembered.flatMap((piece) => piece.made === 0 ? [] : toContainers(piece).slice(-piece.made)),
  );
  for (const piece of pieces) {
    const old = remembered.find(({ at }) => isSameJson(at, piece.at));
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
    ? findItems(text, at, (item) => isOurHookGroup(item) || isSameJson(item, value)).length > 0
    : isSameJson(readJsonValue(text, at), value);
}

/**
 * A container that an earlier piece made is marked for a later one too, so that the last piece to
 * be removed takes it along.
 */
function withMade(record: PieceRecord, made: Set<string>): PieceRecord {
  const containers = toContainers(record);
  if (record.made > 0) { for (const name of containers.slice(-record.made)) made.add(name); }
  const foreign = containers.findLastIndex((name) => !made.has(name));
  return { ...record, made: containers.length - 1 - foreign };
}

/**
 * The containers above a value, outermost first; for an item, the array at its path is one of them.
 */
function toContainers({ at, isItem }: Pick<PieceRecord, "at" | "isItem">): readonly string[] {
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
      record: { at, isItem: false, hash: toValueHash(value), made, lead: "", tail },
    };
  }
  if (isSameJson(present, value)) return { kind: "put", text, record: old, isKept: false };
  if (old === undefined || old.hash !== toValueHash(present)) {
    return { kind: "put", text, record: old, isKept: true };
  }
  const record = { ...old, hash: toValueHash(value) };
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
  if (findItems(text, at, (item) => isSameJson(item, value)).length > 0) {
    return { kind: "put", text, record: old, isKept: false };
  }
  const isTakenOut = old !== undefined && readJsonValue(text, at) !== undefined;
  const result = isTakenOut ? null : appendItem(text, at, value);
  if (result === null || result.kind === "fault") {
    return { kind: "put", text, record: old, isKept: true };
  }
  const { made, tail } = result;
  const record = { at, isItem: true, hash: toValueHash(value), made, lead: "", tail };
  return { kind: "put", text: result.text, record, isKept: false };
}

function undoJson(text: string, piece: PieceRecord, isPurge: boolean): string | null {
  const { at, hash, isItem, made, tail } = piece;
  if (isItem) return takeHookGroup(text, piece, isPurge);
  const present = readJsonValue(text, at);
  if (present === undefined) return text;
  if (!isPurge && toValueHash(present) !== hash) return null;
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
  const hash = toHash(body);
  const [old] = remembered;
  if (found.kind === "none") {
    const { text, lead } = appendBlock(before, markers, body);
    const record = { at: [name], isItem: false, hash, made: 0, lead, tail: "" };
    return { kind: "edited", text, pieces: [record], kept: [] };
  }
  const { block } = found;
  if (block.body === body) return { kind: "edited", text: before, pieces: remembered, kept: [] };
  if (old === undefined || old.hash !== toHash(block.body)) {
    return { kind: "edited", text: before, pieces: remembered, kept: [name] };
  }
  const text = replaceBlock(before, markers, { block, body });
  return { kind: "edited", text, pieces: [{ ...old, hash }], kept: [] };
}

function applyToml(
  before: string,
  wish: Extract<EditWish, { readonly kind: "toml" }>,
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
  if (!isPurge && toHash(found.block.body) !== piece.hash) return null;
  return removeBlock(text, found.block, piece.lead);
}
