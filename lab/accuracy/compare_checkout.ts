/** Compares one checkout with ctags and with `rg`: counts, and each difference with its kind. */
import { withFolder } from "../harness/run.ts";
import type { Checkout } from "./checkout.ts";
import { ctagsNameOf, withCheckout } from "./checkout.ts";
import type { WordHit } from "./compare_references.ts";
import { compareLines, findWord } from "./compare_references.ts";
import { runCtags } from "./ctags_run.ts";
import type { Explained } from "./definition_facts.ts";
import { createFacts, explain } from "./definition_facts.ts";
import { lexFiles } from "./lexed.ts";
import type { CtagsTag, OurSymbol } from "./match_definitions.ts";
import { matchDefinitions } from "./match_definitions.ts";
import { ONLY_CTAGS } from "./only_ctags.ts";
import { ONLY_OURS } from "./only_ours.ts";
import { countWords, pickNames } from "./pick_names.ts";
import type { ReferenceDifference } from "./reference_kinds.ts";
import { REFERENCE_KINDS } from "./reference_kinds.ts";

/** Names whose references are compared, in each checkout. */
export const NAMES = 100;

/** What the comparison of one checkout gave. */
export interface CheckoutResult {
  readonly name: string;
  readonly revision: string;
  /** Language of most files. */
  readonly language: string;
  /** Files compared. */
  readonly files: number;
  /** Of them, how many break their grammar. */
  readonly partial: number;
  readonly definitions: {
    readonly both: number;
    readonly onlyCtags: readonly Explained<CtagsTag>[];
    readonly onlyOurs: readonly Explained<OurSymbol>[];
  };
  readonly references: {
    /** Names that were compared: fewer than 100 in a small checkout. */
    readonly names: number;
    /** Lines that both name. */
    readonly both: number;
    readonly differences: readonly Explained<ReferenceDifference>[];
  };
}

/** Indexes a folder in a temporary place and compares it. */
export async function compareCheckout(folder: string): Promise<CheckoutResult> {
  return await withFolder(
    undefined,
    (scratch) =>
      withCheckout(folder, scratch, async (checkout) => ({
        name: checkout.name,
        revision: checkout.revision,
        language: mainLanguage(checkout),
        files: checkout.lines.size,
        partial: checkout.partial.size,
        definitions: await compareDefinitions(checkout),
        references: await compareReferences(checkout),
      })),
  );
}

function mainLanguage({ languages }: Checkout): string {
  const groups = Map.groupBy(languages.values(), (language) => language);
  return [...groups].sort((a, b) => b[1].length - a[1].length)[0]?.[0] ?? "none";
}

async function compareDefinitions(checkout: Checkout): Promise<CheckoutResult["definitions"]> {
  const paths = [...checkout.lines.keys()].filter((path) => ctagsNameOf(path) !== undefined);
  const isRead = new Set(paths);
  const symbols = checkout.symbols.filter(({ path }) => isRead.has(path));
  const tags = await runCtags(checkout.folder, paths);
  const matched = matchDefinitions(tags, symbols);
  const facts = createFacts(checkout, { tags, symbols, matched });
  return {
    both: matched.both.length,
    onlyCtags: explain(matched.onlyCtags, ONLY_CTAGS, facts),
    onlyOurs: explain(matched.onlyOurs, ONLY_OURS, facts),
  };
}

async function compareReferences(checkout: Checkout): Promise<CheckoutResult["references"]> {
  const { folder, index, languages, lines, partial } = checkout;
  const names = pickNames(checkout.symbols, countWords(lines.values()), NAMES);
  const lexed = await lexFiles(folder, languages);
  const differences: ReferenceDifference[] = [];
  let both = 0;
  for (const { name } of names) {
    const { hits } = await index.read((view) => view.findOccurrences(name));
    const ours = hits.flatMap(({ path, line, column }): WordHit[] => {
      const text = lines.get(path)?.[line - 1];
      return text === undefined ? [] : [{ path, line, byte: toBytes(text.slice(0, column - 1)) }];
    });
    const compared = compareLines(ours, await findWord(folder, name), lexed);
    both += compared.both;
    const lists = { ripgrep: compared.onlyRipgrep, ours: compared.onlyOurs };
    for (const side of ["ripgrep", "ours"] as const) {
      const list = lists[side];
      differences.push(...list.map((one) => ({
        ...one,
        name,
        side,
        text: lines.get(one.path)?.[one.line - 1] ?? "",
        language: languages.get(one.path) ?? "",
        isPartial: partial.has(one.path),
      })));
    }
  }
  return { names: names.length, both, differences: explain(differences, REFERENCE_KINDS, null) };
}

function toBytes(text: string): number {
  return new TextEncoder().encode(text).length;
}
