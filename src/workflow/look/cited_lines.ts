/**
 * Reads the lines that rules of the project cite, and the lines beside blank ones. Also finds lines
 * that say a rule better.
 */
import type { ProjectPath } from "../../base/paths.ts";
import { clip } from "../../base/text/clip.ts";
import type { Facts } from "../../phase/facts.ts";
import { buildDoubtfulFields } from "../../phase/rules/cited_lines.ts";
import { countShared } from "../../base/text/shared_words.ts";
import { parseLines } from "../../base/text/places.ts";

const CITED_CHARS = 160;
/** Where the line stands that was meant, when a blank one is cited. */
const NEARBY = [1, -1, 2, -2, 3, -3] as const;

/** A line that says a rule shares so many words with it at least (guessed). */
const LEAST_SHARED = 2;

/** The lines that sources of the form `path:lines` cite, each cut to be read at a glance. */
export async function readCited(
  rules: readonly { readonly rule: string; readonly source: string }[],
  readLines: (path: ProjectPath) => Promise<readonly string[] | null>,
): Promise<Pick<Facts, "cited" | "nearby" | "better" | "sections">> {
  const cited: Record<string, string> = {};
  const better: Record<string, { readonly source: string; readonly text: string }> = {};
  const nearby: Record<string, readonly { readonly source: string; readonly text: string }[]> = {};
  const sections: Record<string, readonly string[]> = {};
  await Promise.all(rules.map(async ({ rule, source }) => {
    const place = parseLines(source);
    const lines = place === null ? null : await readLines(place.path as ProjectPath);
    if (place === null || lines === null) return;
    const { path, start, end } = place;
    const isThere = start >= 1 && end <= lines.length;
    const text = isThere ? lines.slice(start - 1, end).map((line) => line.trim()).join(" ") : "";
    if (isThere) cited[source] = clip(text.trim(), CITED_CHARS);
    if (isThere && start === end && isHeading(path, lines, start - 1)) {
      sections[source] = findSection(path, lines, start - 1);
    }
    const shared = lines.map((line) => countShared(rule, line));
    const most = Math.max(LEAST_SHARED, countShared(rule, text) + 1, ...shared);
    const at = shared.indexOf(most);
    if (at >= 0) {
      better[source] = {
        source: `${path}:${at + 1}`,
        text: clip((lines[at] ?? "").trim(), CITED_CHARS),
      };
    }
    if (!isThere || text.trim() !== "") return;
    nearby[source] = NEARBY.flatMap((step) => {
      const near = (lines[start - 1 + step] ?? "").trim();
      return near === "" ? [] : [{ source: `${path}:${start + step}`, text: near }];
    });
  }));
  return { cited, nearby, better, sections };
}

/** Files in which `#` or a line of signs below makes a heading; in code it makes a comment. */
const PROSE = /\.(?:md|mdx|markdown|rst|adoc|asciidoc|txt)$|(?:^|\/)[A-Z]+$/i;
/** Most lines of a section that are looked at (guessed). */
const SECTION_LINES = 80;

function isHeading(path: string, lines: readonly string[], at: number): boolean {
  const [line = "", below = ""] = [lines[at]?.trim(), lines[at + 1]?.trim()];
  if (!PROSE.test(path) || line === "") return false;
  if (/^(?:#{1,6}|={1,6})\s+\S/.test(line)) return true;
  return /^([=\-~^"'*+#])\1{2,}$/.test(below) && !/^[-*+>|]\s|^\|/.test(line);
}

/** A heading with the lines below it, up to the next one. */
function findSection(path: string, lines: readonly string[], at: number): readonly string[] {
  const end = lines.findIndex((_, index) => index > at && isHeading(path, lines, index));
  return lines.slice(at, Math.min(end < 0 ? lines.length : end, at + SECTION_LINES));
}

const CITATION = /[\w@.-]+(?:\/[\w@.-]+)*\.\w+:\d{1,7}(?:-\d{1,7})?/g;
const NO_LINE = "no such line";

/** The rules of a text that cite lines, one a line or sentence: `Names are English (docs/style.md:12)`. */
function listCiting(text: string): readonly { readonly rule: string; readonly source: string }[] {
  return text.split(/\n|;\s|(?<=[.!?)])\s+(?=\p{Lu})/u).flatMap((part) => {
    const rule = part.replaceAll(CITATION, " ");
    return [...part.matchAll(CITATION)].map(([source]) => ({ rule, source }));
  });
}

/** Which cited lines of a text do not say what it says of them, and what stands there instead; empty where all do. */
export async function findDoubtfulCitations(
  text: string,
  readLines: (path: ProjectPath) => Promise<readonly string[] | null>,
): Promise<Readonly<Record<string, string>>> {
  const rules = listCiting(text);
  const facts = await readCited(rules, readLines);
  const known = rules.filter(({ source }) => facts.cited?.[source] !== undefined);
  const missing = rules.filter((rule) => !known.includes(rule));
  const { cited_lines: doubtful = {} } = buildDoubtfulFields(known, facts) as {
    readonly cited_lines?: Readonly<Record<string, string>>;
  };
  return { ...doubtful, ...Object.fromEntries(missing.map(({ source }) => [source, NO_LINE])) };
}
