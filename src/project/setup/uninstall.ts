/**
 * Plans and takes out of a project exactly what `init` put in; what a person edited since is kept and reported.
 */
import type { Words } from "../../base/text/words.ts";
import { undoEdit } from "../edits/file_edit.ts";
import type { FileState } from "./init_plan.ts";
import { parseJsonText, readJsonValue } from "../edits/json_edit.ts";
import type { EditRecord, SetupManifest } from "./setup_manifest.ts";
import {
  hashFileText,
  hashText,
  loadManifest,
  removeManifest,
  saveManifest,
} from "./setup_manifest.ts";
import { join } from "node:path";
import { makeIoError } from "../../base/errors.ts";
import { SESSION_GITIGNORE } from "../../session/archive.ts";
import { chooseCopyPath } from "./init.ts";
import type { SetupRoots } from "../edits/file_state.ts";
import { readFileState, readKnownFiles, resolvePath, writeText } from "../edits/file_state.ts";
import { removeUnfinishedWrites } from "../unfinished_writes.ts";

/** What happens to a file. */
export type UndoAction = "remove" | "clean" | "keep" | "refuse" | "gone";

/** One file of a plan. */
export interface PlannedUndo {
  readonly path: string;
  readonly action: UndoAction;
  /** The new text of a file that is cleaned. */
  readonly text: string | null;
  /** True when only the copy that the first edit made has the right bytes, and `text` has not. */
  readonly fromCopy: boolean;
  /** Hash of the file before the first edit; null where that is not known any more. */
  readonly before: string | null;
  readonly reason: string | null;
  readonly hint: Words | null;
}

/** Plans each file on its own. With `isPurge`, what a person edited is removed as well. */
export function planUninstall(
  manifest: SetupManifest,
  states: ReadonlyMap<string, FileState>,
  options: { readonly isPurge: boolean },
): readonly PlannedUndo[] {
  const files = Object.entries(manifest.files).map(([path, hash]) =>
    planFile(path, hash, { state: states.get(path), ...options })
  );
  const edits = Object.entries(manifest.edits).map(([path, record]) =>
    planEdit(path, record, { state: states.get(path), ...options })
  );
  return [...files, ...edits].sort((a, b) => a.path < b.path ? -1 : 1);
}

interface Situation {
  readonly state: FileState | undefined;
  readonly isPurge: boolean;
}

function planFile(path: string, hash: string, { state, isPurge }: Situation): PlannedUndo {
  if (state === undefined || state.kind === "missing") return row(path, "gone");
  if (state.kind === "odd") return refuse(path, state.message);
  if (isPurge || hashFileText(state.text) === hash) {
    return state.isReadOnly ? refuse(path, "it is read-only") : row(path, "remove");
  }
  return row(path, "keep", {
    reason: "it was edited since it was written",
    hint: "Delete it yourself, or use --purge.",
  });
}

function planEdit(path: string, record: EditRecord, { state, isPurge }: Situation): PlannedUndo {
  if (state === undefined || state.kind === "missing") return row(path, "gone");
  if (state.kind === "odd") return refuse(path, state.message);
  if (state.isReadOnly) return refuse(path, "it is read-only");
  const { text } = state;
  if (record.how === "json") {
    const parsed = parseJsonText(text);
    if (parsed.kind === "fault") return refuse(path, parsed.message);
  }
  const { text: now, kept } = undoEdit(text, record, { isPurge });
  const isWhole = record.after === hashText(text);
  const { before } = record;
  if (record.isNew && kept.length === 0 && isEmpty(now, record.how)) return row(path, "remove");
  const fromCopy = isWhole && before !== null && hashText(now) !== before;
  const told = kept.length === 0 ? {} : {
    reason: `${kept.join(", ")} was edited since it was written`,
    hint: "Take it out yourself, or use --purge.",
  };
  if (now === text && kept.length === 0) return row(path, "gone");
  if (now === text) return row(path, "keep", told);
  return row(path, "clean", { text: now, fromCopy, before, ...told });
}

function isEmpty(text: string, how: EditRecord["how"]): boolean {
  if (text.trim() === "") return true;
  if (how !== "json" || parseJsonText(text).kind === "fault") return false;
  // A file with only an empty object is removed, unless a person wrote comments into it.
  return JSON.stringify(readJsonValue(text, [])) === "{}" && /^\uFEFF?\s*\{\s*\}\s*$/.test(text);
}

function refuse(path: string, reason: string): PlannedUndo {
  return row(path, "refuse", { reason, hint: `Mend ${path}, then run uninstall again.` });
}

function row(
  path: string,
  action: UndoAction,
  rest: Partial<Omit<PlannedUndo, "path" | "action">> = {},
): PlannedUndo {
  return {
    path,
    action,
    text: null,
    fromCopy: false,
    before: null,
    reason: null,
    hint: null,
    ...rest,
  };
}

/** What to take out. */
export interface UninstallInput extends SetupRoots {
  /**
   * True to remove also what a person edited, and everything that the program keeps in
   * `.code-intel`.
   */
  readonly isPurge: boolean;
}

/** A plan that can be shown, and then carried out; null where `init` never ran. */
export interface UninstallPlan {
  readonly input: UninstallInput;
  readonly files: readonly PlannedUndo[];
  readonly manifest: SetupManifest;
}

