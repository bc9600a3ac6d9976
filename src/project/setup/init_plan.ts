/**
 * Plans what a set-up does to each file, from what is wished and what is there; does not touch the
 * disk.
 */
import type { Words } from "../../base/text/words.ts";
import type { FileWish } from "../../clients/setup.ts";
import type { EditWish } from "../edits/file_edit.ts";
import { applyWish } from "../edits/file_edit.ts";
import {
  insertMember,
  isSameJson,
  parseJsonText,
  readJsonValue,
  replaceValue,
} from "../edits/json_edit.ts";
import type { EditRecord, SetupManifest } from "./setup_manifest.ts";
import { toHash, toTextHash } from "./setup_manifest.ts";

/** A file as found on the disk. */
export type FileState =
  | { readonly kind: "missing" }
  | { readonly kind: "text"; readonly text: string; readonly isReadOnly: boolean }
  /** A link, a folder, or bytes that are no text: it is left alone. */
  | { readonly kind: "odd"; readonly message: string; readonly hint?: string };

/** Members of a JSON file that a person asked for on the command line. */
export interface MembersWish {
  readonly kind: "members";
  readonly path: string;
  readonly members: Readonly<Record<string, unknown>>;
}

/** Everything that a set-up may want. */
export type Wish = FileWish | MembersWish;

/** What happens to a file. */
export type FileAction =
  | "create"
  | "edit"
  | "upgrade"
  | "unchanged"
  /** The file is left as the person has it, although a set-up would write something else. */
  | "keep"
  | "refuse";

/** One file of a plan. */
export interface PlannedFile {
  readonly path: string;
  readonly action: FileAction;
  /** The whole new text; null where nothing is written. */
  readonly text: string | null;
  /** The text before; null where there is no file. */
  readonly before: string | null;
  /** Why the file is kept or refused, or what an edit of it means, in one sentence. */
  readonly reason: string | null;
  /** The next step for the person. */
  readonly hint: Words | null;
  /** What the manifest remembers of the file afterwards. */
  readonly memory: Memory;
}

/** A change of the manifest. */
export type Memory =
  | { readonly kind: "none" }
  | { readonly kind: "file"; readonly hash: string }
  | { readonly kind: "edit"; readonly record: EditRecord };

/** Plans each wish on its own: a refused file does not stop the others. */
export function planInit(
  wishes: readonly Wish[],
  states: ReadonlyMap<string, FileState>,
  manifest: SetupManifest,
): readonly PlannedFile[] {
  const planned = wishes.map((wish) => {
    const state = states.get(wish.path) ?? { kind: "missing" };
    const file = planOne(wish, state, manifest);
    const isReadOnly = state.kind === "text" && state.isReadOnly && file.text !== null;
    return isReadOnly
      ? refuse(wish.path, "it is read-only", `Make it writable: chmod u+w ${wish.path}`)
      : file;
  });
  // A file of which nothing is wanted, and which is not there, is no part of the plan.
  return planned.filter(({ action, before }) => action !== "unchanged" || before !== null);
}

/** The manifest after a plan, with the files that could be written. */
export function toManifestAfter(
  manifest: SetupManifest,
  planned: readonly PlannedFile[],
  folders: readonly string[],
): SetupManifest {
  const files = { ...manifest.files };
  const edits = { ...manifest.edits };
  for (const { path, memory } of planned) {
    if (memory.kind === "file") files[path] = memory.hash;
    if (memory.kind === "edit") edits[path] = memory.record;
  }
  return { ...manifest, files, edits, folders: [...new Set([...manifest.folders, ...folders])] };
}

function planOne(wish: Wish, state: FileState, manifest: SetupManifest): PlannedFile {
  if (state.kind === "odd") {
    const { message, hint = `Look at ${wish.path} yourself, then run init again.` } = state;
    return refuse(wish.path, message, hint);
  }
  const text = state.kind === "missing" ? null : state.text;
  if (wish.kind === "file") return planFile(wish, text, manifest.files[wish.path]);
  if (wish.kind === "members") return planMembers(wish, text, manifest.files[wish.path]);
  return planEdit(wish, text, manifest.edits[wish.path]);
}

