/**
 * Reads the settings of one file of git's form: which files a repository names to git has to be known before git is
 * started. Pure. What git would refuse is passed over, because git says so itself.
 */

/** A setting; the key in small letters save what stands in quotes: `includeif.gitdir:~/x.path`. */
export interface ConfigEntry {
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
 * deepEqual(parseConfig('[core] excludesFile = "a b" ; mine'), [{ key: "core.excludesfile", value: "a b" }]);
 * ```
 */
export function parseConfig(text: string): readonly ConfigEntry[] {
  const entries: ConfigEntry[] = [];
  let section = "";
  // A backslash at the end of a line goes on in the next one.
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
    entries.push({ key: `${section}.${key.toLowerCase()}`, value: toValue(value) });
  }
  return entries;
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", b: "\b" };

function unescape(text: string): string {
  return text.replaceAll(/\\(.)/g, (_, sign: string) => ESCAPES[sign] ?? sign);
}

/** Takes quotes and a comment away; spaces count within quotes alone. */
function toValue(text: string): string {
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