/** Reads and plans; nothing is changed. Null where `init` never ran. */
export async function planRemoval(input: UninstallInput): Promise<UninstallPlan | null> {
  const manifest = await loadManifest(join(input.root, ".code-intel"));
  if (manifest === null) return null;
  const states = await readKnownFiles(input, manifest);
  const hasWork = !input.isPurge && await holdsWork(input, manifest);
  const files = planUninstall(manifest, states, input)
    .map((file) =>
      hasWork && file.path === IGNORE_FILE && file.action === "remove" ? keepIgnoreFile(file) : file
    );
  return { input, files, manifest };
}

/**
 * Carries a plan out. A file that cannot be changed is reported, and the others are still changed.
 */
export async function applyRemoval(plan: UninstallPlan): Promise<readonly PlannedUndo[]> {
  const { input, manifest } = plan;
  const done: PlannedUndo[] = [];
  for (const file of plan.files) done.push(await undo(input, file));
  const left = reduceManifest(manifest, done);
  const written = [...Object.keys(manifest.files), ...Object.keys(manifest.edits)];
  await removeUnfinishedWrites([
    ...[...written, ...written.map(chooseCopyPath)].map((path) => resolvePath(input, path)),
    ...MANIFESTS.map((name) => join(input.root, name)),
  ]);
  for (const path of Object.keys(manifest.edits)) {
    if (left.edits[path] === undefined) await removeCopy(input, path);
  }
  const codeIntelDir = join(input.root, ".code-intel");
  const isDone = Object.keys(left.files).length === 0 && Object.keys(left.edits).length === 0;
  if (isDone) await removeManifest(codeIntelDir);
  else await saveManifest(codeIntelDir, left);
  for (const folder of manifest.folders.toReversed()) await removeIfEmpty(input, folder);
  return done;
}

const MANIFESTS = [".code-intel/manifest.json", ".code-intel/manifest.local.json"];
const IGNORE_FILE = ".code-intel/.gitignore";

/**
 * Whether files of the program's work stay in `.code-intel`: then git has to go on ignoring them.
 */
async function holdsWork(places: SetupRoots, manifest: SetupManifest): Promise<boolean> {
  const known = new Set([...Object.keys(manifest.files), ...MANIFESTS]);
  const folder = join(places.root, ".code-intel");
  for (const path of await listFiles(folder)) {
    const isOurs = known.has(`.code-intel/${path}`) || path.startsWith("init_backup/");
    if (!isOurs) return true;
  }
  return false;
}

/** The ignore file becomes the one that sessions write without `init`, which hides itself too. */
function keepIgnoreFile(file: PlannedUndo): PlannedUndo {
  return {
    ...file,
    action: "clean",
    text: SESSION_GITIGNORE,
    reason: "sessions, logs or an index of code-intel are still there",
    hint: "Use --purge to remove them too.",
  };
}

async function undo(input: UninstallInput, file: PlannedUndo): Promise<PlannedUndo> {
  const absolute = resolvePath(input, file.path);
  try {
    if (file.action === "remove") await Deno.remove(absolute);
    if (file.action === "clean") await writeText(input, file.path, await restoreText(input, file));
    return file;
  } catch (cause) {
    const { message, hint } = makeIoError(`change "${file.path}"`, cause);
    return { ...file, action: "refuse", text: null, reason: message, hint };
  }
}

/** The text without our pieces; taken from the copy where only the copy has the right bytes. */
async function restoreText(input: UninstallInput, file: PlannedUndo): Promise<string> {
  const text = file.text ?? "";
  if (!file.fromCopy) return text;
  const state = await readFileState(input, chooseCopyPath(file.path));
  return state.kind === "text" && hashText(state.text) === file.before ? state.text : text;
}

/** The manifest for a later `uninstall`: the files that were kept or refused. */
function reduceManifest(manifest: SetupManifest, done: readonly PlannedUndo[]): SetupManifest {
  // The ignore file that hides itself needs no entry in the manifest.
  const isHidden = ({ path, action }: PlannedUndo) => path === IGNORE_FILE && action === "clean";
  const left = new Set(
    done.filter((file) => file.action === "refuse" || (file.reason !== null && !isHidden(file)))
      .map(({ path }) => path),
  );
  const pick = <T>(record: Readonly<Record<string, T>>) =>
    Object.fromEntries(Object.entries(record).filter(([path]) => left.has(path)));
  return { ...manifest, files: pick(manifest.files), edits: pick(manifest.edits) };
}

async function removeCopy(places: SetupRoots, path: string): Promise<void> {
  const copy = chooseCopyPath(path);
  await remove(resolvePath(places, copy));
  if (copy.startsWith("~/")) return;
  const parts = copy.split("/");
  for (let length = parts.length - 1; length >= 2; length--) {
    await removeIfEmpty(places, parts.slice(0, length).join("/"));
  }
}

async function remove(path: string): Promise<void> {
  await Deno.remove(path).catch((cause) => {
    if (!(cause instanceof Deno.errors.NotFound)) throw makeIoError(`remove "${path}"`, cause);
  });
}

async function removeIfEmpty(places: SetupRoots, folder: string): Promise<void> {
  // Without `recursive` only an empty folder is removed.
  await Deno.remove(resolvePath(places, folder)).catch(() => {});
}

async function listFiles(folder: string, below = ""): Promise<readonly string[]> {
  const found: string[] = [];
  try {
    for await (const { name, isDirectory } of Deno.readDir(join(folder, below))) {
      const path = below === "" ? name : `${below}/${name}`;
      if (isDirectory) found.push(...await listFiles(folder, path));
      else found.push(path);
    }
  } catch (cause) {
    if (!(cause instanceof Deno.errors.NotFound)) throw makeIoError(`read "${folder}"`, cause);
  }
  return found;
}
