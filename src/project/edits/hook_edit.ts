/**
 * Puts our groups of hooks into a client's list and takes them out again. Hooks that a person added
 * to one of our groups stay, and ours are found among them.
 */
import type { JsonPiece } from "../../clients/setup.ts";
import { findOurHandlers, isOurHookGroup, toOurHookGroup } from "../../clients/setup.ts";
import type { JsonPath } from "./json_edit.ts";
import {
  appendItem,
  findItems,
  isSameJson,
  readJsonValue,
  removeChild,
  replaceValue,
} from "./json_edit.ts";
import type { PieceRecord } from "../setup/setup_manifest.ts";
import { toValueHash } from "../setup/setup_manifest.ts";

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
    const record = { at, isItem: true, hash: toValueHash(value), made, lead: "", tail };
    return { kind: "put", text: result.text, record, isKept: false };
  }
  const isThere = found.some((index) => isSameJson(readOurs(text, [...at, index]), value));
  if (isThere) return { kind: "put", text, record: old, isKept: false };
  const known = found.find((index) => toValueHash(readOurs(text, [...at, index])) === old?.hash);
  if (old === undefined || known === undefined) {
    return { kind: "put", text, record: old, isKept: true };
  }
  const record = { ...old, hash: toValueHash(value) };
  // The position stays the same, because a client may tell hooks apart by position.
  return { kind: "put", text: upgrade(text, [...at, known], value), record, isKept: false };
}

/** Removes our group, or only our hooks where a person added others; null where ours was edited. */
export function takeHookGroup(text: string, piece: PieceRecord, isPurge: boolean): string | null {
  const { at, hash } = piece;
  let now = text;
  // Items are removed from the end, so that the positions of earlier ones stay right.
  const isWanted = (item: unknown) => isOurHookGroup(item) || toValueHash(item) === hash;
  for (const index of findItems(text, at, isWanted).toReversed()) {
    const isAsWritten = toValueHash(readOurs(now, [...at, index])) === hash;
    if (isPurge || isAsWritten) now = takeOurs(now, index, piece);
  }
  return findItems(now, at, isOurHookGroup).length > 0 ? null : now;
}

function takeOurs(text: string, index: number, { at, made, tail }: PieceRecord): string {
  const own = findOurHandlers(readJsonValue(text, [...at, index]));
  if (own === null) return removeChild(text, at, { index, made, tail });
  return own.toReversed().reduce(
    (now, handler) =>
      removeChild(now, [...at, index, "hooks"], { index: handler, made: 0, tail: "" }),
    text,
  );
}

function readOurs(text: string, path: JsonPath): unknown {
  return toOurHookGroup(readJsonValue(text, path));
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
