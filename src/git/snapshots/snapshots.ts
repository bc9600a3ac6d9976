/**
 * Snapshots: the whole working tree as a tree of git, which a tag object of the program's own names and a numbered ref keeps.
 * A commit in its place would stand in `git log --all` and in each client that lists it; what names a tree stands in none.
 */
import type { Repository } from "../repository.ts";
import { listRefs } from "../repository.ts";
import { forgetIndex } from "../index/seed_index.ts";
import { formatKeptRef, listRefFiles, OWN_REFS, readTreeIdFile } from "../store_files.ts";
import {
  allowsLooseObjects,
  createOwnRef,
  isLoose,
  readConfig,
  writeLooseTag,
} from "../index/own_store.ts";
import { CodeIntelError } from "../../base/errors.ts";
import type { LargeFile, NestedRepository } from "../trees/unstored_files.ts";
import { loadNotes, readFileSignature, saveNotes } from "../trees/unstored_files.ts";
import type { WorktreeTree, WorktreeTreeOptions } from "../index/private_index.ts";
import { withSessionIndex, writeTreeWithIndex } from "../index/private_index.ts";

/** Trees or commits by the names of their refs, which consist of letters only. */
export type SessionTrees = Readonly<Record<string, string>>;

/**
 * Makes refs of the session name these trees, with at most one start of git. Garbage collection would
 * remove trees without a ref: at once where somebody prunes, or after two weeks while a session is
 * parked.
 *
 * @throws {CodeIntelError} `git_failed` when a tree is missing already.
 */
export async function keepSessionTrees(
  repo: Repository,
  sessionId: string,
  trees: SessionTrees,
): Promise<void> {
  const lines: string[] = [];
  for (const [name, tree] of Object.entries(trees)) {
    const ref = formatKeptRef(sessionId, name);
    if (!(await createOwnRef(repo, ref, tree))) lines.push(`update ${ref} ${tree}\n`);
  }
  if (lines.length === 0) return;
  await repo.git.bytes(["update-ref", "--stdin"], { stdin: lines.join("") });
}

/** What snapshot to take. */
export interface SnapshotOptions extends WorktreeTreeOptions {
  /** One line for people, such as the stage that was left. */
  readonly label: string;
  /** Time of the snapshot; the tag object carries it too. */
  readonly at: Date;
  /**
   * The tree of the working tree that the same call has just written, so that the files are not
   * looked at again. Not to be given for a snapshot before files are changed or discarded.
   */
  readonly written?: string | null;
}

/** One saved state of the working tree. */
export interface Snapshot {
  /** Counts from 1 within the session. */
  readonly number: number;
  /** Ref that protects it from garbage collection. */
  readonly ref: string;
  /** The tag object that the ref names; a commit where an older version took the snapshot. */
  readonly tag: string;
  /** The saved working tree. */
  readonly tree: string;
  /** Time of the snapshot; the tag object carries it too. */
  readonly at: string;
  /** What it was taken for. */
  readonly label: string;
  /** Files that are recorded by hash only. */
  readonly large: readonly LargeFile[];
  /** Nested repositories of the worktree. */
  readonly nested: readonly NestedRepository[];
  /** Files that could not be read; the snapshot has their former version. */
  readonly unreadable: readonly string[];
}

/** A snapshot just taken, with the untracked files that it took in. */
export type TakenSnapshot = Snapshot & Pick<WorktreeTree, "added">;

/** The facts in the message of a snapshot's tag object, as JSON. */
type SnapshotFacts = Pick<Snapshot, "at" | "label" | "large" | "nested" | "unreadable">;

const CREATE_ATTEMPTS = 3;

/**
 * Saves the working tree. Never touches the user's index, stash, HEAD or files.
 *
 * @throws {CodeIntelError} `git_failed`, `busy`, `disk_full`.
 */
export async function takeSnapshot(
  repo: Repository,
  options: SnapshotOptions,
): Promise<TakenSnapshot> {
  return await withSessionIndex(repo, options.sessionId, async (indexFile) => {
    const saved = await saveWorktree(repo, indexFile, options);
    const notes = await loadNotes(indexFile);
    const number = await createNumberedRef(repo, {
      sessionId: options.sessionId,
      tag: saved.tag,
      last: notes?.snapshot ?? 0,
    });
    const ref = formatSnapshotRef(options.sessionId, number);
    if (notes !== null) await saveNotes(indexFile, { ...notes, snapshot: number });
    return { number, ref, ...saved };
  });
}

/**
 * Names the tree of the working tree by a tag object; where garbage collection has removed that tree meanwhile,
 * all of it is written again.
 */
async function saveWorktree(
  repo: Repository,
  indexFile: string,
  options: SnapshotOptions,
): Promise<Omit<TakenSnapshot, "number" | "ref">> {
  const save = async () => {
    const { tree, added, ...odd } = await findWritten(indexFile, options.written ?? null) ??
      await writeTreeWithIndex(repo, indexFile, options);
    const facts: SnapshotFacts = { at: options.at.toISOString(), label: options.label, ...odd };
    const message = `code-intel snapshot: ${options.label.replaceAll(/\s+/g, " ")}\n\n${
      JSON.stringify(facts)
    }\n`;
    const keptBy = await findLastRef(indexFile, options.sessionId);
    const tag = await tagTree(repo, { tree, at: options.at, message, keptBy });
    return { tag, tree, added, ...facts };
  };
  try {
    return await save();
  } catch (cause) {
    if ((cause as Partial<CodeIntelError>).code !== "git_failed") throw cause;
    await forgetIndex(indexFile);
    return await save();
  }
}

