/** Reads the texts of a repository for a search of lines, as far as full text says that they may have one. */
import type { LineQuery, PackedText, StoredSearch } from "../../base/files/stored_files.ts";
import { comparePaths } from "../../backends/text_query.ts";
import { toNeededWords } from "./needed_words.ts";
import type { SearchBudget } from "./search_budget.ts";
import type { SourceOwner, SourceReader } from "./source_reader.ts";

/** A search needs so much. */
export interface SearchParts {
  readonly sources: SourceReader;
  readonly repository: SourceOwner;
  readonly budget: SearchBudget;
}

/** Begins a search. */
export function openSearch(
  { sources, repository, budget }: SearchParts,
  paths: readonly string[],
  query: LineQuery,
): StoredSearch {
  const { sizes, unkept } = sources.listTexts(repository, toNeededWords(query));
  const wanted = paths.filter((path) => sizes.has(path)).sort(comparePaths);
  const keyOf = (path: string) => `${repository.id}\0${path}`;
  let at = 0;
  const next = (): readonly PackedText[] => {
    const part: string[] = [];
    for (let bytes = 0; at < wanted.length && bytes < budget.bounds.partBytes;) {
      const path = wanted[at] ?? "";
      const size = sizes.get(path) ?? 0;
      if (!budget.allow(keyOf(path), size)) break;
      part.push(path);
      bytes += size;
      at++;
    }
    const unread = part.filter((path) => budget.get(keyOf(path)) === undefined);
    if (unread.length > 0) {
      for (const text of sources.readPacked(repository, unread)) {
        budget.keep(keyOf(text.path), text);
      }
    }
    return part.flatMap((path) => budget.get(keyOf(path)) ?? []);
  };
  return {
    timeoutMs: budget.bounds.partMs,
    next,
    toNotices: () => [
      ...toCutNotice(wanted, at, budget),
      ...toUnkeptNotice(paths.filter((path) => unkept.has(path)).length),
    ],
  };
}

function toCutNotice(
  wanted: readonly string[],
  at: number,
  { bounds }: SearchBudget,
): readonly string[] {
  const left = wanted.length - at;
  if (left === 0) return [];
  return [
    `${left} of ${wanted.length} files were not searched, from "${
      wanted[at]
    }" on: a call searches ${bounds.bytes} bytes in ${bounds.ms} ms at most. Totals are those of the files before; name a folder, globs or a file_type.`,
  ];
}

function toUnkeptNotice(count: number): readonly string[] {
  if (count === 0) return [];
  return [
    `${count} large, minified or generated ${
      count === 1 ? "file was" : "files were"
    } not searched: a hub keeps no text of them.`,
  ];
}
