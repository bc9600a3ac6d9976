/** One session's checkpoint on disk: two generations with seals, each replaced as a whole. */
import { join } from "node:path";
import { isRecord } from "../base/text/json_record.ts";
import { readControlFile, readControlText, toUnusableError } from "../base/files/control_file.ts";
import { toTemporaryPath } from "../base/files/temporary.ts";
import { toIoError } from "../base/errors.ts";
import { checkOwnFile, listOwnFolder, writeOwnFile } from "../base/files/own_folder.ts";
import type { Seal, SealVerdict } from "../base/files/seal.ts";
import type { Checkpoint } from "./session.ts";
import { parseCheckpoint } from "./session.ts";

/** The content of a checkpoint file. */
export type Generation =
  | { readonly kind: "absent" }
  | {
    readonly kind: "whole";
    readonly checkpoint: Checkpoint;
    /**
     * Result of checking the seal; what it means depends on what this home folder remembers of the
     * session.
     */
    readonly seal: SealVerdict;
  }
  /** The file belongs to another session. */
  | { readonly kind: "tampered"; readonly checkpoint: Checkpoint }
  | { readonly kind: "newer"; readonly format: number }
  | { readonly kind: "damaged"; readonly reason: string };

const SEAL_AT_END = /,"seal":"([0-9a-f]{8}:[0-9a-f]{64})"\}\s*$/;

/** The paths of the present and of the previous generation of a session. */
export function toGenerationPaths(
  sessionsDir: string,
  id: string,
): { readonly current: string; readonly previous: string } {
  const current = join(sessionsDir, `${id}.json`);
  return { current, previous: `${current}.prev` };
}

/** Reads one generation and checks its form, its name and its seal. */
export async function readGeneration(path: string, id: string, seal: Seal): Promise<Generation> {
  const reading = readControlFile(path, "checkpoint");
  if (reading.kind === "absent") return reading;
  if (reading.kind === "unusable") {
    // A missing right says nothing about the file, so it is an error; any other failure means that
    // the file is no checkpoint and is set aside.
    if (reading.why === "unreadable") throw toUnusableError(reading.problem);
    return { kind: "damaged", reason: reading.reason };
  }
  const { text } = reading;
  const value = parseObject(text);
  if (value === undefined) return { kind: "damaged", reason: "it is not a JSON object" };
  const { seal: _seal, ...body } = value;
  const parsed = parseCheckpoint(body);
  if (parsed.kind === "newer") return parsed;
  if (parsed.kind === "invalid") return { kind: "damaged", reason: parsed.reason };
  const { checkpoint } = parsed;
  if (checkpoint.state.sessionId !== id) return { kind: "tampered", checkpoint };
  return { kind: "whole", checkpoint, seal: await checkSeal(text, value, seal) };
}

/**
 * Checks the seal, which is made over the JSON without spaces in the order of its keys. The text is
 * first checked as it is; only a file that an editor has formatted has to be serialised again.
 */
async function checkSeal(text: string, value: Readonly<Record<string, unknown>>, seal: Seal) {
  const match = SEAL_AT_END.exec(text);
  if (match !== null) {
    const written = `${text.slice(0, match.index)}}`;
    const verdict = await seal.check(written, match[1] ?? null);
    if (verdict !== "wrong") return verdict;
  }
  const { seal: found, ...body } = value;
  const stored = typeof found === "string" ? found : null;
  return await seal.check(JSON.stringify(body), stored);
}

/**
 * The text of a checkpoint with its seal as the last member; without a seal while sealing is off.
 */
export async function toSealedText(
  checkpoint: Checkpoint,
  seal: Seal,
): Promise<{ readonly text: string; readonly isSealed: boolean }> {
  const body = JSON.stringify(checkpoint);
  const sealed = await seal.sign(body);
  return sealed === null
    ? { text: `${body}\n`, isSealed: false }
    : { text: `${body.slice(0, -1)},"seal":"${sealed}"}\n`, isSealed: true };
}

/**
 * Replaces the present generation and keeps it as the previous one. After a kill at any moment both
 * names have complete files, because the old file gets its second name before the new file takes
 * the first.
 */
export async function writeGeneration(
  paths: { readonly current: string; readonly previous: string },
  text: string,
): Promise<void> {
  for (const path of [paths.current, paths.previous]) checkOwnFile(path);
  await keepPrevious(paths.current, paths.previous);
  await writeOwnFile(paths.current, text, { mode: 0o600 });
}

async function keepPrevious(current: string, previous: string): Promise<void> {
  const temporary = toTemporaryPath(previous);
  try {
    await Deno.link(current, temporary);
    await Deno.rename(temporary, previous);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return;
    // A file system without hard links gets a copy.
    await writeOwnFile(previous, readControlText(current, "checkpoint") ?? "", { mode: 0o600 });
  } finally {
    // Renaming between two names of one file does nothing and leaves the first name, which is
    // removed here.
    await Deno.remove(temporary).catch(() => {});
  }
}

/** Renames a damaged file, beside earlier ones; returns its new name. */
export async function setAside(sessionsDir: string, id: string, path: string): Promise<string> {
  const taken = new Set((await listOwnFolder(sessionsDir)).map(({ name }) => name));
  let number = 1;
  while (taken.has(`${id}.json.corrupt-${number}`)) number++;
  const name = `${id}.json.corrupt-${number}`;
  try {
    await Deno.rename(path, join(sessionsDir, name));
  } catch (error) {
    // Another process has renamed it already.
    if (!(error instanceof Deno.errors.NotFound)) throw toIoError(`set "${path}" aside`, error);
  }
  return name;
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
