/**
 * In which way a file's content is analysed: all that an analysis depends on beside the bytes. Two files
 * with the same bytes and the same variant share one analysis.
 */
import { languageOfPath } from "../../language/languages.ts";

/**
 * Raise it with every change of the analyser's results, the table of word vectors among them: everything is then
 * analysed again, bit by bit.
 */
export const ANALYSIS_VERSION = 25;

/** What tells analyses of the same bytes apart. */
export interface Variant {
  /** Unique text. */
  readonly key: string;
  /** Name in `LANGUAGES`, or null. */
  readonly language: string | null;
}

/**
 * Files that special chunkers know by their path. Each row here stands for a test of the path in
 * `analyseText`: without it, such a file would share the analysis of a plain file with its bytes.
 */
const SPECIAL: readonly (readonly [name: string, test: RegExp])[] = [
  ["composer", /(?:^|\/)composer\.json$/],
  ["tailwind", /(?:^|\/)tailwind\.config\.[a-z]+$/],
];

/** The variant of a file by its path. */
export function chooseVariant(path: string, chunkMaxTokens: number): Variant {
  const language = languageOfPath(path)?.name ?? null;
  const special = SPECIAL.find(([, test]) => test.test(path))?.[0] ?? "";
  return { key: `${buildVariantPrefix(chunkMaxTokens)}${language ?? ""}|${special}`, language };
}

/** How the keys of all variants begin that hold under these settings, whatever the path. */
export function buildVariantPrefix(chunkMaxTokens: number): string {
  return `${ANALYSIS_VERSION}|${chunkMaxTokens}|`;
}
