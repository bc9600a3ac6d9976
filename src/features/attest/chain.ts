/** Judges whether a commit, its trailers, its note and the signature belong together. Pure. */
import { formatForcedLines } from "../../phase/trailer.ts";
import type { ChainCode, ChainLevel } from "./chain_codes.ts";
import { CHAIN_CODES } from "./chain_codes.ts";
import type { Claim } from "./claims.ts";
import type { MergeOrigin } from "./merge_origin.ts";
import type { Signature } from "./signed_text.ts";
import type { Statement } from "./statement_schema.ts";

/** A note as it was found. */
export type FoundNote =
  | {
    readonly kind: "note";
    /** Commit beside which it lies. */
    readonly commit: string;
    readonly statement: Statement;
    /** Ids that the statement names; empty where it names none, or several. */
    readonly subject: { readonly commit: string; readonly tree: string };
    readonly signature: Signature;
  }
  | { readonly kind: "unreadable"; readonly reason: string };

/** What somebody demands beyond a chain without a break. */
export interface ChainRules {
  /** Notes without a signature pass, and those of unknown keys. */
  readonly allowUnsigned: boolean;
  /** Fingerprints and names of the keys that count; empty for all that this machine knows. */
  readonly signers: readonly string[];
  /** Values of `Code-Intel-Verified` that are good enough; empty for all. */
  readonly values: readonly string[];
  /** A commit that claims nothing is a finding. */
  readonly everyCommit: boolean;
}

/** The answer about one commit. */
export interface ChainRow {
  readonly commit: string;
  /** First line of its message. */
  readonly subject: string;
  readonly session: string | null;
  /** What the commit claims: the value of `Code-Intel-Verified`. */
  readonly verified: string | null;
  readonly code: ChainCode;
  readonly level: ChainLevel;
  /** What was found in this case, beyond the meaning of the code; mostly empty. */
  readonly why: string;
  /** Who signed the note; null where nobody did, or git does not know. */
  readonly signer: string | null;
  readonly fingerprint: string | null;
  /** The statement that the answer is about. */
  readonly statement: Statement | null;
}

/** What is known beside a commit. */
export interface ChainContext {
  /** The note beside it; null for none. */
  readonly note: FoundNote | null;
  /** Notes of the same session about commits that are not in the history that is checked any more. */
  readonly ofSession: readonly Extract<FoundNote, { readonly kind: "note" }>[];
  /** The answer about the second parent of a merge, with how its tree came about; null where it is none. */
  readonly merged: { readonly row: ChainRow; readonly origin: MergeOrigin } | null;
}

/** Judges one commit. */
export function judgeCommit(claim: Claim, context: ChainContext, rules: ChainRules): ChainRow {
  const { note } = context;
  if (note !== null) return judgeNote(claim, note, rules);
  if (claim.sessions.length === 0 && claim.verified.length === 0) {
    return buildRow(claim, "unclaimed", rules.everyCommit ? { level: "finding" } : {});
  }
  const isMerge = claim.parents.length === 2 && claim.verified.length === 0;
  if (isMerge) return judgeMerge(claim, context.merged);
  const [twin] = context.ofSession.filter(({ statement, subject }) =>
    subject.tree === claim.tree && isSame(statement.predicate.parents, claim.parents)
  );
  if (twin !== undefined) {
    const row = judgeStatement(claim, twin, rules);
    return row.code === "attested" ? { ...row, code: "same_tree" } : row;
  }
  // Who makes a commit again keeps its trailers; who only knows of the session has to invent them.
  const other = context.ofSession.find(({ statement: { predicate } }) =>
    isClaimed(claim, predicate)
  );
  return other === undefined ? buildRow(claim, "missing") : buildRow(claim, "rewritten", {
    why: `the note is about ${shortenCommit(other.subject.commit)}`,
  });
}

