/**
 * Writes places of other repositories in lines, as they stand in the files now. It says where an
 * index has not seen the last change of a file that is shown.
 */
import { clip } from "../../base/text/clip.ts";
import { readSourceText } from "../../base/files/source_text.ts";
import { measureJson } from "../../base/text/json_record.ts";
import { LIMITS } from "../../base/settings/limits.ts";
import type { OtherAnswer, OtherRepository } from "../../services/other_repositories.ts";
import type { Member } from "./member.ts";
import type { Opened } from "./repositories.ts";

/** A place, before its line is read. */
export interface FoundPlace {
  readonly path: string;
  /** 1-based; absent for a whole file. */
  readonly line?: number;
  /** Where it ends, for a part of a file. */
  readonly endLine?: number;
  /** What stands behind the place, before the text of its line. */
  readonly what: string;
  /** Whether the text of the line is shown. */
  readonly hasText: boolean;
  /** That text, where it was read from the file just now and not looked up in the index. */
  readonly text?: string;
}

/** The places of one repository, the most telling first. */
export interface FoundPlaces {
  readonly member: Member;
  readonly places: readonly FoundPlace[];
  /** How many there are; default the number of `places`. */
  readonly total?: number;
}

/** Places of one repository that are shown. */
export const MAX_PLACES = 10;
const MAX_TEXT_CHARS = 100;

/** Makes the answer of what was found, within the bytes of a reply: all totals, and places as far as they go. */
export async function buildAnswer(
  opened: Pick<Opened, "toRoot" | "notices">,
  found: readonly FoundPlaces[],
): Promise<OtherAnswer> {
  const others: OtherRepository[] = [];
  const notices = [...opened.notices];
  let left = LIMITS.workspaceReplyBytes.value;
  for (const { member, places, total = places.length } of found) {
    if (total === 0) continue;
    const lines: string[] = [];
    const texts = new TextsOf(member);
    for (const place of places.slice(0, MAX_PLACES)) {
      const line = await formatLine(place, texts);
      left -= measureJson(line) + 1;
      if (left < 0) break;
      lines.push(line);
    }
    others.push({ repository: member.name, root: opened.toRoot(member), total, places: lines });
    if (texts.changed > 0) {
      notices.push(
        `${texts.changed} of the files shown of "${member.name}" changed since its index saw them: lines may have moved.`,
      );
    }
  }
  return { others, notices };
}

async function formatLine(
  { path, line, endLine, what, hasText, text: known }: FoundPlace,
  texts: TextsOf,
): Promise<string> {
  if (known !== undefined) return `${path}:${line}:${clip(known.trim(), MAX_TEXT_CHARS)}`;
  const isShown = line !== undefined && hasText;
  texts.look(path);
  const end = endLine === undefined ? "" : `-${endLine}`;
  const place = line === undefined ? path : `${path}:${line}${end}`;
  const text = isShown ? (await texts.read(path))[line - 1]?.trim() ?? "" : "";
  return `${place} ${what}${text === "" ? "" : `: ${clip(text, MAX_TEXT_CHARS)}`}`.trimEnd();
}

/** The lines of files of one repository. */
class TextsOf {
  readonly #member: Member;
  readonly #lines = new Map<string, readonly string[]>();
  readonly #looked = new Set<string>();
  /** Files that are not as the index has them. */
  changed = 0;

  constructor(member: Member) {
    this.#member = member;
  }

  look(path: string): void {
    if (this.#looked.has(path)) return;
    this.#looked.add(path);
    if (!this.#member.isAsSeen(path)) this.changed++;
  }

  async read(path: string): Promise<readonly string[]> {
    const known = this.#lines.get(path);
    if (known !== undefined) return known;
    const lines = (await readSourceText(this.#member.root, path) ?? "").split(/\r?\n/);
    this.#lines.set(path, lines);
    return lines;
  }
}
