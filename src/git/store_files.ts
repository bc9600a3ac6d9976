/**
 * Reads refs, commits and small files of trees from the files in which git stores them, without starting git: a session
 * would start it three times as often. What is read of an object is hashed, so that it is the object of that id or
 * nothing. Reftables, links, symbolic refs, packs, other stores and whatever is large or unusual are left to git.
 */
import { join } from "node:path";
import { LIMITS } from "../base/settings/limits.ts";
import {
  decodeUtf8,
  isLink,
  readRegularFile,
  readRegularText,
} from "../base/files/regular_file.ts";
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { inflateSync } from "node:zlib";

/** The folders of a repository that hold refs. */
export interface RefStore {
  /** Git folder of the worktree, with its HEAD. */
  readonly gitDir: string;
  /** Git folder shared by all worktrees, with the branches. */
  readonly commonDir: string;
}

/** All refs of this program begin with this. */
export const OWN_REFS = "refs/code-intel";
/**
 * What others share through this repository as their remote: neither of a session nor made here, so that no clean-up and no
 * removal of the program may touch it.
 */
export const SHARE_REFS = `${OWN_REFS}/index`;

/** The ref that keeps a tree of a session. */
export function formatKeptRef(sessionId: string, name: string): string {
  return `${OWN_REFS}/${sessionId}/kept/${name}`;
}

const OBJECT_ID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
/** Names that git accepts for a branch, without those that could lead out of its folder. */
const SAFE_NAME = /^(?!.*(?:\.\.|\/\/|\/\.|\\|\/$|\.lock$))[^./:\0-\x20][^:\0-\x20]*$/;

/** Whether a text is a complete object id, and no name or abbreviation. */
export function isObjectId(text: string): boolean {
  return OBJECT_ID.test(text);
}

/** Commit at the tip of a branch; null where there is none, or where only git can tell. */
export function readBranchFile(place: RefStore, branch: string): string | null {
  if (!SAFE_NAME.test(branch)) return null;
  const ref = `refs/heads/${branch}`;
  const text = readRef(join(place.commonDir, ref), place.commonDir);
  if (text !== null) return isObjectId(text) ? text : null;
  return readPackedBranch(place, ref)?.get(ref) ?? null;
}

/** Whether there is no such branch; false where only git can tell. */
export function isBranchAbsent(place: RefStore, branch: string): boolean {
  const ref = `refs/heads/${branch}`;
  return SAFE_NAME.test(branch) && readPackedBranch(place, ref)?.has(ref) === false;
}

/** The packed refs that begin with the name of a branch which has no file of its own; null where only git can tell. */
function readPackedBranch(place: RefStore, ref: string): ReadonlyMap<string, string> | null {
  // Some systems write other characters in more than one way.
  const isPlain = /^[!-~]+$/.test(ref) && isMissing(join(place.commonDir, ref));
  return isPlain && hasRefFiles(place) ? readPackedRefs(place, ref) : null;
}

/**
 * The branch that HEAD names, or the commit where HEAD is detached; null where only git can tell.
 */
export function readHeadFile(
  { gitDir }: RefStore,
): { readonly branch: string } | { readonly commit: string } | null {
  const text = readRef(join(gitDir, "HEAD"), gitDir);
  if (text === null) return null;
  if (isObjectId(text)) return { commit: text };
  const branch = /^ref: refs\/heads\/(.+)$/.exec(text)?.[1];
  return branch === undefined || !SAFE_NAME.test(branch) ? null : { branch };
}

function readRef(path: string, within: string): string | null {
  // Older versions of git stored a symbolic ref as a link, whose target's content says nothing
  // about HEAD's own form.
  if (isLink(path)) return null;
  const text = readRegularText(path, { within, maxBytes: LIMITS.refFileBytes.value });
  return text?.endsWith("\n") === true ? text.slice(0, -1) : null;
}

