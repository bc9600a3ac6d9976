/**
 * A text that the user's own git signs and checks: the message of a commit object without files and without parents,
 * which lies in no branch. Whatever git can sign with (OpenPGP, SSH, X.509) signs it, and whoever has git can check it.
 */
import { join } from "node:path";
import { CodeIntelError } from "../../base/errors.ts";
import { LIMITS } from "../../base/settings/limits.ts";
import { clipLine } from "../../base/text/clip.ts";
import { decode, PROGRAM_IDENTITY } from "../../git/git.ts";
import type { Repository } from "../../git/repository.ts";
import { isSettingOn, readPathSetting, readSettings } from "../../git/settings.ts";
import { withScratchObjects } from "./scratch_objects.ts";

/** The tree without files, which every git knows. No commit of a project has it, so none of them passes for a signed text. */
const EMPTY_TREE = {
  sha1: "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
  sha256: "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
} as const;

/** A text as it was kept: what was signed, and whether there is a signature. */
export interface SignedText {
  readonly text: string;
  readonly hasSignature: boolean;
}

const PERSON = "[^<>\\n\\0]+ <[^<>\\n\\0]*> \\d{1,12} [+-]\\d{4}";

/** Takes a kept text apart; null where it has any other form than the one in which {@link signText} writes it. */
export function parseSignedText(
  raw: string,
  { objectFormat }: Pick<Repository, "objectFormat">,
): SignedText | null {
  const header = objectFormat === "sha256" ? "gpgsig-sha256" : "gpgsig";
  const form = new RegExp(
    `^tree ${EMPTY_TREE[objectFormat]}\\nauthor ${PERSON}\\ncommitter ${PERSON}\\n` +
      `(${header} [^\\n\\0]*\\n(?: [^\\n\\0]*\\n)*)?\\n([^\\0]*\\n)$`,
  );
  const match = form.exec(raw);
  const text = match?.[2];
  return text === undefined ? null : { text, hasSignature: match?.[1] !== undefined };
}

/** How a text was signed. */
export type SignOutcome =
  | { readonly kind: "signed"; readonly raw: string }
  /** `why` says as the end of a sentence why there is no signature; `failed` where there is a key. */
  | {
    readonly kind: "unsigned";
    readonly raw: string;
    readonly why: string;
    readonly failed: boolean;
  };

/**
 * Nothing may wait for a passphrase that nobody types: no terminal, no display, and a helper of SSH that answers
 * nothing. A key without one, and one that an agent holds open, signs all the same.
 */
const NO_QUESTIONS = {
  SSH_ASKPASS_REQUIRE: "force",
  GPG_TTY: "",
  DISPLAY: "",
  WAYLAND_DISPLAY: "",
} as const;

/**
 * Writes a text with the signature by which the user's git signs commits. Without a configured key
 * (`commit.gpgSign` is off and `user.signingKey` not set) the text has none.
 *
 * @param text ends with a line break.
 */
export async function signText(repo: Repository, text: string): Promise<SignOutcome> {
  if (!await hasKey(repo)) {
    const why = "git has no signing key configured (user.signingKey, commit.gpgSign)";
    return { kind: "unsigned", raw: buildUnsigned(repo, text), why, failed: false };
  }
  return await withScratchObjects(repo, async (env) => {
    const signed = await trySigned(() =>
      repo.git.run([...SIGN, EMPTY_TREE[repo.objectFormat], "-S", "-F", "-"], {
        stdin: text,
        env: { ...env, ...NO_QUESTIONS },
        timeoutMs: LIMITS.signSeconds.value * 1000,
      })
    );
    if (typeof signed === "string") {
      return { kind: "unsigned", raw: buildUnsigned(repo, text), why: signed, failed: true };
    }
    const raw = await repo.git.text(["cat-file", "commit", decode(signed).trim()], { env });
    return { kind: "signed", raw };
  });
}

/** With another encoding git would name it in a line that {@link parseSignedText} does not know. */
const SIGN = ["-c", "i18n.commitEncoding=UTF-8", "commit-tree"];

/** The text as the object of a commit that nobody signed: what is never stored in git needs no start of it. */
function buildUnsigned({ objectFormat, clock }: Repository, text: string): string {
  const seconds = Math.floor(clock.now().getTime() / 1000);
  const { GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: email } = PROGRAM_IDENTITY;
  const person = `${name} <${email}> ${seconds} +0000`;
  return `tree ${EMPTY_TREE[objectFormat]}\nauthor ${person}\ncommitter ${person}\n\n${text}`;
}

async function hasKey(repo: Repository): Promise<boolean> {
  if (await isSettingOn(repo, "commit.gpgSign")) return true;
  return (await readSettings(repo)).some(({ key, value }) =>
    (key === "user.signingkey" || key === "gpg.ssh.defaultkeycommand") && (value ?? "") !== ""
  );
}

