/**
 * Answers `findReferences`: every place of the name in the files that hold it, with what the place does.
 * The links are by name only, and each result says so.
 */
import { LIMITS } from "../../base/settings/limits.ts";
import {
  cutLine,
  listHolding,
  pickRegularFiles,
  readSmallText,
  toLeftOutNotices,
} from "../../backends/mod.ts";
import { kindOfPlace, languageOfPath, maskText } from "../../language/mod.ts";
import type { ReferenceKind } from "../../analysis/mod.ts";
import type { Language } from "../../language/mod.ts";
import { classifyMention } from "./classify.ts";
import type {
  ExploreOptions,
  ExploreRefused,
  FindReferencesInput,
  Reference,
  ReferencesFound,
} from "../explorer.ts";
import type { LiveExplorerOptions } from "../../backends/mod.ts";
import { toLineNotices } from "../line_notices.ts";
import { resolveScope } from "../scope.ts";
import { toSubmoduleNotices } from "../submodules.ts";
import type { SymbolName } from "../symbol_name.ts";
import { compareNames, parseSymbolName } from "../symbol_name.ts";
import { readTags } from "./tag_source.ts";

// Beyond this the definitions of all the files cost more than they tell.
const MAX_TAGGED_FILES = 200;
const PROSE = new Set(["Markdown"]);

/** Finds the places that name a symbol. */
export async function findReferences(
  context: LiveExplorerOptions,
  input: FindReferencesInput,
  options: ExploreOptions,
): Promise<ReferencesFound | ExploreRefused> {
  const name = parseSymbolName(input.symbol);
  const scope = await resolveScope(context, input, options.signal);
  const problems = [
    ...(name.kind === "refused" ? [name.problem] : []),
    ...(scope.kind === "refused" ? scope.problems : []),
  ];
  if (name.kind === "refused" || scope.kind === "refused") return { kind: "refused", problems };
  const wanted = name.value;
  const text = literalOf(wanted);
  const { files, leftOut } = pickRegularFiles(context.projectRoot, scope.files);
  const holding = await listHolding(context, text, {
    files,
    ignoreCase: false,
    wholeWord: /^[\p{L}\p{N}_]+$/u.test(text),
    ...options,
  });
  const definitions = await readDefinitionLines(context, holding.files, { wanted, ...options });
  const notices = [...scope.notices, ...definitions.notices];
  if (wanted.scope.length > 0) {
    notices.push(
      `All places of "${wanted.name}" are listed; that they belong to ${
        wanted.scope.join(".")
      } is not checked.`,
    );
  }
  const found: Reference[] = [];
  let tooLarge = 0;
  for (const path of holding.files) {
    options.signal?.throwIfAborted();
    const content = readSmallText(context.projectRoot, path);
    if (content === "too_large") tooLarge++;
    else if (content !== null) {
      found.push(...findInFile(path, content, { text, input, lines: definitions.lines.get(path) }));
    }
  }
  if (tooLarge > 0) {
    notices.push(`${tooLarge} files over ${LIMITS.fileBytes.value} bytes were passed over.`);
  }
  notices.push(...toLineNotices(found.map(({ path }) => languageOfPath(path)?.name)));
  if (found.length === 0 && holding.files.length > 0 && !input.includeText) {
    const those = holding.files.length === 1 ? "1 file" : `${holding.files.length} files`;
    notices.push(
      `The name stands in ${those}, but only in comments, strings or text of no known language; ` +
        "pass include_text to see it.",
    );
  }
  if (found.length === 0) {
    notices.push(...toSubmoduleNotices(context.projectRoot, scope.path));
  }
  notices.push(...toLeftOutNotices(leftOut));
  return toAnswer(found, input, { source: holding.source, notices, symbol: wanted.whole });
}

/** Only the mentions in comments, strings and prose, of all pages, in order. */
export async function findTextMentions(
  context: LiveExplorerOptions,
  input: FindReferencesInput,
  { wanted, ...options }: ExploreOptions & { readonly wanted: SymbolName },
): Promise<{
  readonly references: readonly Reference[];
  readonly source: string;
  readonly notices: readonly string[];
}> {
  const scope = await resolveScope(context, input, options.signal);
  if (scope.kind === "refused") return { references: [], source: "files", notices: [] };
  const text = literalOf(wanted);
  const holding = await listHolding(context, text, {
    files: scope.files,
    ignoreCase: false,
    wholeWord: /^[\p{L}\p{N}_]+$/u.test(text),
    ...options,
  });
  const references: Reference[] = [];
  for (const path of holding.files) {
    options.signal?.throwIfAborted();
    const content = readSmallText(context.projectRoot, path);
    if (content === null || content === "too_large") continue;
    const found = findInFile(path, content, { text, input, lines: undefined });
    references.push(...found.filter(({ kind }) => kind === "text"));
  }
  return { references, source: holding.source, notices: scope.notices };
}

