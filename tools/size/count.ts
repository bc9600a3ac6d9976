/** Counts lines of code: what is neither blank nor a comment. Pure. */

/** Strings and comments; what stands in a string begins no comment. */
const STRING_OR_COMMENT =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`/g;

/** A file with its path from the top of the repository. */
export interface CountedFile {
  readonly path: string;
  readonly text: string;
}

/** What a folder holds. */
export interface FolderSize {
  /** Lines of code. */
  readonly lines: number;
  readonly files: number;
}

/**
 * The lines of a TypeScript text that hold code.
 *
 * @example
 * ```ts
 * import { strictEqual as equal } from "node:assert/strict";
 * import { countCodeLines } from "./count.ts";
 * equal(countCodeLines('// a\n\nconst a = "//";\nf(a);\n'), 2);
 * ```
 */
export function countCodeLines(text: string): number {
  const code = text.replaceAll(STRING_OR_COMMENT, (part) => /^\/[/*]/.test(part) ? "" : part);
  return code.split("\n").filter((line) => line.trim() !== "").length;
}

/** The same of a Python text; a text in three quotes that is a statement counts as a comment. */
function countPythonLines(text: string): number {
  const code = text.replaceAll(/^\s*(?:"""[\s\S]*?"""|#.*)$/gm, "");
  return code.split("\n").filter((line) => line.trim() !== "").length;
}

/** The size of each folder of `src` and its features, and of `tests`, `tools` and `lab` as a whole. */
export function measureFolders(files: readonly CountedFile[]): ReadonlyMap<string, FolderSize> {
  const sizes = new Map<string, FolderSize>();
  for (const { path, text } of files) {
    const folder = findFolder(path);
    const { lines, files } = sizes.get(folder) ?? { lines: 0, files: 0 };
    const own = path.endsWith(".py") ? countPythonLines(text) : countCodeLines(text);
    sizes.set(folder, { lines: lines + own, files: files + 1 });
  }
  return new Map([...sizes].sort(([one], [other]) => (one < other ? -1 : 1)));
}

function findFolder(path: string): string {
  const parts = path.split("/").slice(0, -1);
  const depth = parts[0] !== "src" ? 1 : parts[1] === "features" ? 3 : 2;
  return parts.slice(0, depth).join("/");
}
