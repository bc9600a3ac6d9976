/** Checks the commits of a range against their notes: reads commits, notes and signatures, and judges each. */
import { CodeIntelError } from "../../base/errors.ts";
import { LIMITS } from "../../base/settings/limits.ts";
import { formatCount } from "../../base/text/plain_text.ts";
import type { GitNote, GitNoteList } from "../../git/branches/own_refs.ts";
import { listNotes } from "../../git/branches/own_refs.ts";
import type { Repository } from "../../git/repository.ts";
import { isAncestor } from "../../git/repository.ts";
import { readShallow } from "../../git/log/read_log.ts";
import type { ChainRow, ChainRules, FoundNote } from "./chain.ts";
import { judgeCommit } from "./chain.ts";
import type { Claim } from "./claims.ts";
import { listClaims } from "./claims.ts";
import type { MergeOrigin } from "./merge_origin.ts";
import { findMergeOrigin } from "./merge_origin.ts";
import { readNoteTexts } from "./note_texts.ts";
import type { Signature } from "./signed_text.ts";
import { checkSignatures, parseSignedText } from "./signed_text.ts";
import { parsePayload, readSubject } from "./statement.ts";
import type { Statement } from "./statement_schema.ts";

/** What is checked, and by which rules. */
export interface VerifyChainOptions extends ChainRules {
  /** Such as `main..HEAD`; a single name is that commit alone. */
  readonly range: string;
  /** File of allowed signers in place of the configured one; absolute. */
  readonly allowedSigners?: string;
}

/** The answers about a range. */
export type ChainReport =
  | { readonly kind: "unknown_range"; readonly said: string }
  | {
    readonly kind: "report";
    /** Newest first. */
    readonly rows: readonly ChainRow[];
    /** The commits as they were read, in the order of `rows`. */
    readonly claims: readonly Claim[];
    /** What the reader has to know of the whole, a sentence each. */
    readonly notices: readonly string[];
  };

/** Checks a range. Nothing of the repository is changed. */
export async function verifyChain(
  repo: Repository,
  options: VerifyChainOptions,
): Promise<ChainReport> {
  const listed = await listClaims(repo, options.range, LIMITS.attestedCommits.value);
  if (listed.kind === "unknown_range") return listed;
  const { claims } = listed;
  const all = new Map(claims.map((claim) => [claim.commit, claim]));
  for (const claim of claims) {
    const merged = isSessionMerge(claim) ? claim.parents[1] : undefined;
    if (merged === undefined || all.has(merged)) continue;
    const found = await listClaims(repo, merged, 1);
    if (found.kind === "claims") { for (const one of found.claims) all.set(one.commit, one); }
  }
  const notes = await listNotes(repo);
  const found = await readNotes(repo, [...all.values()], { ...options, notes });
  const ofSession = await withoutPresent(repo, found.ofSession, all, claims[0]?.commit ?? "");
  const origins = await findOrigins(repo, [...all.values()]);
  const judge = createJudge(all, { ...found, ofSession, origins }, options);
  return {
    kind: "report",
    rows: claims.map(judge),
    claims,
    notices: [
      ...(notes.tip === null
        ? [
          "No note is here: fetch them with `git fetch origin refs/notes/code-intel:refs/notes/code-intel`.",
        ]
        : []),
      ...(found.isSearched ? [] : [
        `There are more than ${LIMITS.searchedNotes.value} notes, so commits that were made anew were not looked for.`,
      ]),
      ...(listed.isCut
        ? [`Only the newest ${formatCount(claims.length, "commit")} of the range were checked.`]
        : []),
      ...(readShallow(repo).size === 0
        ? []
        : ["The clone is shallow, so the range may lack commits: fetch the whole history."]),
    ],
  };
}

function isSessionMerge({ sessions, verified, parents }: Claim): boolean {
  return sessions.length > 0 && verified.length === 0 && parents.length === 2;
}

/** How the trees of the sessions' merges came about, by their commits. */
async function findOrigins(
  repo: Repository,
  claims: readonly Claim[],
): Promise<ReadonlyMap<string, MergeOrigin>> {
  const origins = new Map<string, MergeOrigin>();
  for (const claim of claims) {
    const [ours, theirs] = claim.parents;
    if (!isSessionMerge(claim) || ours === undefined || theirs === undefined) continue;
    origins.set(claim.commit, await findMergeOrigin(repo, { tree: claim.tree, ours, theirs }));
  }
  return origins;
}

function createJudge(
  all: ReadonlyMap<string, Claim>,
  { beside, ofSession, origins }: FoundNotes & {
    readonly origins: ReadonlyMap<string, MergeOrigin>;
  },
  rules: ChainRules,
): (claim: Claim) => ChainRow {
  const known = new Map<string, ChainRow>();
  const judge = (claim: Claim): ChainRow => {
    const before = known.get(claim.commit);
    if (before !== undefined) return before;
    const origin = origins.get(claim.commit);
    const merged = origin === undefined ? undefined : all.get(claim.parents[1] ?? "");
    const row = judgeCommit(claim, {
      note: beside.get(claim.commit) ?? null,
      ofSession: claim.sessions.flatMap((session) => ofSession.get(session) ?? []),
      merged: merged === undefined || origin === undefined ? null : { row: judge(merged), origin },
    }, rules);
    known.set(claim.commit, row);
    return row;
  };
  return judge;
}

