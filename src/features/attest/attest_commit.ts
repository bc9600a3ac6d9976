/** Writes the note of a statement, signed where the user's git has a key. */
import { LIMITS } from "../../base/settings/limits.ts";
import type { Repository } from "../../git/repository.ts";
import { listNotes } from "../../git/branches/own_refs.ts";
import { readNoteTexts, writeNote } from "./note_texts.ts";
import { parseSignedText, signText } from "./signed_text.ts";
import { formatPayload, readSubject } from "./statement.ts";
import type { Statement } from "./statement_schema.ts";

/** Which notes are written: only signed ones; unsigned ones where git has no key; any. */
export type AcceptedNotes = "signed" | "unsigned_without_key" | "any";

/** What became of a note. */
export interface Attested {
  readonly commit: string;
  /** `written` now, `present` as it was before, `refused` because of its signature or its size. */
  readonly kind: "written" | "present" | "refused";
  readonly isSigned: boolean;
  /** Why it is unsigned, or refused, as the end of a sentence; empty where neither is. */
  readonly why: string;
}

/**
 * Puts a statement beside its commit. A signed note is never replaced by an unsigned one. A note
 * that says the same is left as it is, so that nobody signs twice.
 */
export async function attestCommit(
  repo: Repository,
  statement: Statement,
  accepted: AcceptedNotes,
): Promise<Attested> {
  const { commit } = readSubject(statement);
  const payload = formatPayload(statement);
  const present = await readPresent(repo, commit);
  if (present?.hasSignature === true && present.text === payload) {
    return { commit, kind: "present", isSigned: true, why: "" };
  }
  const signed = await signText(repo, payload);
  const isSigned = signed.kind === "signed";
  const why = isSigned ? "" : signed.why;
  const isRefused = !isSigned &&
    (accepted === "signed" || (accepted === "unsigned_without_key" && signed.failed));
  if (isRefused) return { commit, kind: "refused", isSigned, why };
  if (new TextEncoder().encode(signed.raw).length > LIMITS.noteBytes.value) {
    const most = `${LIMITS.noteBytes.value / 1024} KiB`;
    return { commit, kind: "refused", isSigned, why: `the statement has more than ${most}` };
  }
  const isWritten = await writeNote(repo, { commit, text: signed.raw }, (text) => {
    const other = parseSignedText(text, repo);
    if (other === null) return false;
    return isSigned ? other.hasSignature && other.text === payload : other.hasSignature ||
      other.text === payload;
  });
  if (isWritten) return { commit, kind: "written", isSigned, why };
  const kept = await readPresent(repo, commit);
  return { commit, kind: "present", isSigned: kept?.hasSignature === true, why };
}

async function readPresent(repo: Repository, commit: string) {
  const entry = (await listNotes(repo)).entries.get(commit) ?? null;
  if (entry === null) return null;
  const text = (await readNoteTexts(repo, [entry])).get(entry.oid);
  return text === undefined ? null : parseSignedText(text, repo);
}