function toAnswer(
  found: readonly Reference[],
  input: FindReferencesInput,
  rest: { readonly source: string; readonly notices: readonly string[]; readonly symbol: string },
): ReferencesFound {
  const byKind: Partial<Record<ReferenceKind, number>> = {};
  for (const { kind } of found) byKind[kind] = (byKind[kind] ?? 0) + 1;
  const offset = input.offset ?? 0;
  const shown = found.slice(offset, offset + input.maxResults);
  return {
    kind: "found",
    references: shown,
    byKind,
    files: new Set(found.map((one) => one.path)).size,
    total: found.length,
    source: rest.source,
    freshness: "live",
    shownFiles: [...new Set(shown.map((one) => one.path))],
    shownSymbols: shown.length === 0 ? [] : [rest.symbol],
    ...(rest.notices.length === 0 ? {} : { notices: rest.notices }),
  };
}

function literalOf(wanted: SymbolName): string {
  return wanted.scope.length > 0 ? wanted.name : wanted.whole;
}

interface DefinitionLines {
  readonly lines: ReadonlyMap<string, ReadonlySet<number>>;
  readonly notices: readonly string[];
}

async function readDefinitionLines(
  context: LiveExplorerOptions,
  files: readonly string[],
  options: ExploreOptions & { readonly wanted: SymbolName },
): Promise<DefinitionLines> {
  const lines = new Map<string, Set<number>>();
  if (files.length > MAX_TAGGED_FILES) {
    return {
      lines,
      notices: [`Definitions are not marked: over ${MAX_TAGGED_FILES} files hold the name.`],
    };
  }
  const code = files.filter((path) => !PROSE.has(languageOfPath(path)?.name ?? ""));
  const found = await readTags(context, code, options.signal);
  for (const tag of found.tags) {
    if (compareNames(tag.name, options.wanted) !== "exact") continue;
    const known = lines.get(tag.path) ?? new Set<number>();
    lines.set(tag.path, known.add(tag.line));
  }
  // What was too large is counted by the search itself, and how definitions were found decides no reference.
  return { lines, notices: found.gaps };
}

interface FileSearch {
  readonly text: string;
  readonly input: FindReferencesInput;
  /** Lines of this file that define the name. */
  readonly lines: ReadonlySet<number> | undefined;
}

function findInFile(path: string, content: string, search: FileSearch): readonly Reference[] {
  const language = languageOfPath(path);
  const isProse = language === undefined || PROSE.has(language.name);
  if (isProse && !search.input.includeText) return [];
  const lines = content.split(/\r?\n/);
  const masked = isProse ? lines : maskText(content, language).split(/\r?\n/);
  const pattern = toNamePattern(search.text, language);
  const found: Reference[] = [];
  lines.forEach((line, index) => {
    if (!line.includes(search.text)) return;
    const seen = new Set<ReferenceKind>();
    let isDefined = search.lines?.has(index + 1) === true;
    for (const match of line.matchAll(pattern)) {
      const end = match.index + search.text.length;
      const isText = isProse || kindOfPlace(masked[index] ?? "", match.index) !== "code";
      if (isText && !search.input.includeText && !isDefined) continue;
      const kind = isDefined
        ? "definition"
        : isText || language === undefined
        ? "text"
        : classifyMention({
          lines: masked,
          index,
          start: match.index,
          end,
          language,
        });
      // The first mention on a line of definition is the definition; others are what they are.
      isDefined = false;
      if (seen.has(kind)) continue;
      seen.add(kind);
      const cut = cutLine(line, [[match.index, end]]).text;
      found.push({
        path,
        line: index + 1,
        column: match.index + 1,
        kind,
        text: cut,
        confidence: "name",
      });
    }
  });
  return found;
}

/** The name as a whole one: what may stand beside it depends on the language. */
function toNamePattern(text: string, language: Language | undefined): RegExp {
  const chars = (language?.nameChars ?? "").replace(/[\\\]^-]/g, "\\$&");
  const inner = `\\p{L}\\p{N}\\p{M}_${chars.replace(/[?!]/g, "")}`;
  // `?` and `!` end names in Ruby and Elixir, but `x != y` is a comparison.
  const tail = chars.includes("?") ? "|[?!](?!=)" : "";
  const name = text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  const lead = /^[\p{L}\p{N}_]/u.test(text) ? `(?<![${inner}])` : "";
  const close = /[?!]$/.test(text) ? "" : `(?![${inner}]${tail})`;
  return new RegExp(`${lead}${name}${close}`, "gu");
}
