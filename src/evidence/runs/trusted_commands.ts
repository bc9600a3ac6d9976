/** Commands together with the texts behind them, and the hash by which a person trusts both. */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { toCanonicalJson } from "../../base/canonical_json.ts";
import { readControlTextIfUsable } from "../../base/control_file.ts";
import type { BehindRef } from "./behind_refs.ts";
import { toBehindRefs } from "./behind_refs.ts";
import { followBehind } from "./behind_text.ts";
import type { VerifyCommand } from "./verify_commands.ts";

/** A text behind a command, as it is on the disk. */
export interface BehindText {
  /** Relative to the project. */
  readonly path: string;
  /** Script, task or target; empty for a whole file. */
  readonly name: string;
  /** Null where the file, or the name in it, does not exist. */
  readonly text: string | null;
}

/** Commands with what they stand for. */
export interface CommandsUnderTrust {
  readonly commands: readonly VerifyCommand[];
  readonly behind: readonly BehindText[];
  /** SHA-256 over both. */
  readonly hash: string;
}

/** Scripts that name each other end somewhere; what is beyond is not followed. */
const MAX_TEXTS = 200;

/** Reads the texts behind the commands of a project, and hashes the whole. */
export async function loadCommandsUnderTrust(
  projectRoot: string,
  commands: readonly VerifyCommand[],
): Promise<CommandsUnderTrust> {
  const behind = await readBehindTexts(projectRoot, commands);
  return { commands, behind, hash: hashCommands(commands, behind) };
}

/** Texts that the commands name, those that these name, and so on; each once, sorted by place. */
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
  // A map gives what is added while it is walked over.
  for (const ref of refs.values()) {
    const { text, path, next } = await follow(ref, read);
    texts.push({ path, name: ref.name, text });
    add(next);
  }
  return texts.sort((a, b) => toPlace(a) < toPlace(b) ? -1 : 1);
}

/** SHA-256 of commands and texts; it changes with whatever could change what is run. */
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

/** The text behind a command; a file that cannot be used is as none: the command is judged without it. */
function readBehind(projectRoot: string, path: string): Promise<string | undefined> {
  const file = join(projectRoot, path);
  return Promise.resolve(readControlTextIfUsable(file, "document", { within: projectRoot }));
}

function toPlace({ path, name }: BehindText): string {
  return `${path}\n${name}`;
}