function planFile(
  wish: Extract<FileWish, { readonly kind: "file" }>,
  text: string | null,
  remembered: string | undefined,
): PlannedFile {
  const { path, policy, formerly = [] } = wish;
  const hash = toTextHash(wish.text);
  const memory: Memory = { kind: "file", hash };
  if (text === null) return toWrite(path, "create", { text: wish.text, before: null, memory });
  if (toTextHash(text) === hash || policy === "once") return toUnchanged(path, text);
  if ([remembered, ...formerly.map(toTextHash)].includes(toTextHash(text))) {
    const eol = text.includes("\r\n") ? "\r\n" : "\n";
    const upgraded = wish.text.replaceAll("\n", eol);
    return toWrite(path, "upgrade", { text: upgraded, before: text, memory });
  }
  const reason = remembered === undefined
    ? "it was there before code-intel"
    : "it was edited since it was written";
  return keep(path, text, {
    reason,
    hint: `To get the present text, move ${path} away and run init again.`,
    memory: { kind: "none" },
  });
}

function planMembers(
  wish: MembersWish,
  text: string | null,
  remembered: string | undefined,
): PlannedFile {
  const { path, members } = wish;
  let now = text ?? "";
  for (const [key, value] of Object.entries(members)) {
    const parsed = parseJsonText(now);
    if (parsed.kind === "fault") return refuseText(path, parsed.message);
    const present = readJsonValue(now, [key]);
    if (present === undefined) {
      const result = insertMember(now, [key], value);
      if (result.kind === "fault") return refuseText(path, result.message);
      now = result.text;
    } else if (!isSameJson(present, value)) now = replaceValue(now, [key], { value });
  }
  if (now === text) return toUnchanged(path, now);
  const isOurs = text !== null && remembered === toTextHash(text);
  const memory: Memory = isOurs ? { kind: "file", hash: toTextHash(now) } : { kind: "none" };
  return toWrite(path, "edit", { text: now, before: text, memory });
}

function planEdit(
  wish: EditWish,
  text: string | null,
  remembered: EditRecord | undefined,
): PlannedFile {
  const { path } = wish;
  const result = applyWish(text, wish, remembered?.pieces ?? []);
  if (result.kind === "refused") return refuseText(path, result.message);
  const { text: now, pieces, kept } = result;
  const reason = `${kept.join(", ")} is set already, by hand or edited since`;
  const hint = `To have it set anew, take it out of ${path} and run init again.`;
  if (now === (text ?? "")) {
    const memory: Memory = { kind: "none" };
    return kept.length === 0 ? toUnchanged(path, text) : keep(path, now, { reason, hint, memory });
  }
  const memory: Memory = {
    kind: "edit",
    record: {
      how: wish.kind,
      isNew: remembered?.isNew ?? text === null,
      before: toBefore(text, remembered),
      after: toHash(now),
      pieces,
    },
  };
  const action = text === null ? "create" : remembered === undefined ? "edit" : "upgrade";
  const planned = toWrite(path, action, { text: now, before: text, memory });
  if (kept.length > 0) return { ...planned, reason, hint };
  const isNew = pieces.some(({ at }) => !remembered?.pieces.some((old) => isSameJson(old.at, at)));
  return isNew && wish.kind !== "block" ? { ...planned, reason: wish.note ?? null } : planned;
}

/**
 * The hash of the state before the first edit, as long as nobody else wrote to the file between two
 * runs.
 */
function toBefore(text: string | null, remembered: EditRecord | undefined): string | null {
  if (remembered === undefined || text === null) return text === null ? null : toHash(text);
  const hash = toHash(text);
  return hash === remembered.after || hash === remembered.before ? remembered.before : null;
}

function toWrite(
  path: string,
  action: FileAction,
  rest: Pick<PlannedFile, "text" | "before" | "memory">,
): PlannedFile {
  return { path, action, reason: null, hint: null, ...rest };
}

function toUnchanged(path: string, before: string | null): PlannedFile {
  return toWrite(path, "unchanged", { text: null, before, memory: { kind: "none" } });
}

function keep(
  path: string,
  before: string,
  rest: { readonly reason: string; readonly hint: string; readonly memory: Memory },
): PlannedFile {
  return { path, action: "keep", text: null, before, ...rest };
}

function refuseText(path: string, message: string): PlannedFile {
  return refuse(path, message, `Mend ${path}, then run init again; it was not touched.`);
}

/** The plan for a file that is left alone, with the next step. */
export function refuse(path: string, reason: string, hint: string): PlannedFile {
  const memory: Memory = { kind: "none" };
  return { path, action: "refuse", text: null, before: null, reason, hint, memory };
}
