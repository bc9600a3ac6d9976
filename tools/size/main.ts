/**
 * Prints the lines of code of each folder beside what the table allows, and lowers the table where a folder has shrunk:
 * `deno task size`. Ends with 1 where a folder has grown.
 */
import { parseWords, print as say } from "../task.ts";
import type { FolderSize } from "./count.ts";
import type { SizeTable } from "./table.ts";
import { findGrown, lowerTable, measureSources, readTable, TABLE_FILE } from "./table.ts";

const SUMS: readonly (readonly [name: string, isCounted: (folder: string) => boolean])[] = [
  ["core", (folder) => /^src\b(?!\/features)/.test(folder)],
  ["features", (folder) => folder.startsWith("src/features")],
];

parseWords("deno task size", { args: Deno.args, options: {} });
const [sizes, table] = await Promise.all([measureSources(), readTable()]);
print(sizes, table);
const grown = findGrown(sizes, table);
for (const sentence of grown) say(sentence);
if (grown.length > 0) Deno.exit(1);
await Deno.writeTextFile(TABLE_FILE, `${JSON.stringify(lowerTable(sizes, table), null, 2)}\n`);

function print(sizes: ReadonlyMap<string, FolderSize>, table: SizeTable): void {
  say(`${"folder".padEnd(28)}${"lines".padStart(8)}${"allowed".padStart(9)}${"files".padStart(7)}`);
  for (const [folder, { lines, files }] of sizes) {
    const allowed = table[folder]?.lines ?? "-";
    const figures = `${String(lines).padStart(8)}${String(allowed).padStart(9)}`;
    say(`${folder.padEnd(28)}${figures}${String(files).padStart(7)}`);
  }
  for (const [name, isCounted] of SUMS) {
    const rows = [...sizes].filter(([folder]) => isCounted(folder)).map(([, size]) => size);
    const lines = rows.reduce((sum, row) => sum + row.lines, 0);
    const files = rows.reduce((sum, row) => sum + row.files, 0);
    say(
      `${name.padEnd(28)}${String(lines).padStart(8)}${"".padStart(9)}${String(files).padStart(7)}`,
    );
  }
}
