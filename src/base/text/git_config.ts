/**
 * Reads a file in the form of git's settings: which files a repository names to git has to be known
 * before git is started. Pure. What git would refuse is skipped, because git reports it itself.
 */

/** A setting; its key is in lower case except for the quoted part: `includeif.gitdir:~/x.path`. */
export interface GitConfigEntry {
  readonly key: string;
  readonly value: string;
}

const HEADER = /^\s*\[([A-Za-z0-9.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\]/;
const SETTING = /^\s*([A-Za-z][A-Za-z0-9-]*)\s*(?:=\s*(.*))?$/s;

/**
 * All settings of a text in their order.
 *
 * @example
 * ```ts
 * import { deepStrictEqual as deepEqual } from "node:assert/strict";
 * import { parseConfig } from "./git_config.ts";
 * deepEqual(parseConfig('[core] excludesFile = "a b" ; mine'), [{ key: "core.excludesfile", value: "a b" }]);
 * ```
 */
export function parseConfig(text: string): readonly GitConfigEntry[] {
  const entries: GitConfigEntry[] = [];
  let section = "";
  // A backslash at the end of a line continues it in the next line.
  for (const whole of text.replaceAll(/\\\r?\n/g, "").split(/\r?\n/)) {
    let line = whole;
    const header = HEADER.exec(line);
    if (header !== null) {
      const [all, name = "", below] = header;
      section = name.toLowerCase() + (below === undefined ? "" : `.${unescape(below)}`);
      line = line.slice(all.length);
    }
    const [, key, value = ""] = SETTING.exec(line) ?? [];
    if (key === undefined || section === "") continue;
    entries.push({ key: `${section}.${key.toLowerCase()}`, value: parseValue(value) });
  }
  return entries;
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", b: "\b" };

function unescape(text: string): string {
  return text.replaceAll(/\\(.)/g, (_, sign: string) => ESCAPES[sign] ?? sign);
}

/** Removes quotes and a comment; blanks count only inside quotes. */
function parseValue(text: string): string {
  let value = "";
  let keptLength = 0;
  let isQuoted = false;
  for (const [part] of text.matchAll(/\\.|[^\\]/gs)) {
    if (part === '"') isQuoted = !isQuoted;
    else if (!isQuoted && (part === "#" || part === ";")) break;
    else value += part.length > 1 ? unescape(part) : part;
    if (isQuoted || !/^\s$/.test(part)) keptLength = value.length;
  }
  return value.slice(0, keptLength);
}