/** Whether refs are files: only git can read those of other stores. */
function hasRefFiles({ commonDir }: RefStore): boolean {
  if (Deno.env.get("GIT_REFERENCE_BACKEND") !== undefined) return false;
  const bounds = { within: commonDir, maxBytes: LIMITS.stateFileBytes.value };
  const config = readRegularText(join(commonDir, "config"), bounds);
  return config !== undefined && !/refstorage/i.test(config);
}

/** Names of refs that are made of plain parts, as those of this program are. */
const PLAIN_REF = /^refs(?:\/(?!\.)[\w.+=-]+(?<!\.lock)(?<!\.))+$/;

/**
 * The ids of all refs whose names begin with a text such as `refs/heads/llm_task_`, by their names;
 * null where only git can tell.
 */
export function listRefFiles(place: RefStore, start: string): ReadonlyMap<string, string> | null {
  if (!hasRefFiles(place)) return null;
  const own = new Map<string, string>();
  const slash = start.lastIndexOf("/");
  // Refs with files come first: git packs a ref before it removes its file.
  const isKnown = readFolder(place, { folder: start.slice(0, slash), start, found: own });
  const packed = isKnown ? readPackedRefs(place, start) : null;
  return packed === null ? null : new Map([...packed, ...own]);
}

interface RefWalk {
  readonly folder: string;
  readonly start: string;
  readonly found: Map<string, string>;
}

/** Adds the refs of a folder; false where something in it is for git to judge. */
function readFolder(place: RefStore, { folder, start, found }: RefWalk): boolean {
  const path = join(place.commonDir, folder);
  if (isMissing(path)) return true;
  if (isLink(path)) return false;
  try {
    for (const { name, isDirectory } of Deno.readDirSync(path)) {
      const ref = `${folder}/${name}`;
      if (!ref.startsWith(start) || name.endsWith(".lock")) continue;
      if (isDirectory) {
        if (!readFolder(place, { folder: ref, start, found })) return false;
        continue;
      }
      const id = readRef(join(path, name), place.commonDir);
      // A ref that is gone meanwhile was packed or removed: git knows.
      if (id === null || !isObjectId(id) || !PLAIN_REF.test(ref)) return false;
      found.set(ref, id);
    }
    return true;
  } catch {
    return false;
  }
}

/** The packed refs whose names begin with a text; null where only git can tell. */
function readPackedRefs({ commonDir }: RefStore, start: string): Map<string, string> | null {
  // In a larger file git searches faster than it is read.
  const bounds = { within: commonDir, maxBytes: LIMITS.fileBytes.value };
  const reading = readRegularFile(join(commonDir, "packed-refs"), bounds);
  if (reading.kind === "refused") return null;
  const found = new Map<string, string>();
  if (reading.kind === "absent") return found;
  const text = decodeUtf8(reading.bytes);
  for (let at = text.indexOf(` ${start}`); at >= 0; at = text.indexOf(` ${start}`, at + 1)) {
    const id = text.slice(text.lastIndexOf("\n", at) + 1, at);
    const end = text.indexOf("\n", at);
    if (!isObjectId(id) || end < 0) return null;
    found.set(text.slice(at + 1, end), id);
  }
  return found;
}

function isMissing(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return false;
  } catch (error) {
    return error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory;
  }
}

/** The store of a repository. */
export interface ObjectStore {
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
export function readObjectFile(place: ObjectStore, id: string): StoredObject | null {
  if (!isObjectId(id)) return null;
  const { commonDir, objectFormat } = place;
  const maxBytes = LIMITS.fileBytes.value;
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
function readCommitFile(place: ObjectStore, id: string): StoredCommit | null {
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
export function readTreeIdFile(place: ObjectStore, id: string): string | null {
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
  place: ObjectStore,
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
export function readParentsFile(place: ObjectStore, id: string): readonly string[] | null {
  const isCut = !isMissing(join(place.commonDir, "shallow"));
  return isCut ? null : readCommitFile(place, id)?.parents ?? null;
}

/**
 * Whether `ancestor` is reached by following parents from `descendant`; null where that leads to
 * commits without files of their own, and so only git can tell.
 */
export function isAncestorByFiles(
  place: ObjectStore,
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
