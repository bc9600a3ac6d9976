/**
 * Reads commits and small files of trees from the files in which git stores them, without starting
 * git. What is read is hashed, so that it is the object of that id or nothing; an object that lies
 * in a pack, in another store, or is large, is left to git.
 */
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { inflateSync } from "node:zlib";
import { LIMITS } from "../base/settings/limits.ts";
import { readRegularFile } from "../base/files/regular_file.ts";
import { isObjectId } from "./ref_file.ts";

/** The store of a repository. */
export interface ObjectPlace {
  /** Git folder that all worktrees share, with the objects. */
  readonly commonDir: string;
  /** The hash of object ids. */
  readonly objectFormat: "sha1" | "sha256";
}

/** An object as git stores it. */
export interface StoredObject {
  readonly kind: "blob" | "tree" | "commit" | "tag";
  readonly body: Uint8Array;
}

/** What a commit names. */
interface StoredCommit {
  /** Object id of the tree. */
  readonly tree: string;
  /** Object ids of the parents, first parent first. */
  readonly parents: readonly string[];
}

const HEAD = /^(blob|tree|commit|tag) (\d+)\0/;
const HEAD_BYTES = 32;

/** An object that has a file of its own; null where only git can tell. */
export function readObjectFile(place: ObjectPlace, id: string): StoredObject | null {
  if (!isObjectId(id)) return null;
  const { commonDir, objectFormat } = place;
  const maxBytes = LIMITS.gitObjectBytes.value;
  const path = join(commonDir, "objects", id.slice(0, 2), id.slice(2));
  const reading = readRegularFile(path, { within: commonDir, maxBytes });
  if (reading.kind !== "read") return null;
  const whole = inflate(reading.bytes, maxBytes);
  if (whole === null || createHash(objectFormat).update(whole).digest("hex") !== id) return null;
  const [head, kind] = HEAD.exec(decode(whole.subarray(0, HEAD_BYTES))) ?? [];
  if (head === undefined) return null;
  return { kind: kind as StoredObject["kind"], body: whole.subarray(head.length) };
}

function inflate(bytes: Uint8Array, maxOutputLength: number): Uint8Array | null {
  try {
    return inflateSync(bytes, { maxOutputLength });
  } catch {
    return null; // Git says what is wrong with the file.
  }
}

/** One character for each byte; a `TextDecoder` would take `latin1` for another encoding. */
function decode(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
}

/** Tree and parents of a commit; null where only git can tell. */
function readCommitFile(place: ObjectPlace, id: string): StoredCommit | null {
  const found = readObjectFile(place, id);
  return found?.kind === "commit" ? parseCommit(decode(found.body)) : null;
}

function parseCommit(text: string): StoredCommit | null {
  const [first = "", ...lines] = text.slice(0, text.indexOf("\n\n")).split("\n");
  const tree = /^tree ([0-9a-f]+)$/.exec(first)?.[1];
  if (tree === undefined) return null;
  const end = lines.findIndex((line) => !line.startsWith("parent "));
  const parents = lines.slice(0, Math.max(end, 0)).map((line) => line.slice("parent ".length));
  return { tree, parents };
}

/** Tree of a commit or of a tag object that names a tree, or the tree itself; null where only git can tell. */
export function readTreeIdFile(place: ObjectPlace, id: string): string | null {
  const found = readObjectFile(place, id);
  if (found?.kind === "tree") return id;
  if (found?.kind === "tag") {
    return /^object ([0-9a-f]+)\ntype tree\n/.exec(decode(found.body))?.[1] ?? null;
  }
  return found?.kind === "commit" ? parseCommit(decode(found.body))?.tree ?? null : null;
}

/** A file of a tree. */
export interface StoredEntry {
  /** Octal mode of six digits. */
  readonly mode: string;
  readonly oid: string;
}

const FILE_MODES: ReadonlySet<string> = new Set(["100644", "100755", "120000", "160000"]);

/**
 * The file at a path of a tree, `absent` where the tree has nothing there; null where only git can
 * tell, which is so for a folder too.
 */
export function readEntryFile(
  place: ObjectPlace,
  tree: string,
  path: string,
): StoredEntry | "absent" | null {
  const parts = decode(new TextEncoder().encode(path)).split("/");
  if (parts.some((part) => /^\.{0,2}$/.test(part))) return null;
  let id = tree;
  for (const [at, name] of parts.entries()) {
    const folder = readObjectFile(place, id);
    if (folder?.kind !== "tree") return null;
    const found = findEntry(decode(folder.body), name, id.length / 2);
    if (found === "absent") return "absent";
    if (at === parts.length - 1) return FILE_MODES.has(found.mode) ? found : null;
    if (found.mode !== "40000") return FILE_MODES.has(found.mode) ? "absent" : null;
    id = found.oid;
  }
  return null;
}

/** Finds a name in the entries of a tree, each `<mode> <name>` with a NUL and the bytes of an id. */
function findEntry(body: string, name: string, idBytes: number): StoredEntry | "absent" {
  for (let at = 0; at < body.length;) {
    const end = body.indexOf("\0", at);
    const [mode = "", found] = body.slice(at, end).split(/ (.*)/s);
    at = end + 1 + idBytes;
    if (end < 0) break;
    if (found !== name) continue;
    return { mode, oid: Buffer.from(body.slice(end + 1, at), "latin1").toString("hex") };
  }
  return "absent";
}

/** How many commits are followed before git is asked: more than a session makes. */
const MOST_COMMITS = 50;

/** The parents of a commit; null where only git can tell. */
export function readParentsFile(place: ObjectPlace, id: string): readonly string[] | null {
  const isCut = exists(join(place.commonDir, "shallow"));
  return isCut ? null : readCommitFile(place, id)?.parents ?? null;
}

function exists(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch (error) {
    return !(error instanceof Deno.errors.NotFound);
  }
}

/**
 * Whether `ancestor` is reached by following parents from `descendant`; null where that leads to
 * commits without files of their own, and so only git can tell.
 */
export function isAncestorByFiles(
  place: ObjectPlace,
  ancestor: string,
  descendant: string,
): boolean | null {
  const seen = new Set([descendant]);
  for (const id of seen) {
    if (id === ancestor) return true;
    const parents = seen.size > MOST_COMMITS ? null : readParentsFile(place, id);
    if (parents === null) return null;
    for (const parent of parents) seen.add(parent);
  }
  return false;
}