/** The noted facts of a tree, if the private index has not changed since the tree was written. */
async function findWritten(indexFile: string, tree: string | null): Promise<WorktreeTree | null> {
  const notes = tree === null ? null : await loadNotes(indexFile);
  if (notes === null || notes.tree !== tree || notes.unreadable === undefined) return null;
  if (notes.indexSignature !== await readFileSignature(indexFile)) return null;
  const { large, nested, unreadable } = notes;
  return { tree, large, nested, unreadable, added: { files: 0, bytes: 0 } };
}

/** The ref of the session's last snapshot, as far as the notes know it; there may be no such ref. */
async function findLastRef(indexFile: string, sessionId: string): Promise<string> {
  return formatSnapshotRef(sessionId, (await loadNotes(indexFile))?.snapshot ?? 0);
}

interface OwnTag {
  readonly tree: string;
  /** A ref that may name the same tree. */
  readonly keptBy?: string | null;
  readonly at: Date;
  readonly message: string;
}

async function tagTree(repo: Repository, tag: OwnTag): Promise<string> {
  const seconds = Math.floor(tag.at.getTime() / 1000);
  const text = `object ${tag.tree}\ntype tree\ntag code-intel\n` +
    `tagger code-intel <code-intel@localhost> ${seconds} +0000\n\n${tag.message}`;
  // Where the tree has no file of its own and no ref keeps it, git has to check whether it exists.
  const isThere = await isLoose(repo, tag.tree) || isKept(repo, tag);
  return isThere && allowsLooseObjects(readConfig(repo))
    ? await writeLooseTag(repo, new TextEncoder().encode(text))
    : await repo.git.line(["mktag"], { stdin: text });
}

function isKept(repo: Repository, { tree, keptBy = null }: OwnTag): boolean {
  const named = keptBy === null ? undefined : listRefFiles(repo, keptBy)?.get(keptBy);
  return named !== undefined && readTreeIdFile(repo, named) === tree;
}

async function createNumberedRef(
  repo: Repository,
  options: { readonly sessionId: string; readonly tag: string; readonly last: number },
): Promise<number> {
  // If the notes are lost the refs are counted, so that no snapshot is overwritten.
  let last = options.last === 0 ? await findLastNumber(repo, options.sessionId) : options.last;
  for (let attempt = 0; attempt < CREATE_ATTEMPTS; attempt++) {
    const ref = formatSnapshotRef(options.sessionId, last + 1);
    if (await createOwnRef(repo, ref, options.tag)) return last + 1;
    const result = await repo.git.run(["update-ref", ref, options.tag, buildZeroId(repo)]);
    if (result.code === 0) return last + 1;
    last = await findLastNumber(repo, options.sessionId);
  }
  throw new CodeIntelError("git_failed", `Cannot save a snapshot of ${options.sessionId}`, {
    hint: "Check that the git folder can be written and has free space.",
  });
}

/** Object id that stands for "does not exist" in ref updates. */
export function buildZeroId(repo: Repository): string {
  return "0".repeat(repo.objectFormat === "sha256" ? 64 : 40);
}

function formatSnapshotRef(sessionId: string, number: number): string {
  return `${OWN_REFS}/${sessionId}/${String(number).padStart(4, "0")}`;
}

async function findLastNumber(repo: Repository, sessionId: string): Promise<number> {
  const prefix = `${OWN_REFS}/${sessionId}/`;
  const refs = (await listRefs(repo, prefix)).keys();
  const numbers = [...refs].map((ref) => Number(ref.slice(prefix.length)));
  return Math.max(0, ...numbers.filter((number) => Number.isInteger(number)));
}

/** The snapshots of a session, oldest first. */
export async function listSnapshots(repo: Repository, sessionId: string): Promise<Snapshot[]> {
  // Of a tag object git knows the object, of a commit, as older versions made them, the tree.
  const format = "%(refname)%00%(objectname)%00%(tree)%(object)%00%(contents:body)%00";
  const output = await repo.git.text([
    "for-each-ref",
    "--sort=refname",
    `--format=${format}`,
    `${OWN_REFS}/${sessionId}/`,
  ]);
  const fields = output.split("\0");
  const snapshots: Snapshot[] = [];
  for (let at = 0; at + 3 < fields.length; at += 4) {
    const [ref = "", tag = "", tree = "", body = ""] = fields.slice(at, at + 4);
    const number = /\/(\d{4,})$/.exec(ref)?.[1];
    const facts = parseFacts(body);
    if (number === undefined || facts === null) continue;
    snapshots.push({ number: Number(number), ref: ref.trim(), tag, tree, ...facts });
  }
  return snapshots.sort((one, other) => one.number - other.number);
}

function parseFacts(body: string): SnapshotFacts | null {
  try {
    const facts = JSON.parse(body) as Partial<SnapshotFacts>;
    return {
      at: facts.at ?? "",
      label: facts.label ?? "",
      large: facts.large ?? [],
      nested: facts.nested ?? [],
      unreadable: facts.unreadable ?? [],
    };
  } catch {
    return null; // Not one of ours: a ref that somebody put there.
  }
}

/** Keeps a tree that is no snapshot (a baseline, what the user had staged) by a named ref. */
export async function keepTree(
  repo: Repository,
  options: {
    readonly sessionId: string;
    /** Last part of the ref: letters, digits, `-`. */
    readonly name: string;
    readonly tree: string;
    readonly at: Date;
  },
): Promise<string> {
  const { tree, at } = options;
  const message = `code-intel kept tree: ${options.name}\n`;
  const tag = await tagTree(repo, { tree, at, message });
  const ref = formatKeptRef(options.sessionId, options.name);
  if (!(await createOwnRef(repo, ref, tag))) {
    await repo.git.bytes(["update-ref", ref, tag]);
  }
  return ref;
}
