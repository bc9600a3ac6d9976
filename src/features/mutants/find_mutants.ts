/** Finds small wrong versions of the changed lines of a file. */
import { LIMITS } from "../../base/settings/limits.ts";
import type { Language } from "../../language/languages.ts";
import { languageByName, languageOfPath } from "../../language/languages.ts";
import { listScripts } from "../../syntax/embedded_scripts.ts";
import { parseText } from "../../syntax/tree_sitter.ts";
import type { Mutant, MutantKind } from "./mutant_rules.ts";
import { applyMutant, buildMutantRules, MUTANT_KINDS, WHOLE_KINDS } from "./mutant_rules.ts";
import type { ChangedRange } from "./walk_mutants.ts";
import { walkForMutants } from "./walk_mutants.ts";

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
/** Kinds of which a line may have more. */
const MOST_OF_KIND: Readonly<Partial<Record<MutantKind, number>>> = {
  bound: 6,
  swap: 2,
  logical: 4,
  pattern: 8,
};

/** The mutants of a file, by line and the more telling ones first; none where its language has no grammar for them. */
export async function findMutants(file: ChangedSource): Promise<readonly Mutant[]> {
  const found: Mutant[] = [];
  for (const { language, text } of splitParts(file)) {
    const rules = buildMutantRules(language);
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
  const before = splitParts({ path, text });
  const after = splitParts({ path, text: applyMutant(text, mutant) });
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
function splitParts(
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
  const counts = new Map<string, number>();
  const count = (key: string) => {
    counts.set(key, (counts.get(key) ?? 0) + 1);
    return counts.get(key) ?? 0;
  };
  return sorted.filter(({ line, kind }) => {
    if (WHOLE_KINDS.has(kind)) return true;
    const [all, own] = [count(`${line}`), count(`${line} ${kind}`)];
    return all <= MOST_ON_LINE || own <= (MOST_OF_KIND[kind] ?? 0);
  });
}
