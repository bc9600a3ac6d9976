/** Finds small wrong versions of the changed lines of a file in its syntax tree. */
import { LIMITS } from "../../base/settings/limits.ts";
import type { Language } from "../../language/languages.ts";
import { languageByName, languageOfPath } from "../../language/languages.ts";
import { parseText } from "../../syntax/tree_sitter.ts";
import { listScripts } from "../../syntax/embedded_scripts.ts";
import type { ChangedRange } from "./mutant_walk.ts";
import { walkForMutants } from "./mutant_walk.ts";
import type { Mutant, MutantKind } from "./mutant.ts";
import { applyMutant, MUTANT_KINDS } from "./mutant.ts";
import { toMutantRules } from "./mutant_rules.ts";

/** A changed source file. */
export interface ChangedSource {
  /** Relative to the worktree. */
  readonly path: string;
  readonly text: string;
  /** Lines that the session added or rewrote. */
  readonly ranges: readonly ChangedRange[];
}

/** Most mutants of one line: they say much the same. */
const MOST_ON_LINE = 3;

/** The mutants of a file, by line and the more telling ones first; none where its language has no grammar for them. */
export async function findMutants(file: ChangedSource): Promise<readonly Mutant[]> {
  const found: Mutant[] = [];
  for (const { language, text } of toParts(file)) {
    const rules = toMutantRules(language);
    if (rules === null) continue;
    using tree = await parseText(text, language.name);
    if (tree !== null) found.push(...walkForMutants(file, tree.root, rules));
  }
  return thinOut(found);
}

/** Whether the file with the change is of its language as much as it is without. */
export async function isSound(
  { path, text }: Pick<ChangedSource, "path" | "text">,
  mutant: Mutant,
): Promise<boolean> {
  const before = toParts({ path, text });
  const after = toParts({ path, text: applyMutant(text, mutant) });
  for (const [at, { language, text: part }] of before.entries()) {
    const errors = await countErrors(part, language);
    const mutated = await countErrors(after[at]?.text ?? "", language);
    if (errors === null || mutated === null || mutated > errors) return false;
  }
  return before.length === after.length;
}

/** Null where nothing parses the text. */
async function countErrors(text: string, language: Language): Promise<number | null> {
  using tree = await parseText(text, language.name);
  if (tree === null) return null;
  return tree.root.hasError ? Math.max(1, tree.root.descendantsOfType("ERROR").length) : 0;
}

/** The texts of a file that run: all of it, or its scripts with blanks round them. */
function toParts(
  { path, text }: Pick<ChangedSource, "path" | "text">,
): readonly { readonly language: Language; readonly text: string }[] {
  const language = languageOfPath(path);
  if (language === undefined || text.length > LIMITS.fileBytes.value) return [];
  if (!language.holdsScripts) return [{ language, text }];
  return listScripts(text).flatMap((script) => {
    const inner = languageByName(script.language);
    return inner === undefined ? [] : [{ language: inner, text: script.padded }];
  });
}

function thinOut(found: readonly Mutant[]): readonly Mutant[] {
  const order = (kind: MutantKind) => MUTANT_KINDS.indexOf(kind);
  const sorted = found.toSorted((a, b) =>
    a.line - b.line || order(a.kind) - order(b.kind) || a.start - b.start
  );
  return sorted.filter(({ line }, at) => sorted[at - MOST_ON_LINE]?.line !== line);
}
