/**
 * Plans what a set-up does to each file, from what is wished and what is there; does not touch the
 * disk.
 */
import type { Words } from "../../base/text/words.ts";
import type { DesiredFile } from "../../clients/setup.ts";
import type { DesiredEdit } from "../edits/file_edit.ts";
import { applyDesired } from "../edits/file_edit.ts";
import {
  insertMember,
  isEqualJson,
  parseJsonText,
  readJsonValue,
  replaceValue,
} from "../edits/json_edit.ts";
import type { EditRecord, SetupManifest } from "./setup_manifest.ts";
import { hashFileText, hashText } from "./setup_manifest.ts";

/** A file as found on the disk. */
export type FileState =
  | { readonly kind: "missing" }
  | { readonly kind: "text"; readonly text: string; readonly isReadOnly: boolean }
  /** A link, a folder, or a file that is not UTF-8: it is left alone. */
  | { readonly kind: "odd"; readonly message: string; readonly hint?: string };

/** Members of a JSON file that a person asked for on the command line. */
export interface DesiredMembers {
  readonly kind: "members";
  readonly path: string;
  readonly members: Readonly<Record<string, unknown>>;
}

/** Everything that a set-up may want. */
export type DesiredChange = DesiredFile | DesiredMembers;

/** What happens to a file. */
export type FileAction =
  | "create"
  | "edit"
  | "upgrade"
  | "unchanged"
  /** The file is left as the user has it, although a set-up would write something else. */
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
  /** The next step for the user. */
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
  wishes: readonly DesiredChange[],
  states: ReadonlyMap<string, FileState>,
  manifest: SetupManifest,
): readonly PlannedFile[] {
  const planned = wishes.map((wish) => {
    const state = states.get(wish.path) ?? { kind: "missing" };
    const file = planOne(wish, state, manifest);
    const isReadOnly = state.kind === "text" && state.isReadOnly && file.text !== null;
    return isReadOnly
      ? planRefusal(wish.path, "it is read-only", `Make it writable: chmod u+w ${wish.path}`)
      : file;
  });
  // A file of which nothing is wanted, and which is not there, is no part of the plan.
  return planned.filter(({ action, before }) => action !== "unchanged" || before !== null);
}

/** The manifest after a plan, with the files that could be written. */
export function updateManifest(
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

function planOne(wish: DesiredChange, state: FileState, manifest: SetupManifest): PlannedFile {
  if (state.kind === "odd") {
    const { message, hint = `Look at ${wish.path} yourself, then run init again.` } = state;
    return planRefusal(wish.path, message, hint);
  }
  const text = state.kind === "missing" ? null : state.text;
  if (wish.kind === "file") return planFile(wish, text, manifest.files[wish.path]);
  if (wish.kind === "members") return planMembers(wish, text, manifest.files[wish.path]);
  return planEdit(wish, text, manifest.edits[wish.path]);
}

function planFile(
  wish: Extract<DesiredFile, { readonly kind: "file" }>,
  text: string | null,
  remembered: string | undefined,
): PlannedFile {
  const { path, policy, formerly = [] } = wish;
  const hash = hashFileText(wish.text);
  const memory: Memory = { kind: "file", hash };
  if (text === null) return planWrite(path, "create", { text: wish.text, before: null, memory });
  if (hashFileText(text) === hash || policy === "once") return planUnchanged(path, text);
  if ([remembered, ...formerly.map(hashFileText)].includes(hashFileText(text))) {
    const eol = text.includes("\r\n") ? "\r\n" : "\n";
    const upgraded = wish.text.replaceAll("\n", eol);
    return planWrite(path, "upgrade", { text: upgraded, before: text, memory });
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
  wish: DesiredMembers,
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
    } else if (!isEqualJson(present, value)) now = replaceValue(now, [key], { value });
  }
  if (now === text) return planUnchanged(path, now);
  const isOurs = text !== null && remembered === hashFileText(text);
  const memory: Memory = isOurs ? { kind: "file", hash: hashFileText(now) } : { kind: "none" };
  return planWrite(path, "edit", { text: now, before: text, memory });
}

function planEdit(
  wish: DesiredEdit,
  text: string | null,
  remembered: EditRecord | undefined,
): PlannedFile {
  const { path } = wish;
  const result = applyDesired(text, wish, remembered?.pieces ?? []);
  if (result.kind === "refused") return refuseText(path, result.message);
  const { text: now, pieces, kept } = result;
  const reason = `${kept.join(", ")} is set already, by hand or edited since`;
  const hint = `To have it set anew, take it out of ${path} and run init again.`;
  if (now === (text ?? "")) {
    const memory: Memory = { kind: "none" };
    return kept.length === 0
      ? planUnchanged(path, text)
      : keep(path, now, { reason, hint, memory });
  }
  const memory: Memory = {
    kind: "edit",
    record: {
      how: wish.kind,
      isNew: remembered?.isNew ?? text === null,
      before: hashBefore(text, remembered),
      after: hashText(now),
      pieces,
    },
  };
  const action = text === null ? "create" : remembered === undefined ? "edit" : "upgrade";
  const planned = planWrite(path, action, { text: now, before: text, memory });
  if (kept.length > 0) return { ...planned, reason, hint };
  const isNew = pieces.some(({ at }) => !remembered?.pieces.some((old) => isEqualJson(old.at, at)));
  return isNew && wish.kind !== "block" ? { ...planned, reason: wish.note ?? null } : planned;
}

/**
 * The hash of the state before the first edit, as long as nobody else wrote to the file between two
 * runs.
 */
function hashBefore(text: string | null, remembered: EditRecord | undefined): string | null {
  if (remembered === undefined || text === null) return text === null ? null : hashText(text);
  const hash = hashText(text);
  return hash === remembered.after || hash === remembered.before ? remembered.before : null;
}

function planWrite(
  path: string,
  action: FileAction,
  rest: Pick<PlannedFile, "text" | "before" | "memory">,
): PlannedFile {
  return { path, action, reason: null, hint: null, ...rest };
}

function planUnchanged(path: string, before: string | null): PlannedFile {
  return planWrite(path, "unchanged", { text: null, before, memory: { kind: "none" } });
}

function keep(
  path: string,
  before: string,
  rest: { readonly reason: string; readonly hint: string; readonly memory: Memory },
): PlannedFile {
  return { path, action: "keep", text: null, before, ...rest };
}

function refuseText(path: string, message: string): PlannedFile {
  return planRefusal(path, message, `Mend ${path}, then run init again; it was not touched.`);
}

/** The plan for a file that is left alone, with the next step. */
export function planRefusal(path: string, reason: string, hint: string): PlannedFile {
  const memory: Memory = { kind: "none" };
  return { path, action: "refuse", text: null, before: null, reason, hint, memory };
}
