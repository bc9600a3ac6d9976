/**
 * Which questions answer a question: from the slots of the query frame that are still open, and from
 * what the question names. Pure.
 */
import type { QuestionTerms } from "./terms.ts";
import { readTerms } from "./terms.ts";

/** Tools that a plan may run. */
export type PlannedTool =
  | "find_definitions"
  | "find_references"
  | "search_text"
  | "get_symbols"
  | "analyze_structure"
  | "search_files";

/** One step of a plan. */
export interface PlanStep {
  readonly tool: PlannedTool;
  readonly purpose: string;
  /** The first step has the highest. */
  readonly priority: number;
  readonly params: Readonly<Record<string, unknown>>;
}

/** What is asked, and what is known already. */
export interface RouterInput {
  readonly question: string;
  /** IMPLEMENT, MODIFY, INVESTIGATE, QUESTION; absent where no session says. */
  readonly intent?: string;
  readonly symbol?: string;
  readonly filePath?: string;
  /** The slots of the session's frame; null where there is none. */
  readonly slots: Readonly<Record<string, { readonly value: string } | null>> | null;
  /** Symbols that the frame names. */
  readonly targetSymbols: readonly string[];
}

/** How a question is answered. */
export interface Route {
  readonly plan: readonly PlanStep[];
  readonly missingSlots: readonly string[];
  readonly risk: "HIGH" | "MEDIUM" | "LOW";
  /** What is looked for. */
  readonly terms: QuestionTerms;
}

interface SlotRow {
  readonly slot: string;
  readonly tools: readonly PlannedTool[];
}

/** What each open slot needs, in the order of the slots. */
const SLOT_TOOLS: readonly SlotRow[] = [
  { slot: "target_feature", tools: ["find_definitions", "search_text", "get_symbols"] },
  { slot: "trigger_condition", tools: ["find_references", "search_text"] },
  { slot: "observed_issue", tools: ["search_text", "analyze_structure"] },
  { slot: "desired_action", tools: [] },
];
const CHANGING = ["IMPLEMENT", "MODIFY"];
const MAX_SYMBOLS = 3;
const MAX_WORDS = 5;

/** Plans the questions; at least one step for any question that names anything. */
export function routeQuestion(input: RouterInput): Route {
  const { slots, symbol, filePath, targetSymbols } = input;
  const missing = SLOT_TOOLS.filter(({ slot }) => (slots?.[slot] ?? null) === null);
  const values = Object.values(slots ?? {}).flatMap((slot) => slot === null ? [] : [slot.value]);
  const asked = readTerms(input.question);
  const framed = readTerms(values.join("\n"));
  const terms: QuestionTerms = {
    symbols: unique([...symbol === undefined ? [] : [symbol], ...asked.symbols, ...targetSymbols]),
    paths: unique([...filePath === undefined ? [] : [filePath], ...asked.paths]),
    quoted: asked.quoted,
    // What is known of the work helps where the question itself says little.
    words: unique([...asked.words, ...asked.words.length < 2 ? framed.words : []]),
  };
  const tools = unique([
    ...missing.flatMap(({ tools }) => tools),
    ...CHANGING.includes(input.intent ?? "") ? [] : ["analyze_structure" as const],
    ...["find_definitions", "find_references", "search_text"] as const,
    "search_files" as const,
  ]);
  const steps = tools.flatMap((tool) => STEPS[tool](terms).map((step) => ({ tool, ...step })));
  return {
    plan: steps.map((step, at) => ({ ...step, priority: steps.length - at })),
    missingSlots: missing.map(({ slot }) => slot),
    risk: missing.length >= 3 ? "HIGH" : missing.length === 2 ? "MEDIUM" : "LOW",
    terms,
  };
}

type StepMaker = (terms: QuestionTerms) => readonly Pick<PlanStep, "purpose" | "params">[];

/** What each tool is asked; a tool that can be asked nothing is left out. */
const STEPS: Readonly<Record<PlannedTool, StepMaker>> = {
  find_definitions: ({ symbols, words }) =>
    // Without a name, words that stand together may be parts of one.
    (symbols.length > 0 ? symbols.slice(0, MAX_SYMBOLS) : guessNames(words)).map((symbol) => ({
      purpose: `where ${symbol} is defined`,
      params: { symbol },
    })),
  find_references: ({ symbols }) =>
    symbols.slice(0, MAX_SYMBOLS - 1).map((symbol) => ({
      purpose: `who uses ${symbol}`,
      params: { symbol },
    })),
  search_text: ({ quoted, symbols, words }) => {
    const patterns = unique([...quoted, ...words, ...symbols]).slice(0, MAX_WORDS);
    const params = { pattern: patterns, fixed: true, "case_sensitive": false };
    return patterns.length === 0
      ? []
      : [{ purpose: "files that say most about it, best first", params }];
  },
  get_symbols: ({ paths }) =>
    paths.filter((path) => /\.\w+$/.test(path)).slice(0, 2).map((path) => ({
      purpose: `what ${path} defines`,
      params: { path },
    })),
  analyze_structure: ({ paths }) =>
    paths.slice(0, 2).map((path) => ({
      purpose: `what ${path} is made of`,
      params: { "file_path": path },
    })),
  search_files: ({ paths, symbols, words }) =>
    [...paths, ...symbols, ...words].slice(0, 1).map((term) => ({
      purpose: `files named like ${term}`,
      params: { pattern: term.slice(term.lastIndexOf("/") + 1) },
    })),
};

/** `stale branches removed` may be `staleBranches`, `branchesRemoved`, or a name with one of the words. */
function guessNames(words: readonly string[]): readonly string[] {
  const plain = words.filter((word) => /^[A-Za-z][A-Za-z0-9]*$/.test(word));
  const pairs = plain.slice(1).map((word, at) =>
    `${plain[at]?.toLowerCase()}${word.charAt(0).toUpperCase()}${word.slice(1).toLowerCase()}`
  );
  return unique([...pairs.slice(0, MAX_SYMBOLS), ...words.slice(0, MAX_WORDS)]);
}

function unique<T>(list: readonly T[]): readonly T[] {
  return [...new Set(list)];
}
