/**
 * What `init` remembers in `.code-intel/manifest.json`: hashes of what it wrote. So a later run
 * replaces only what nobody edited, and `uninstall` removes exactly what `init` added.
 */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { formatCanonicalJson, isRecord } from "../../base/text/json_record.ts";
import { readControlText } from "../../base/files/control_file.ts";
import { CodeIntelError, makeIoError } from "../../base/errors.ts";
import { writeOwnFile } from "../../base/files/own_folder.ts";

/** A value, table or block that was put into somebody else's file. */
export interface PieceRecord {
  /** Names down to the value, or to the array that holds it; one name for a table or a block. */
  readonly at: readonly string[];
  readonly isItem: boolean;
  /** Hash of the value as it was written. */
  readonly hash: string;
  /** How many containers above the value were made for it. */
  readonly made: number;
  /** Text put before and after it to make room. */
  readonly lead: string;
  readonly tail: string;
}

/** How a file that is not ours was edited. */
export interface EditRecord {
  readonly how: "json" | "toml" | "block";
  /** True where there was no such file before. */
  readonly isNew: boolean;
  /** Hash of the file before the first edit; null where other hands edited it between two runs. */
  readonly before: string | null;
  /** Hash of the file as the last run left it. */
  readonly after: string;
  readonly pieces: readonly PieceRecord[];
}

/** The whole manifest. Paths are relative to the project, or begin with `~/`. */
export interface SetupManifest {
  readonly version: 1;
  /** Hash of each file of our own as it was written. */
  readonly files: Readonly<Record<string, string>>;
  readonly edits: Readonly<Record<string, EditRecord>>;
  /** Folders that `init` made, parents first. */
  readonly folders: readonly string[];
}

/** The manifest of a project that was never set up. */
export const EMPTY_MANIFEST: SetupManifest = { version: 1, files: {}, edits: {}, folders: [] };

const FILE = "manifest.json";
/**
 * Holds what was written into files of this machine only; git ignores it, because a clone has none
 * of these files.
 */
const LOCAL_FILE = "manifest.local.json";

/** Written by every set-up; with nothing else in the folder for a team, it hides itself. */
const IGNORE_FILE = ".code-intel/.gitignore";

/** Files of the project that belong to a person and their machine; the second hides both from git. */
const LOCAL_PATHS: readonly string[] = [".claude/settings.local.json", ".claude/.gitignore"];

/** True for a file that belongs to a person and their machine, not to the team. */
function isLocal(path: string): boolean {
  return path.startsWith("~/") || LOCAL_PATHS.includes(path);
}

/** First 16 hex digits of the SHA-256 of a text. */
export function hashText(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

/** The hash of a file of ours; line ends do not count, because git may change them in a clone. */
export function hashFileText(text: string): string {
  return hashText(text.replaceAll("\r\n", "\n"));
}

/** The hash of a JSON value, whatever the order of its members. */
export function hashValue(value: unknown): string {
  return hashText(formatCanonicalJson(value));
}

/**
 * Reads the manifest; null where there is none.
 *
 * @throws {CodeIntelError} `config_invalid` when a file of it is damaged or of a later version.
 */
export async function loadManifest(codeIntelDir: string): Promise<SetupManifest | null> {
  const [shared, local] = await Promise.resolve(
    [FILE, LOCAL_FILE].map((name) => loadPart(codeIntelDir, name)),
  );
  if (!shared || !local) return shared ?? local ?? null;
  return {
    version: 1,
    files: { ...shared.files, ...local.files },
    edits: { ...shared.edits, ...local.edits },
    folders: [...shared.folders, ...local.folders],
  };
}

function loadPart(codeIntelDir: string, name: string): SetupManifest | null {
  const text = readControlText(join(codeIntelDir, name), "memory");
  if (text === undefined) return null;
  const value = parse(text);
  if (isManifest(value)) return value;
  throw new CodeIntelError(
    "config_invalid",
    `Cannot read ".code-intel/${name}": it has another form`,
    {
      hint: "Bring it back from git; without it, delete it: init then treats every file as yours.",
    },
  );
}

/** Writes the manifest with sorted keys, so that a second run leaves the same bytes. */
export async function saveManifest(codeIntelDir: string, manifest: SetupManifest): Promise<void> {
  // Where nothing is for the team, even the folder and its ignore file are of this machine alone.
  const paths = Object.keys({ ...manifest.files, ...manifest.edits });
  const hasShared = paths.some((path) => !isLocal(path) && path !== IGNORE_FILE);
  const isOfMachine = (path: string) => !hasShared || isLocal(path);
  const shared = keepPart(manifest, (path) => !isOfMachine(path));
  for (
    const [name, part] of [[FILE, shared], [LOCAL_FILE, keepPart(manifest, isOfMachine)]] as const
  ) {
    const { files, edits, folders } = part;
    const size = [files, edits, folders].flatMap((one) => Object.keys(one)).length;
    if (size > 0) await savePart(join(codeIntelDir, name), part);
    else await remove(join(codeIntelDir, name));
  }
}

/** Removes the manifest of a set-up that was undone. */
export async function removeManifest(codeIntelDir: string): Promise<void> {
  for (const name of [FILE, LOCAL_FILE]) await remove(join(codeIntelDir, name));
}

function keepPart(manifest: SetupManifest, isWanted: (path: string) => boolean): SetupManifest {
  const choose = <T>(record: Readonly<Record<string, T>>) =>
    sortKeys(Object.fromEntries(Object.entries(record).filter(([path]) => isWanted(path))));
  return {
    version: manifest.version,
    files: choose(manifest.files),
    edits: choose(manifest.edits),
    folders: manifest.folders.filter(isWanted).sort(),
  };
}

async function savePart(path: string, part: SetupManifest): Promise<void> {
  const text = `${JSON.stringify(part, null, 2)}\n`;
  const before = readControlText(path, "memory");
  if (before?.replaceAll("\r\n", "\n") !== text) await writeOwnFile(path, text);
}

async function remove(path: string): Promise<void> {
  await Deno.remove(path).catch((cause) => {
    if (!(cause instanceof Deno.errors.NotFound)) throw makeIoError(`remove "${path}"`, cause);
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isManifest(value: unknown): value is SetupManifest {
  if (!isRecord(value)) return false;
  const { version, files, edits, folders } = value;
  return version === 1 && isRecord(files) && Object.values(files).every(isText) &&
    isRecord(edits) && Object.values(edits).every(isEdit) &&
    Array.isArray(folders) && folders.every(isText);
}

function isEdit(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { how, pieces, after } = value;
  return isText(how) && ["json", "toml", "block"].includes(how) && isText(after) &&
    Array.isArray(pieces) && pieces.every(isPiece);
}

function isPiece(value: unknown): boolean {
  return isRecord(value) && Array.isArray(value["at"]) && value["at"].every(isText) &&
    isText(value["hash"]) && isText(value["lead"]) && isText(value["tail"]) &&
    typeof value["made"] === "number" && typeof value["isItem"] === "boolean";
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function sortKeys<T>(record: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => a < b ? -1 : 1));
}
