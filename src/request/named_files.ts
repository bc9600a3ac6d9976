/**
 * Reads the files that a payload names as a person would: with lines behind them, in a sentence, without their folder. Where a
 * file is only read, a name that leads to one file alone is enough; where a file is decided about, its path has to stand
 * there. Pure.
 */
import type { JsonRecord } from "../base/text/json_record.ts";
import { asRecord, isRecord } from "../base/text/json_record.ts";
import { parseReadLine, readNamedFiles, readPlace } from "../base/text/places.ts";

/** The files of a project, as names in a payload lead to them. */
export interface KnownFiles {
  /** Whether there is a file or folder of that path. */
  readonly isThere: (path: string) => boolean;
  /** The path relative to the project, where it was given from the root of the system. */
  readonly toProject: (path: string) => string;
  /** The only file with that name, in any case; undefined where there are none or several. */
  readonly findByName: (name: string) => string | undefined;
}

/** Finds files of a project by path and by name; what git ignores counts where a text names it by its path (`isPlain`). */
export function findKnownFiles(
  files: readonly string[],
  { isPlain, toProject }: {
    readonly isPlain: (text: string) => boolean;
    readonly toProject: (path: string) => string;
  },
): KnownFiles {
  const known = new Set(files.flatMap((path) => [path, path.replace(/\/[^/]*$/, "")]));
  return {
    isThere: (path) => known.has(path) || isPlain(path),
    toProject: (path) => /^(?:\/|\.\/)/.test(path) ? toProject(path) : path,
    findByName: (name) => {
      const end = `/${name}`.toLowerCase();
      const found = files.filter((path) => `/${path}`.toLowerCase().endsWith(end));
      return found.length === 1 ? found[0] : undefined;
    },
  };
}

/** Lists whose files were only read. */
const READ_LISTS = ["explored_files", "documents_reviewed", "search_results"] as const;
/** Lists that decide about files. */
const DECIDING_LISTS = ["reviewed_files", "include_person_changes"] as const;

type Reader = (text: string) => readonly string[];

/** Every text of a payload that names files. */
export function listNamedTexts(data: unknown): readonly string[] {
  const texts: string[] = [];
  mapNames(data, { read: (text) => [texts.push(text), text].slice(1) as string[] });
  return texts;
}

/** The payload with the paths of the project in it, and each text that was put right, as `sent → read`. */
export function readFilesOf(
  data: unknown,
  files: KnownFiles,
): { readonly data: unknown; readonly read: readonly string[] } {
  const told: string[] = [];
  const decide = (text: string) => {
    const path = files.toProject(text);
    const meant = files.toProject(readPlace(text).path);
    return files.isThere(path) || !files.isThere(meant) ? [path] : [meant];
  };
  const read = (text: string) => {
    const path = files.toProject(text);
    if (files.isThere(path) || parseReadLine(text) !== null) return [path];
    const found = readNamedFiles(
      text,
      (one) => files.isThere(files.toProject(one)),
      files.findByName,
    )
      .map(files.toProject);
    if (found.length === 0) return [path];
    if (found.some((one) => !text.includes(one))) told.push(`${text} → ${found.join(", ")}`);
    return found;
  };
  return { data: mapNames(data, { read, decide }), read: told };
}

function mapNames(
  data: unknown,
  { read, decide = read }: { readonly read: Reader; readonly decide?: Reader },
): unknown {
  if (!isRecord(data)) return data;
  const mapped: Record<string, unknown> = { ...data };
  for (const field of READ_LISTS) mapList(mapped, field, read);
  for (const field of DECIDING_LISTS) mapList(mapped, field, decide);
  const { decisions } = asRecord(data["impact_summary"]);
  if (Array.isArray(decisions)) {
    const inner = { decisions };
    mapList(inner, "decisions", decide);
    mapped["impact_summary"] = inner;
  }
  const { mandatory_rules: rules } = data;
  if (Array.isArray(rules)) mapped["mandatory_rules"] = rules.map((rule) => mapSource(rule, read));
  return mapped;
}

function mapList(data: Record<string, unknown>, field: string, read: Reader): void {
  const list = data[field];
  if (!Array.isArray(list)) return;
  data[field] = list.flatMap((row) => {
    if (typeof row === "string") return read(row);
    const key = isRecord(row) && typeof row["path"] === "string" ? "path" : "file";
    const name = asRecord(row)[key];
    return typeof name === "string" ? [{ ...row, [key]: read(name)[0] ?? name }] : [row];
  });
}

/** The source of a rule keeps its lines. */
function mapSource(rule: unknown, read: Reader): unknown {
  const { source } = asRecord(rule);
  if (typeof source !== "string") return rule;
  const { path, start, end } = readPlace(source);
  const [meant = path] = read(path);
  const lines = start === undefined ? "" : start === end ? `:${start}` : `:${start}-${end}`;
  return { ...rule as JsonRecord, source: `${meant}${lines}` };
}
