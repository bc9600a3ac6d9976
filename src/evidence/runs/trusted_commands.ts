/** Commands together with the texts that they run, and the hash by which a person trusts both. */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { toCanonicalJson } from "../../base/text/json_record.ts";
import { readControlTextIfUsable } from "../../base/files/control_file.ts";
import type { BehindRef } from "./behind_refs.ts";
import { toBehindRefs } from "./behind_refs.ts";
import { followBehind } from "./behind_text.ts";
import type { VerifyCommand } from "./verify_commands.ts";

/** A text that a command runs, as it is on the disk. */
export interface BehindText {
  /** Relative to the project. */
  readonly path: string;
  /** Name of the script, task or target; empty for a whole file. */
  readonly name: string;
  /** The text; null where the file, or the name in it, does not exist. */
  readonly text: string | null;
}

/** Commands with the texts that they run. */
export interface CommandsUnderTrust {
  readonly commands: readonly VerifyCommand[];
  readonly behind: readonly BehindText[];
  /** SHA-256 over both. */
  readonly hash: string;
}

/** Most texts that are followed, because scripts may name each other without end. */
const MAX_TEXTS = 200;

/** Reads the texts that the commands of a project run, and hashes all of it. */
export async function loadCommandsUnderTrust(
  projectRoot: string,
  commands: readonly VerifyCommand[],
): Promise<CommandsUnderTrust> {
  const behind = await readBehindTexts(projectRoot, commands);
  return { commands, behind, hash: hashCommands(commands, behind) };
}

/**
 * The texts that the commands name, those that these texts name, and so on; each once, sorted by
 * place.
 */
export async function readBehindTexts(
  projectRoot: string,
  commands: readonly VerifyCommand[],
): Promise<readonly BehindText[]> {
  const files = new Map<string, Promise<string | undefined>>();
  const read = (path: string) => {
    const known = files.get(path) ?? readBehind(projectRoot, path);
    files.set(path, known);
    return known;
  };
  const refs = new Map<string, BehindRef>();
  const add = (found: readonly BehindRef[]) => {
    for (const ref of found) if (refs.size < MAX_TEXTS) refs.set(toCanonicalJson(ref), ref);
  };
  add(commands.flatMap(({ run }) => toBehindRefs(run)));
  const texts: BehindText[] = [];
  // A loop over a map also visits what is added during the loop.
  for (const ref of refs.values()) {
    const { text, path, next } = await follow(ref, read);
    texts.push({ path, name: ref.name, text });
    add(next);
  }
  return texts.sort((a, b) => toPlace(a) < toPlace(b) ? -1 : 1);
}

/** SHA-256 of commands and texts: it changes with everything that could change what is run. */
export function hashCommands(
  commands: readonly VerifyCommand[],
  behind: readonly BehindText[],
): string {
  return createHash("sha256").update(toCanonicalJson({ commands, behind })).digest("hex");
}

async function follow(ref: BehindRef, read: (path: string) => Promise<string | undefined>) {
  for (const path of ref.files) {
    const fileText = await read(path);
    if (fileText !== undefined) return { path, ...followBehind(ref, path, fileText) };
  }
  return { path: ref.files[0] ?? "", text: null, next: [] };
}

/**
 * The text that a command runs. A file that cannot be read counts as missing, and the command is
 * judged without it.
 */
function readBehind(projectRoot: string, path: string): Promise<string | undefined> {
  const file = join(projectRoot, path);
  return Promise.resolve(readControlTextIfUsable(file, "document", { within: projectRoot }));
}

function toPlace({ path, name }: BehindText): string {
  return `${path}\n${name}`;
}
