/** Reads and writes the texts of the program's notes; writers at the same time lose nothing. */
import { CodeIntelError } from "../../base/errors.ts";
import { LIMITS } from "../../base/settings/limits.ts";
import { makeGitError, PROGRAM_IDENTITY, splitBatch } from "../../git/git.ts";
import type { GitNote } from "../../git/branches/own_refs.ts";
import { listNotes, NOTES_REF } from "../../git/branches/own_refs.ts";
import type { Repository } from "../../git/repository.ts";

const TEXT = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
/** So many bytes of texts are asked of git at once (guessed). */
const BATCH_BYTES = 64 * 1024 * 1024;

/** The texts of notes by their blobs; what is larger than a note may be, or no text, is left out. */
export async function readNoteTexts(
  repo: Repository,
  entries: readonly GitNote[],
): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  let batch: GitNote[] = [];
  let sizeBytes = 0;
  const read = async () => {
    if (batch.length > 0) await readBatch(repo, batch, texts);
    [batch, sizeBytes] = [[], 0];
  };
  for (const entry of entries) {
    if (entry.sizeBytes > LIMITS.noteBytes.value) continue;
    batch.push(entry);
    sizeBytes += entry.sizeBytes;
    if (sizeBytes > BATCH_BYTES) await read();
  }
  await read();
  return texts;
}

async function readBatch(
  repo: Repository,
  entries: readonly GitNote[],
  texts: Map<string, string>,
): Promise<void> {
  const stdin = entries.map(({ oid }) => `${oid}\n`).join("");
  const output = await repo.git.bytes(["cat-file", "--batch"], { stdin });
  splitBatch(output, entries.length).forEach((bytes, at) => {
    const oid = entries[at]?.oid;
    if (bytes === null || oid === undefined) return;
    try {
      texts.set(oid, TEXT.decode(bytes));
    } catch {
      // What is no text is no note of ours.
    }
  });
}

/** Other writers come between so often at most (guessed; each writer needs some milliseconds). */
const MOST_TRIES = 25;

/** What a note is beside: a commit, or a tree, which commits share. */
export type NotedObject = { readonly commit: string } | { readonly tree: string };

/**
 * Puts a text beside an object, in the place of the one that is there. Writers that come at the same time do not undo
 * each other: the ref moves only from the notes that were read.
 *
 * @param note its text, or what makes it from the present one.
 * @param isKept says of the present text whether it stays.
 * @returns whether the text was written.
 * @throws {CodeIntelError} `busy` where others write all the time, `git_failed`.
 */
export async function writeNote(
  repo: Repository,
  note: NotedObject & { readonly text: string | ((present: string | undefined) => string) },
  isKept: (present: string) => boolean = (present) => present === note.text,
): Promise<boolean> {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const { tip, entries } = await listNotes(repo);
    const present = entries.get("commit" in note ? note.commit : note.tree) ?? null;
    const text = present === null
      ? undefined
      : (await readNoteTexts(repo, [present])).get(present.oid);
    if (text !== undefined && isKept(text)) return false;
    const args = ["fast-import", "--quiet", "--date-format=now"];
    const whole = typeof note.text === "string" ? note.text : note.text(text);
    const result = await repo.git.run(args, { stdin: buildImport(note, whole, tip) });
    if (result.code === 0) return true;
    const isLost = (await listNotes(repo)).tip !== tip || /cannot lock ref/.test(result.stderr);
    if (!isLost) throw makeGitError(args, result);
  }
  throw new CodeIntelError("busy", `Cannot write ${NOTES_REF}: others write it all the time`, {
    hint: "Run `code-intel attest` again in a moment.",
  });
}

/** The stream for `git fast-import`, which moves the ref only forward from `tip`. */
function buildImport(object: NotedObject, text: string, tip: string | null): Uint8Array {
  const encoder = new TextEncoder();
  const data = (value: string) => `data ${encoder.encode(value).length}\n${value}\n`;
  const { GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: email } = PROGRAM_IDENTITY;
  return encoder.encode([
    "blob\nmark :1\n",
    data(text),
    `commit ${NOTES_REF}\n`,
    `committer ${name} <${email}> now\n`,
    data(`Attest ${"commit" in object ? object.commit : object.tree}\n`),
    tip === null ? "" : `from ${tip}\n`,
    ...("commit" in object ? [`N :1 ${object.commit}\n`] : listTreeNote(object.tree)),
  ].join(""));
}

/** Git imports notes about commits only. Beside a tree it takes any spelling of the path, of which one may be there. */
function listTreeNote(tree: string): readonly string[] {
  const spread = [`${tree.slice(0, 2)}/${tree.slice(2)}`];
  spread.push(`${tree.slice(0, 2)}/${tree.slice(2, 4)}/${tree.slice(4)}`);
  return [...spread.map((path) => `D ${path}\n`), `M 100644 :1 ${tree}\n`];
}
