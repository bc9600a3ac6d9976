/** The committed sizes of the folders, which the tidy test holds. */
import { join } from "node:path";
import { FEATURES } from "../../src/features/features.ts";
import { readSourceFiles, ROOT } from "../../tests/tidy/source_files.ts";
import type { CountedFile, FolderSize } from "./count.ts";
import { measureFolders } from "./count.ts";

/** The most that a folder may hold, and why it was raised the last time. */
export interface SizeRow extends FolderSize {
  readonly reason?: string;
  /** The row is a budget for work that has begun: it is not lowered. */
  readonly isBudget?: true;
}

/** Rows by folder. */
export type SizeTable = Readonly<Record<string, SizeRow>>;

/** Where the table lies. */
export const TABLE_FILE = new URL("sizes.json", import.meta.url);

/** The table as it is committed. */
export async function readTable(): Promise<SizeTable> {
  return JSON.parse(await Deno.readTextFile(TABLE_FILE)) as SizeTable;
}

/** The folders as they are now. */
export async function measureSources(): Promise<ReadonlyMap<string, FolderSize>> {
  const folders = ["src", "tests", "tools", "lab"];
  return measureFolders([...await readSourceFiles(...folders), ...await readTracerFiles()]);
}

/** What features load into processes of other languages: code as well, in whatever language. */
async function readTracerFiles(): Promise<readonly CountedFile[]> {
  const own = FEATURES.flatMap(({ files = [] }) => files).filter((path) => path.startsWith("src/"));
  return await Promise.all(own.map(async (path) => ({
    path,
    text: await Deno.readTextFile(join(ROOT, path)),
  })));
}

/** A sentence for each folder that holds more than its row allows, or has no row. */
export function findGrown(
  sizes: ReadonlyMap<string, FolderSize>,
  table: SizeTable,
): readonly string[] {
  return [...sizes].flatMap(([folder, { lines, files }]) => {
    const row = table[folder];
    const raise =
      `pay for it elsewhere in the folder, or raise its row in tools/size/sizes.json with a "reason"`;
    if (row === undefined) {
      return [`${folder} has no row in tools/size/sizes.json: give it a budget`];
    }
    const grown = [
      ...(lines > row.lines ? [`${lines} lines of code, ${row.lines} allowed`] : []),
      ...(files > row.files ? [`${files} files, ${row.files} allowed`] : []),
    ];
    return grown.length === 0 ? [] : [`${folder}: ${grown.join("; ")}: ${raise}`];
  });
}

/** The table with every figure lowered to what is there now; rows of folders that are gone are left out. */
export function lowerTable(sizes: ReadonlyMap<string, FolderSize>, table: SizeTable): SizeTable {
  return Object.fromEntries([...sizes].map(([folder, { lines, files }]) => {
    const row = table[folder] ?? { lines, files };
    if (row.isBudget === true) return [folder, row];
    return [folder, {
      ...row,
      lines: Math.min(lines, row.lines),
      files: Math.min(files, row.files),
    }];
  }));
}
