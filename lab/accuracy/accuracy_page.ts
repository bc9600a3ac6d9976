/** The result as Markdown: `docs/accuracy.md`. Pure. */
import { toTable } from "../../tools/docs/markdown.ts";
import type { CheckoutResult } from "./compare_checkout.ts";
import { NAMES } from "./compare_checkout.ts";
import type { Explained, KindText } from "./difference_kind.ts";
import { ONLY_CTAGS } from "./only_ctags.ts";
import { ONLY_OURS } from "./only_ours.ts";
import { REFERENCE_KINDS } from "./reference_kinds.ts";

/** What the page says beside the results. */
export interface Provenance {
  /** Commit of this program, with a note when files differ from it. */
  readonly commit: string;
  /** Names and versions of the programs. */
  readonly programs: readonly string[];
}

const CAUSES: Readonly<Record<string, string>> = {
  terms: "both are right in their own terms",
  theirs: "the other program",
  ours: "the index",
};

/** The page. */
export function renderAccuracy(results: readonly CheckoutResult[], from: Provenance): string {
  const parts = [
    "# Accuracy",
    "<!-- Made by `deno task accuracy --docs FOLDER…`; do not edit. -->",
    "How well the index reads code that nobody here wrote: its definitions beside those of Universal Ctags, its references\n" +
    "beside the hits of `rg -w`. Both others are fallible, so every difference is looked at and has a kind.",
    `Made at commit ${from.commit} with ${from.programs.join(", ")}.`,
    toTable(
      ["repository", "most files", "files", "with errors", "revision"],
      results.map((one) => [
        one.name,
        one.language,
        String(one.files),
        String(one.partial),
        `\`${one.revision}\``,
      ]),
    ),
    ...definitionParts(results),
    ...referenceParts(results),
    ...unexplainedParts(results),
  ];
  return `${parts.join("\n\n")}\n`;
}

function definitionParts(results: readonly CheckoutResult[]): string[] {
  return [
    "## Definitions",
    "All tags of ctags (its default kinds, and prototypes of C and C++) against all symbols of the index: same file, same name, at\n" +
    'most two lines apart, one for one. "Found" is the share of real definitions among the tags of ctags that the index has: agreed\n' +
    'by agreed and missed. "Right" is the share of the index\'s symbols that are definitions: all by all and misread.',
    toTable(
      [
        "repository",
        "both",
        "only ctags",
        "missed by us",
        "only the index",
        "misread by us",
        "unexplained",
        "found",
        "right",
      ],
      results.map(({ name, definitions: { both, onlyCtags, onlyOurs } }) => {
        const missed = countOurs(onlyCtags);
        const misread = countOurs(onlyOurs);
        const all = both + onlyOurs.length;
        return [
          name,
          String(both),
          String(onlyCtags.length),
          String(missed),
          String(onlyOurs.length),
          String(misread),
          String([...onlyCtags, ...onlyOurs].filter(({ kind }) => kind === null).length),
          toShare(both, both + missed),
          toShare(all - misread, all),
        ];
      }),
    ),
    "### Only ctags",
    kindTable(ONLY_CTAGS, results.map(({ name, definitions }) => [name, definitions.onlyCtags])),
    "### Only the index",
    kindTable(ONLY_OURS, results.map(({ name, definitions }) => [name, definitions.onlyOurs])),
  ];
}

function referenceParts(results: readonly CheckoutResult[]): string[] {
  return [
    "## References",
    `The lines that name ${NAMES} names of each repository: names that are defined there and stand 2 to 200 times in its text, taken in\n` +
    "turn from each kind of definition, in an order that a hash of the name decides. Against them the hits of `rg -w` in the same\n" +
    "files, without those that stand only in comments and strings. What is a comment or a string is decided by Pygments, a lexer\n" +
    "that shares nothing with the grammars of the index; code inside strings (interpolation) counts as code for both. Recall and\n" +
    "precision count every difference as our fault but those that the table below explains otherwise.",
    toTable(
      [
        "repository",
        "names",
        "both",
        "only rg",
        "only the index",
        "unexplained",
        "recall",
        "precision",
      ],
      results.map(({ name, references: { names, both, differences } }) => {
        const only = (side: string) => differences.filter(({ found }) => found.side === side);
        const held = (side: string) =>
          only(side).filter(({ kind }) => kind === null || kind.cause === "ours");
        return [
          name,
          String(names),
          String(both),
          String(only("ripgrep").length),
          String(only("ours").length),
          String(differences.filter(({ kind }) => kind === null).length),
          toShare(both, both + held("ripgrep").length),
          toShare(both, both + held("ours").length),
        ];
      }),
    ),
    kindTable(
      REFERENCE_KINDS,
      results.map(({ name, references }) => [name, references.differences]),
    ),
  ];
}

/** Unexplained differences, so that nobody has to look for them. */
function unexplainedParts(results: readonly CheckoutResult[]): string[] {
  const rows = results.flatMap(({ name, definitions, references }) => [
    ...rowsOf(name, "definition, only ctags", definitions.onlyCtags),
    ...rowsOf(name, "definition, only the index", definitions.onlyOurs),
    ...rowsOf(name, "reference", references.differences),
  ]);
  return [
    "## Unexplained",
    rows.length === 0 ? "Nothing." : toTable(["repository", "list", "name", "place"], rows),
  ];
}

function rowsOf(
  repository: string,
  list: string,
  differences: readonly Explained<Found>[],
): string[][] {
  return differences.filter(({ kind }) => kind === null).map(({ found }) => [
    repository,
    list,
    `\`${found.name}\``,
    `${found.path}:${found.line}`,
  ]);
}

interface Found {
  readonly name: string;
  readonly path: string;
  readonly line: number;
}

/** A row a kind that occurs: what it is, whose doing, how often in each repository, an example. */
function kindTable(
  kinds: readonly KindText[],
  lists: readonly (readonly [name: string, differences: readonly Explained<Found>[]])[],
): string {
  const rows = kinds.flatMap(({ id, cause, text }) => {
    const found = lists.map(([name, list]) =>
      [name, list.filter(({ kind }) => kind?.id === id)] as const
    ).filter(([, list]) => list.length > 0);
    if (found.length === 0) return [];
    const [name, [example] = []] = found[0] ?? [];
    return [[
      id,
      text,
      CAUSES[cause] ?? cause,
      found.map(([repository, list]) => `${repository} ${list.length}`).join(", "),
      example === undefined
        ? ""
        : `${name}: \`${example.found.name}\`, ${example.found.path}:${example.found.line}`,
    ]];
  });
  return toTable(["kind", "what it is", "whose doing", "how often", "example"], rows);
}

function countOurs(list: readonly Explained<Found>[]): number {
  return list.filter(({ kind }) => kind === null || kind.cause === "ours").length;
}

/** In percent with two digits; rounded down, so that 100 means all. */
function toShare(part: number, all: number): string {
  return all === 0 ? "–" : (Math.floor(10_000 * part / all) / 100).toFixed(2) + " %";
}
