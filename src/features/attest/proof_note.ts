/**
 * Writes what was proven of a committed tree as a git note beside the tree, and reads which of such notes count: those
 * that a known key signed, about this tree, these commands and this platform.
 */
import { SYSTEM_CLOCK } from "../../base/clock.ts";
import { LIMITS } from "../../base/settings/limits.ts";
import { listNotes, NOTES_REF } from "../../git/branches/own_refs.ts";
import type { Repository } from "../../git/repository.ts";
import type {
  KeptNote,
  ProofToKeep,
  TrustedProofs,
  WantedProofs,
} from "../../services/prove_api.ts";
import type { Proof } from "../../prove/verdict.ts";
import { readNoteTexts, writeNote } from "./note_texts.ts";
import { readPlatform } from "./platform.ts";
import type { ProofStatement } from "./proof_statement.ts";
import {
  buildProofStatement,
  findMismatch,
  keepPresentSigners,
  parseProofStatement,
  readAnswers,
  readResults,
} from "./proof_statement.ts";
import type { Signature } from "./signed_text.ts";
import { checkSignatures, parseSignedText, signText } from "./signed_text.ts";
import { formatPayload, readCanonical } from "./statement.ts";

/** Writes the note of a proof. The notes of other platforms, commands and bases about the same tree stay. */
export async function keepProof(repo: Repository, kept: ProofToKeep): Promise<KeptNote> {
  const { found, projectRoot, change: { tree, base } } = kept;
  const statement = buildProofStatement({
    ...{ tree, base, at: kept.at, proof: kept.proof, results: kept.results },
    platform: await readPlatform(found, projectRoot),
    commandsHash: found.hash,
    home: Deno.env.get("HOME") ?? null,
  });
  const signed = await signText(repo, formatPayload(statement));
  // With a key that does not sign an unsigned note would only look like one that counts.
  if (signed.kind === "unsigned" && signed.failed) return { kind: "refused", why: signed.why };
  const key = nameNote(statement);
  const mix = (present = "") => {
    const others = splitNote(present).filter((raw) => {
      const other = readStatement(repo, raw);
      const isSame = other !== null && nameNote(other) === key;
      const isBetter = signed.kind === "unsigned" && parseSignedText(raw, repo)?.hasSignature;
      return other !== null && (!isSame || isBetter);
    });
    // The newest stand first, and what does not fit is left out.
    const texts = [signed.raw];
    for (const raw of others) if (countBytes([...texts, raw]) < MOST_BYTES) texts.push(raw);
    return texts.join("\n");
  };
  if (countBytes([signed.raw]) >= MOST_BYTES) return { kind: "refused", why: "it is too large" };
  await writeNote(repo, { tree, text: mix });
  return {
    kind: "written",
    ref: NOTES_REF,
    platform: statement.predicate.platform,
    unsignedBecause: signed.kind === "unsigned" ? signed.why : null,
  };
}

const MOST_BYTES = LIMITS.noteBytes.value;

function countBytes(texts: readonly string[]): number {
  return new TextEncoder().encode(texts.join("\n")).length;
}

function nameNote({ predicate: { base, platform, commandsHash } }: ProofStatement): string {
  return JSON.stringify([base, platform, commandsHash]);
}

/** The signed texts of a note: each begins like a commit, and git's own merge of notes puts them behind each other. */
function splitNote(note: string): readonly string[] {
  return note.split(/^(?=tree [0-9a-f]{40,64}\nauthor )/m).map((raw) => `${raw.trimEnd()}\n`)
    .filter((raw) => raw !== "\n");
}

function readStatement(repo: Repository, raw: string): ProofStatement | null {
  const signed = parseSignedText(raw, repo);
  return signed === null ? null : parseProofStatement(readCanonical(signed.text));
}

/** Reads the statements about a tree; those that do not count are named with the reason. */
export async function readProofs(repo: Repository, wanted: WantedProofs): Promise<TrustedProofs> {
  const { change: { tree, base }, found, projectRoot, signers } = wanted;
  const entry = (await listNotes(repo)).entries.get(tree) ?? null;
  const note = entry === null ? "" : (await readNoteTexts(repo, [entry])).get(entry.oid) ?? "";
  const texts = splitNote(note);
  if (texts.length === 0) return { ...NOTHING, refused: ["no note is beside this tree"] };
  if (signers === null) return { ...NOTHING, refused: ["the base has no file of allowed signers"] };
  const read = texts.flatMap((raw) => {
    const statement = readStatement(repo, raw);
    return statement === null ? [] : [{ raw, statement }];
  });
  const now = SYSTEM_CLOCK.now();
  const present = keepPresentSigners(signers, now);
  const signatures = await checkSignatures(repo, read.map(({ raw }) => raw), { signers: present });
  const platform = await readPlatform(found, projectRoot);
  const about = { tree, platform, commandsHash: found.hash, now };
  const judged = read.map(({ raw, statement }, at) => ({
    ...{ statement, signer: signatures[at]?.signer ?? "" },
    why: judgeSignature(raw, signatures[at]) || findMismatch(statement, about),
  }));
  const good = judged.filter(({ why }) => why === "");
  const refused = judged.flatMap(({ why }) => why === "" ? [] : [why]);
  if (read.length < texts.length) refused.push("a statement cannot be read");
  const whole = good.find(({ statement: { predicate } }) =>
    predicate.base === base && predicate.proof.verdict === "proven"
  );
  const results = good.flatMap(({ statement }) => readResults(statement));
  const first = whole ?? good[0];
  return {
    whole: whole === undefined ? null : whole.statement.predicate.proof as unknown as Proof,
    answers: good.flatMap(({ statement }) => readAnswers(statement)),
    results: [...new Map(results.map((result) => [result.name, result])).values()],
    signer: first?.signer ?? null,
    at: first?.statement.predicate.at ?? null,
    refused,
  };
}

const NOTHING = { whole: null, results: [], answers: [], signer: null, at: null } as const;

/** Only an SSH key can stand in a file of signers; of others this machine's keyring would decide. */
function judgeSignature(raw: string, signature: Signature | undefined): string {
  const state = signature?.state ?? "unchecked";
  if (state === "none") return "nobody signed it";
  if (!/^gpgsig(?:-sha256)? -----BEGIN SSH SIGNATURE-----$/m.test(raw.split("\n\n", 1)[0] ?? "")) {
    return "it is not signed by an SSH key";
  }
  if (state === "good") return "";
  return state === "bad"
    ? "it was changed after it was signed"
    : state === "expired" || state === "revoked"
    ? `its key is ${state}`
    : "its key is not among the allowed signers of the base";
}
