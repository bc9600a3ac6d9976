/** The folders of a map that say most about it, with their sums. Pure. */
import type { MapFile } from "./code_map.ts";

/** A folder, or a file where it is as large as one. */
export interface FolderRow {
  /** Relative to the project; a folder ends with `/`. */
  readonly path: string;
  readonly files: number;
  readonly lines: number;
  /** Commits of the last year that changed its files, each counted for each of them; null where they are not known. */
  readonly changes: number | null;
}

/**
 * At most `most` rows that share all files among them: the largest folder is split into what it holds as long as there is
 * room.
 */
export function listFolders(files: readonly MapFile[], most: number): readonly FolderRow[] {
  let rows: readonly Group[] = split({ path: "", files });
  for (;;) {
    const [largest] = rows.filter(holdsFolders).toSorted((a, b) => countLines(b) - countLines(a));
    const parts = largest === undefined ? [] : split(largest);
    if (largest === undefined || rows.length + parts.length - 1 > most) break;
    rows = rows.flatMap((row) => row === largest ? parts : [row]);
  }
  return rows.map((row) => ({
    path: row.path,
    files: row.files.length,
    lines: countLines(row),
    changes: row.files.some(({ changes }) => changes === null)
      ? null
      : row.files.reduce((sum, { changes }) => sum + (changes ?? 0), 0),
  })).toSorted((a, b) => b.lines - a.lines || (a.path < b.path ? -1 : 1));
}

interface Group {
  readonly path: string;
  readonly files: readonly MapFile[];
}

function isFolder({ path }: Group): boolean {
  return path.endsWith("/");
}

function holdsFolders({ path, files }: Group): boolean {
  return isFolder({ path, files }) && files.some((file) => file.path.includes("/", path.length));
}

function split({ path, files }: Group): readonly Group[] {
  const groups = Map.groupBy(files, (file) => {
    const end = file.path.indexOf("/", path.length);
    return end < 0 ? file.path : file.path.slice(0, end + 1);
  });
  const parts = [...groups].map(([name, own]) => ({ path: name, files: own }));
  // Files beside one another are one row: their folder says enough about them.
  const loose = parts.filter((part) => !isFolder(part));
  if (loose.length < 2) return parts;
  const rest = { path: `${path}*`, files: loose.flatMap((part) => part.files) };
  return [...parts.filter(isFolder), rest];
}

function countLines({ files }: Group): number {
  return files.reduce((sum, { lines }) => sum + lines, 0);
}
