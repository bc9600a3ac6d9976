/**
 * Plans what `uninstall` does to each file that `init` wrote or edited; does not touch the disk.
 */
import type { Words } from "../../base/text/words.ts";
import { undoEdit } from "../edits/file_edit.ts";
import type { FileState } from "./init_plan.ts";
import { parseJsonText, readJsonValue } from "../edits/json_edit.ts";
import type { EditRecord, SetupManifest } from "./setup_manifest.ts";
import { toHash, toTextHash } from "./setup_manifest.ts";

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
  if (isPurge || toTextHash(state.text) === hash) {
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
  const isWhole = record.after === toHash(text);
  const { before } = record;
  if (record.isNew && kept.length === 0 && isEmpty(now, record.how)) return row(path, "remove");
  const fromCopy = isWhole && before !== null && toHash(now) !== before;
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