/** The output of git, or why it could not sign. */
async function trySigned(
  write: () => Promise<{ code: number; stdout: Uint8Array; stderr: string }>,
): Promise<Uint8Array | string> {
  try {
    const { code, stdout, stderr } = await write();
    return code === 0 ? stdout : `git could not sign without asking: ${clipLine(stderr, 300)}`;
  } catch (failure) {
    if (!(failure instanceof CodeIntelError) || failure.code !== "timed_out") throw failure;
    return `the signing program did not end within ${LIMITS.signSeconds.value} s`;
  }
}

/** What git says of a signature. */
export interface Signature {
  /**
   * `good` and of a key that this machine knows; `unknown_key` good, but nothing here says whose key it is; `untrusted`
   * good and of a key of the keyring that nobody vouches for; `bad` not of this text; `unchecked` not checked, since a
   * key or a program is missing; `none` where there is none.
   */
  readonly state:
    | "good"
    | "unknown_key"
    | "untrusted"
    | "bad"
    | "expired"
    | "revoked"
    | "unchecked"
    | "none";
  /** Whose key it is, as git says; empty where it does not know. */
  readonly signer: string;
  /** Fingerprint of the key; empty where git does not tell it. */
  readonly fingerprint: string;
  /** Fingerprint of the main key that it is a part of; mostly the same one. */
  readonly mainFingerprint: string;
}

const STATES: Readonly<Record<string, Signature["state"]>> = {
  G: "good",
  B: "bad",
  X: "expired",
  Y: "expired",
  R: "revoked",
  E: "unchecked",
};

/**
 * Asks git about the signatures of kept texts, each of which {@link parseSignedText} knows. Two starts of git, and one
 * of the signing program for each text.
 *
 * @param allowedSigners file in the form of `gpg.ssh.allowedSignersFile`, in place of the configured one; `signers` is the
 * text of such a file.
 */
export async function checkSignatures(
  repo: Repository,
  raws: readonly string[],
  given: { readonly allowedSigners?: string; readonly signers?: string } = {},
): Promise<readonly Signature[]> {
  if (raws.length === 0) return [];
  return await withScratchObjects(repo, async (env, folder) => {
    const files = await Promise.all(raws.map(async (raw, at) => {
      const file = join(folder, `${at}.txt`);
      await Deno.writeTextFile(file, raw, { createNew: true });
      return file;
    }));
    const hash = ["hash-object", "-t", "commit", "--literally", "-w", "--stdin-paths"];
    const ids = splitLines(
      await repo.git.text(hash, { env, stdin: files.map((f) => `${f}\n`).join("") }),
    );
    const output = await repo.git.text([
      ...await chooseSigners(repo, folder, given),
      "log",
      "--no-walk=unsorted",
      "--no-show-signature",
      "--format=tformat:%H%x00%G?%x00%GS%x00%GF%x00%GP",
      "--stdin",
    ], { env, stdin: ids.map((id) => `${id}\n`).join("") });
    const found = new Map(
      splitLines(output).map((line) => {
        const [id = "", ...fields] = line.split("\0");
        return [id, fields];
      }),
    );
    return raws.map((raw, at) => {
      const hasSignature = parseSignedText(raw, repo)?.hasSignature === true;
      return readSignature(hasSignature, found.get(ids[at] ?? "") ?? []);
    });
  });
}

function readSignature(
  hasSignature: boolean,
  [mark = "", signer = "", fingerprint = "", mainFingerprint = ""]: readonly string[],
): Signature {
  if (!hasSignature) return { state: "none", signer: "", fingerprint: "", mainFingerprint: "" };
  // `U` is said of an SSH key that no file names, and of one in a keyring whose owner nobody vouches for.
  const unsure = signer === "" ? "unknown_key" : "untrusted";
  const state = mark === "U" ? unsure : STATES[mark] ?? "unchecked";
  return { state, signer, fingerprint, mainFingerprint };
}

/** Without a file of signers git checks no SSH signature at all; with an empty one it still finds the bad ones. */
async function chooseSigners(
  repo: Repository,
  folder: string,
  { allowedSigners, signers }: Parameters<typeof checkSignatures>[2] = {},
): Promise<readonly string[]> {
  const key = "gpg.ssh.allowedSignersFile";
  if (allowedSigners !== undefined) return ["-c", `${key}=${allowedSigners}`];
  if (signers === undefined && await readPathSetting(repo, key) !== null) return [];
  const file = join(folder, "signers");
  await Deno.writeTextFile(file, signers ?? "", { createNew: true });
  return ["-c", `${key}=${file}`];
}

function splitLines(output: string): readonly string[] {
  return output.split("\n").filter((line) => line !== "");
}