function judgeMerge(claim: Claim, merged: ChainContext["merged"]): ChainRow {
  const [session] = claim.sessions;
  const isOwn = merged !== null && session !== undefined && merged.row.session === session;
  if (!isOwn || merged.row.level === "finding") {
    const why = isOwn ? `${shortenCommit(merged.row.commit)} is ${merged.row.code}` : "";
    return buildRow(claim, "merge_unproven", { why });
  }
  const { origin, row: { signer, fingerprint, statement } } = merged;
  if (origin.kind === "unknown") return buildRow(claim, "merge_unproven", { why: origin.why });
  if (origin.kind !== "of_git") {
    const named = origin.paths.slice(0, MOST_PATHS).join(", ");
    const more = origin.paths.length > MOST_PATHS
      ? ` and ${origin.paths.length - MOST_PATHS} more`
      : "";
    const what = origin.kind === "conflicts" ? "git's own merge has conflicts in" : "it differs in";
    return buildRow(claim, "merge_differs", { why: `${what} ${named}${more}` });
  }
  const code = origin.isMoved ? "merge_moved" : "merge";
  // A merge is proven no better than what it merged.
  const isWaived = merged.row.level === "note";
  const row = buildRow(claim, code, isWaived ? { level: "note" } : {});
  return { ...row, signer, fingerprint, statement };
}

/** Most files of a merge that are named. */
const MOST_PATHS = 10;

function judgeNote(claim: Claim, note: FoundNote, rules: ChainRules): ChainRow {
  if (note.kind === "unreadable") return buildRow(claim, "unreadable", { why: note.reason });
  const { subject, statement, signature } = note;
  // A changed text says nothing, not even which commit it was about.
  if (signature.state === "bad") return buildRow(claim, "bad_signature");
  if (subject.commit === claim.commit && subject.tree === claim.tree) {
    return judgeStatement(claim, note, rules);
  }
  // git carries notes along with amended commits where it is configured so.
  const isTwin = subject.tree === claim.tree &&
    claim.sessions.includes(statement.predicate.session.id) &&
    isSame(statement.predicate.parents, claim.parents);
  if (!isTwin) {
    return buildRow(claim, "copied", {
      why: `it is about ${shortenCommit(subject.commit)}`,
      statement,
    });
  }
  const row = judgeStatement(claim, note, rules);
  return row.code === "attested" ? { ...row, code: "same_tree" } : row;
}

/** A note about this very tree: do the trailers, the statement itself and the signature fit? */
function judgeStatement(
  claim: Claim,
  { statement, signature }: Extract<FoundNote, { readonly kind: "note" }>,
  rules: ChainRules,
): ChainRow {
  const shared = { statement, signature };
  const { session, verified, ran, forced = [] } = statement.predicate;
  if (!isClaimed(claim, statement.predicate)) {
    const why = !isSame(claim.forced, formatForcedLines({ forced }))
      ? "what it says of a forced completion is other"
      : isSame(claim.ran, ran)
      ? `the note says ${verified} of ${session.id}`
      : "the runs are others";
    return buildRow(claim, "trailer_differs", { ...shared, why });
  }
  const contradiction = findContradiction(statement);
  if (contradiction !== null) {
    return buildRow(claim, "inconsistent", { ...shared, why: contradiction });
  }
  const code = judgeSignature(signature, rules);
  if (code !== "attested") {
    const isWaived = rules.allowUnsigned && rules.signers.length === 0 &&
      WAIVED.some((waived) => waived === code);
    if (!isWaived) return buildRow(claim, code, shared);
  }
  if (rules.values.length > 0 && !rules.values.includes(verified)) {
    return buildRow(claim, "not_enough", { ...shared, why: verified });
  }
  if (rules.values.length > 0 && forced.length > 0 && !rules.values.includes(FORCED)) {
    return buildRow(claim, "not_enough", { ...shared, why: FORCED });
  }
  return buildRow(claim, code, code === "attested" ? shared : { ...shared, level: "note" });
}

/** The value by which somebody lets commits pass that were completed in spite of open issues. */
const FORCED = "forced";

/** Whether the trailers of a commit are those of which a statement speaks. */
function isClaimed(
  claim: Claim,
  { session, verified, ran, forced = [] }: Pick<
    Statement["predicate"],
    "session" | "verified" | "ran" | "forced"
  >,
): boolean {
  return isSame(claim.sessions, [session.id]) && isSame(claim.verified, [verified]) &&
    isSame(claim.ran, ran) && isSame(claim.forced, formatForcedLines({ forced }));
}