/**
 * The notes whose commits left the history of the checked range, and those about the same tree: a commit that still is
 * there was not made again, so that another one with its session's name has no note.
 */
async function withoutPresent(
  repo: Repository,
  ofSession: FoundNotes["ofSession"],
  all: ReadonlyMap<string, Claim>,
  tip: string,
): Promise<FoundNotes["ofSession"]> {
  const left = new Map<string, readonly SessionNote[]>();
  for (const [session, notes] of ofSession) {
    const gone: SessionNote[] = [];
    for (const note of notes) {
      const { commit } = note.subject;
      if (!all.has(commit) && !await isReachable(repo, commit, tip)) gone.push(note);
    }
    left.set(session, gone);
  }
  return left;
}

/** Whether a commit is in the history of another one; one that is not here is not. */
async function isReachable(repo: Repository, commit: string, tip: string): Promise<boolean> {
  try {
    return await isAncestor(repo, commit, tip);
  } catch (failure) {
    if (!(failure instanceof CodeIntelError) || failure.code !== "git_failed") throw failure;
    return false;
  }
}

type SessionNote = Extract<FoundNote, { readonly kind: "note" }>;

interface FoundNotes {
  /** By the commit beside which they lie. */
  readonly beside: ReadonlyMap<string, FoundNote>;
  /** Notes for commits that have none, by their session. */
  readonly ofSession: ReadonlyMap<string, readonly SessionNote[]>;
  /** False where there are too many notes to look through them all. */
  readonly isSearched: boolean;
}

interface ReadNote {
  readonly commit: string;
  readonly raw: string;
  readonly statement: Statement;
}

async function readNotes(
  repo: Repository,
  claims: readonly Claim[],
  { notes, allowedSigners }: Pick<VerifyChainOptions, "allowedSigners"> & {
    readonly notes: GitNoteList;
  },
): Promise<FoundNotes> {
  const own = claims.filter(({ commit }) => notes.entries.has(commit)).map(({ commit }) => commit);
  const lost = new Set(
    claims.filter((claim) => !notes.entries.has(claim.commit) && !isSessionMerge(claim))
      .flatMap(({ sessions }) => sessions),
  );
  const isSearched = lost.size === 0 || notes.entries.size <= LIMITS.searchedNotes.value;
  const wanted = lost.size > 0 && isSearched ? [...notes.entries.keys()] : own;
  const read = await parseNotes(repo, notes, wanted);
  const isOwn = new Set(own);
  const needed = read.flatMap((note) => {
    if ("reason" in note) return [];
    return isOwn.has(note.commit) || lost.has(note.statement.predicate.session.id) ? [note] : [];
  });
  const options = allowedSigners === undefined ? {} : { allowedSigners };
  const signatures = await checkSignatures(repo, needed.map(({ raw }) => raw), options);
  const whole = needed.map((note, at) => buildFound(note, signatures[at]));
  const beside = new Map<string, FoundNote>(
    whole.filter(({ commit }) => isOwn.has(commit)).map((note) => [note.commit, note]),
  );
  for (const note of read) {
    if (!("reason" in note) || !isOwn.has(note.commit)) continue;
    beside.set(note.commit, { kind: "unreadable", reason: note.reason });
  }
  return {
    beside,
    ofSession: Map.groupBy(whole, ({ statement }) => statement.predicate.session.id),
    isSearched,
  };
}

function buildFound(
  { commit, statement }: ReadNote,
  signature: Signature = { state: "unchecked", signer: "", fingerprint: "", mainFingerprint: "" },
): Extract<FoundNote, { readonly kind: "note" }> {
  return { kind: "note", commit, statement, subject: readSubject(statement), signature };
}

async function parseNotes(
  repo: Repository,
  { entries }: GitNoteList,
  commits: readonly string[],
): Promise<readonly (ReadNote | { readonly commit: string; readonly reason: string })[]> {
  const listed = commits.map((commit) => ({ commit, entry: entries.get(commit) ?? null }));
  const blobs = listed.flatMap(({ entry }): readonly GitNote[] => entry === null ? [] : [entry]);
  const texts = await readNoteTexts(repo, blobs);
  return listed.map(({ commit, entry }) => {
    if (entry === null) return { commit, reason: "there are several notes" };
    const raw = texts.get(entry.oid);
    if (raw === undefined) {
      const most = LIMITS.noteBytes.value / 1024;
      const isLarge = entry.sizeBytes > LIMITS.noteBytes.value;
      return { commit, reason: isLarge ? `it has more than ${most} KiB` : "it is no text" };
    }
    const signed = parseSignedText(raw, repo);
    if (signed === null) return { commit, reason: "it is no signed text" };
    const parsed = parsePayload(signed.text);
    return parsed.kind === "invalid"
      ? { commit, reason: parsed.reason }
      : { commit, raw, statement: parsed.statement };
  });
}
