/**
 * Reads Cobertura XML, as coverage.py, c8, jest, coverlet, gcovr, phpunit and others write it. Pure. Tags are read one
 * after the other: what a document type declares is passed over, so nothing in a file expands.
 */
import type { CoverageFormat } from "./hits.ts";
import { HitTally } from "./hits.ts";

/** Folders that are kept, and the longest one (guessed). */
const MOST_SOURCES = 100;
const SOURCE_CHARS = 4_096;

/** `<class filename>` holds `<line number hits>`; `<source>` is a folder that the file names begin in. */
export const readCobertura: CoverageFormat = (text, isWanted) => {
  if (!/<coverage[\s>]/.test(text.slice(0, 10_000))) return null;
  const tally = new HitTally();
  const sources: string[] = [];
  let name: string | null = null;
  for (const { tag, at } of eachTag(text)) {
    const kind = /^\/?[A-Za-z]+/.exec(tag)?.[0];
    if (kind === "class") {
      const file = readAttribute(tag, "filename");
      name = file !== null && isWanted(file) ? file : null;
    } else if (kind === "/class") name = null;
    else if (kind === "line" && name !== null) {
      const hits = readAttribute(tag, "hits") ?? "";
      const line = Number(readAttribute(tag, "number") ?? "");
      if (/^-?\d/.test(hits)) tally.add(name, line, Number.parseFloat(hits) > 0);
    } else if (kind === "source" && !tag.endsWith("/") && sources.length < MOST_SOURCES) {
      const end = text.indexOf("<", at);
      const folder = end < 0
        ? ""
        : toPlain(text.slice(at, Math.min(end, at + SOURCE_CHARS))).trim();
      if (folder !== "") sources.push(folder);
    }
  }
  return tally.toReport("Cobertura", sources);
};

/** Each tag without its brackets, and the place behind it. A bracket in a quoted value ends no tag. */
function* eachTag(text: string): Generator<{ readonly tag: string; readonly at: number }> {
  for (let from = text.indexOf("<"); from >= 0; from = text.indexOf("<", from)) {
    if (text.startsWith("<!--", from)) {
      const end = text.indexOf("-->", from);
      if (end < 0) return;
      from = end;
      continue;
    }
    const end = findTagEnd(text, from);
    if (end < 0) return;
    yield { tag: text.slice(from + 1, end), at: end + 1 };
    from = end;
  }
}

function findTagEnd(text: string, from: number): number {
  let quote = "";
  for (let at = from + 1; at < text.length; at++) {
    const char = text.charAt(at);
    if (quote !== "") quote = char === quote ? "" : quote;
    else if (char === ">") return at;
    else if (char === '"' || char === "'") quote = char;
  }
  return -1;
}

function readAttribute(tag: string, name: string): string | null {
  const found = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(tag);
  return found === null ? null : toPlain(found[1] ?? found[2] ?? "");
}

const NAMED: Readonly<Record<string, string>> = {
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&apos;": "'",
  "&amp;": "&",
};

/** Only the five names of XML itself stand for something. */
function toPlain(text: string): string {
  return text.replaceAll(/&(?:lt|gt|quot|apos|amp);/g, (name) => NAMED[name] ?? name);
}