/** Codes of notes behind which nobody stands who is known here. */
const WAIVED: readonly ChainCode[] = ["unsigned", "unknown_key", "untrusted_key", "unchecked"];

const SIGNATURE_CODES: Readonly<Record<Signature["state"], ChainCode>> = {
  good: "attested",
  unknown_key: "unknown_key",
  untrusted: "untrusted_key",
  bad: "bad_signature",
  expired: "expired_key",
  revoked: "revoked_key",
  unchecked: "unchecked",
  none: "unsigned",
};

function judgeSignature(signature: Signature, { signers }: ChainRules): ChainCode {
  const code = SIGNATURE_CODES[signature.state];
  const isSound = code === "attested" || code === "unknown_key" || code === "untrusted_key";
  if (signers.length === 0 || !isSound) return code;
  const { signer, fingerprint, mainFingerprint } = signature;
  const names = [fingerprint, mainFingerprint, ...(code === "attested" ? [signer] : [])]
    .filter((name) => name !== "").map(normalizeKey);
  return signers.some((wanted) => names.includes(normalizeKey(wanted)))
    ? "attested"
    : "other_signer";
}

/** Fingerprints in hex are written with and without spaces, in large and small letters. */
function normalizeKey(text: string): string {
  const plain = text.replaceAll(/\s+/g, "");
  return /^[0-9a-f]{40,}$/i.test(plain) ? plain.toUpperCase() : text.trim();
}

/** Where a statement claims a verification that its own run does not show; null where it does not. */
function findContradiction({ predicate }: Statement): string | null {
  const { verified, run, result } = predicate;
  const isYes = verified === "yes" || verified.startsWith("yes");
  if (!isYes && verified !== "baseline-red") return null;
  if (run === null || run.commands.length === 0) return "no run of the server stands in it";
  if (result?.passed !== true) return "its result is not passed";
  const failed = run.commands.find(({ exitCode, verdict }) =>
    isYes ? exitCode !== 0 : verdict === "failed" || verdict === null
  );
  if (failed !== undefined) return `${failed.name} did not pass`;
  const counted = isYes ? findCounted(predicate) : null;
  if (counted !== null) return counted;
  return verified === "yes" && run.place.kind !== "checkout" ? "its run was in the worktree" : null;
}

/** What the counts of a run say against its exit codes; null where they agree. */
function findCounted({ run, baseline }: Statement["predicate"]): string | null {
  const commands = run?.commands ?? [];
  for (const { name, tests, newFailures } of commands) {
    const count = tests === null ? 0 : tests.failed + tests.errors;
    const before = baseline?.commands.find((one) => one.name === name);
    // Tests of test tools print failures of others: those that a passing command printed before the work count for nothing.
    const isUsual = newFailures === 0 && before?.exitCode === 0 && before.tests !== null &&
      before.tests.failed + before.tests.errors >= count;
    if (count > 0 && !isUsual) return `${count} failed in ${name}, although it ended with 0`;
  }
  const counts = commands.flatMap(({ tests }) => tests ?? []);
  return counts.length > 0 && counts.every(({ passed, failed }) => passed + failed === 0)
    ? "no test ran in its run"
    : null;
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((value, at) => value === other[at]);
}

function shortenCommit(commit: string): string {
  return commit === "" ? "no commit" : commit.slice(0, 12);
}

interface RowRest {
  readonly why?: string;
  readonly level?: ChainLevel;
  readonly statement?: Statement;
  readonly signature?: Signature;
}

function buildRow(
  { commit, subject, sessions, verified }: Claim,
  code: ChainCode,
  { why = "", level = CHAIN_CODES[code].level, statement, signature }: RowRest = {},
): ChainRow {
  return {
    commit,
    subject,
    session: sessions[0] ?? null,
    verified: verified[0] ?? null,
    code,
    level,
    why,
    signer: signature?.signer || null,
    fingerprint: signature?.fingerprint || null,
    statement: statement ?? null,
  };
}
