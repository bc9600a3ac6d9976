/** Paths in command lines that a person copies into a shell. */

/**
 * A path as one word of a shell, which no program takes for an option.
 *
 * @example
 * ```ts
 * import { strictEqual as equal } from "node:assert/strict";
 * import { toShellWord } from "./shell_word.ts";
 * equal(toShellWord("src/a.ts"), "src/a.ts");
 * equal(toShellWord("a b"), "'a b'");
 * equal(toShellWord("-x"), "./-x");
 * ```
 */
export function toShellWord(path: string): string {
  const named = path.startsWith("-") ? `./${path}` : path;
  return /^[\w./@+-]+$/.test(named) ? named : `'${named.replaceAll("'", "'\\''")}'`;
}
