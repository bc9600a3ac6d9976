/**
 * The definitions of a list of files: ctags for the languages it reads, patterns for the others, within
 * a time limit, and with a notice for everything that was left out.
 */
import { join } from "node:path";
import { LIMITS } from "../../base/settings/limits.ts";
import { compareTags, languageOfPath } from "../../language/mod.ts";
import { findEndByIndent, findTagsByRegex } from "../../analysis/mod.ts";
import {
  findTagsByCtags,
  isReadByCtags,
  pickRegularFiles,
  readProjectText,
} from "../../backends/mod.ts";
import type { Tag } from "../../language/mod.ts";
import type { LiveExplorerOptions } from "../../backends/mod.ts";

/** Definitions with how they were found. */
export interface TagsFound {
  /** By path and line. */
  readonly tags: readonly Tag[];
  /** `ctags`, `regex`. */
  readonly sources: ReadonlySet<string>;
  readonly notices: readonly string[];
  /** The notices that say that definitions are missing; the others say how they were found. */
  readonly gaps: readonly string[];
}

const BATCH_FILES = 400;
const BUDGET_MS = 10_000;

/** Reads the definitions of the files; links and files over `LIMITS.fileBytes` are passed over. */
export async function readTags(
  context: LiveExplorerOptions,
  files: readonly string[],
  signal?: AbortSignal,
): Promise<TagsFound> {
  const endsAt = performance.now() + BUDGET_MS;
  const ctags = await context.backends.ctags();
  const { usable, tooLarge } = await splitBySize(context.projectRoot, files);
  const sources = new Set<string>();
  const notices: string[] = [];
  const tags: Tag[] = [];
  let unread = 0;
  const byCtags: string[] = [];
  const byRegex: string[] = [];
  for (const path of usable) {
    const language = languageOfPath(path);
    if (language === undefined) continue;
    // Ctags knows far fewer forms of markup than the tables, and more of everything else.
    (isReadByCtags(ctags, language) ? byCtags : byRegex).push(path);
  }
  for (let at = 0; at < byCtags.length && ctags.path !== undefined; at += BATCH_FILES) {
    const batch = byCtags.slice(at, at + BATCH_FILES);
    const timeoutMs = endsAt - performance.now();
    if (timeoutMs <= 0) {
      unread += batch.length;
      continue;
    }
    const run = await findTagsByCtags(ctags.path, batch, {
      root: context.projectRoot,
      timeoutMs,
      ...(signal === undefined ? {} : { signal }),
    });
    tags.push(...run.tags);
    sources.add("ctags");
    if (run.timedOut) unread += batch.length;
  }
  for (const path of byRegex) {
    signal?.throwIfAborted();
    if (performance.now() >= endsAt) {
      unread++;
      continue;
    }
    tags.push(...readByRegex(context.projectRoot, path));
    sources.add("regex");
  }
  const gaps = unread === 0 ? [] : [
    `${unread} of ${files.length} files were not read within ${BUDGET_MS} ms; give a smaller path.`,
  ];
  notices.push(...gaps);
  if (tooLarge > 0) {
    notices.push(`${tooLarge} files over ${LIMITS.fileBytes.value} bytes were passed over.`);
  }
  if (!ctags.available && byRegex.length > 0) {
    notices.push(`Definitions come from line patterns: no ctags (${ctags.reason}).`);
  }
  return { tags: tags.sort(compareTags), sources, notices, gaps };
}

async function splitBySize(
  root: string,
  files: readonly string[],
): Promise<{ readonly usable: readonly string[]; readonly tooLarge: number }> {
  const infos = await Promise.all(
    pickRegularFiles(root, files).files.map(async (path) => {
      const info = await Deno.lstat(join(root, path)).catch(() => undefined);
      return { path, info };
    }),
  );
  const regular = infos.filter((one) => one.info?.isFile === true);
  const usable = regular.filter((one) => (one.info?.size ?? 0) <= LIMITS.fileBytes.value);
  return { usable: usable.map((one) => one.path), tooLarge: regular.length - usable.length };
}

const BLOCKS =
  /^(?:class|function|method|interface|struct|enum|trait|module|namespace|object|record|implementation|protocol|mixin)$/;

/** Adds the last line to definitions of blocks where their parser does not tell it, by indentation. */
export function fillEndLines(
  context: LiveExplorerOptions,
  tags: readonly Tag[],
): readonly Tag[] {
  const needy = tags.filter((tag) => tag.endLine === undefined && BLOCKS.test(tag.kind));
  const lines = new Map<string, readonly string[]>();
  for (const path of new Set(needy.map((tag) => tag.path))) {
    const text = readProjectText(context.projectRoot, path, LIMITS.fileBytes.value);
    lines.set(path, text?.split(/\r?\n/) ?? []);
  }
  return tags.map((tag) => {
    const own = lines.get(tag.path);
    if (own === undefined || !needy.includes(tag)) return tag;
    return { ...tag, endLine: findEndByIndent(own, tag.line) };
  });
}

function readByRegex(root: string, path: string): readonly Tag[] {
  const language = languageOfPath(path);
  const text = readProjectText(root, path, LIMITS.fileBytes.value);
  return language === undefined || text === null ? [] : findTagsByRegex(path, text, language);
}
