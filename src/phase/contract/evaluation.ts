/**
 * The server's own judgement of an exploration and of a request's risk, from its records and the
 * query frame; what the agent says about its work does not count. Pure.
 */
import { listShowingTools } from "../table/tools.ts";
import { parseWords } from "../../base/text/words.ts";
import type { ExploringCall, Facts, RecordedCall } from "../facts.ts";
import type { Mode } from "../table/flags.ts";
import { isInvestigation } from "../table/flags.ts";
import type { Evaluation, QueryFrame, Risk, SessionState } from "../state.ts";

/** What an exploration must show to be trusted. */
export interface ExplorationNeed {
  /** Different symbols whose definition was shown. */
  readonly symbols: number;
  /** How many of these symbols must be used in another file. */
  readonly entryPoints: number;
  /** Files whose content or symbols were shown. */
  readonly files: number;
  /** Tools that must have answered `ok`. */
  readonly tools: readonly string[];
}

/** The kind of work that an exploration is for; the first kind that fits counts. */
export type ExplorationKind = "nothing" | "markup" | "investigation" | "code";

/** What each kind of work needs, before parts that the project cannot give are left out. */
export const EXPLORATION_NEEDS: Readonly<Record<ExplorationKind, ExplorationNeed>> = {
  nothing: { symbols: 0, entryPoints: 0, files: 0, tools: [] },
  markup: { symbols: 0, entryPoints: 0, files: 1, tools: [] },
  investigation: { symbols: 1, entryPoints: 0, files: 1, tools: [] },
  code: { symbols: 3, entryPoints: 1, files: 2, tools: ["find_definitions", "find_references"] },
};

const DEFINING_TOOLS = listShowingTools("symbols");
const SHOWING_TOOLS = listShowingTools("files");

/** Text and layout without logic; templates and component files count as code. */
const PURE_MARKUP = /\.(?:html?|css|scss|sass|less|md|markdown)$/i;
const TEMPLATE = /\.blade\.[^/]*$/i;

/**
 * True for a file whose ending means only text and layout.
 *
 * @example
 * ```ts
 * import { strictEqual as equal } from "node:assert/strict";
 * import { isMarkupFile } from "./evaluation.ts";
 * equal(isMarkupFile("docs/guide.md"), true);
 * equal(isMarkupFile("src/Form.vue"), false);
 * ```
 */
export function isMarkupFile(path: string): boolean {
  return PURE_MARKUP.test(path) && !TEMPLATE.test(path);
}

/** True when files were explored and all of them are pure markup, for which one tool is enough. */
export function isMarkupWork(exploredFiles: readonly string[]): boolean {
  return exploredFiles.length > 0 && exploredFiles.every(isMarkupFile);
}

/** Compares what the exploring steps showed, by the records, with what the kind of work needs. */
export function evaluateExploration(
  mode: Pick<Mode, "intent" | "flags">,
  exploredFiles: readonly string[],
  facts: Pick<Facts, "explored" | "offered" | "hasSourceFiles" | "codeFiles" | "definable">,
): Evaluation {
  const need = keepReachable(EXPLORATION_NEEDS[chooseKind(mode, exploredFiles, facts)], facts);
  const calls = facts.explored ?? [];
  const called = new Set(calls.map(({ tool }) => tool));
  const shown = [...new Set(calls.flatMap((call) => call.files))];
  // That the work is markup is the agent's claim, so the server must have shown at least one of the
  // markup files.
  const files = isMarkupWork(exploredFiles) ? shown.filter(isMarkupFile).length : shown.length;
  const symbols = countDefined(calls);
  const missing = need.tools.filter((tool) => !called.has(tool))
    .map((tool) => `Use \`${tool}\`: no call is on record.`);
  if (symbols < need.symbols) {
    const tools = formatChoice(DEFINING_TOOLS, facts.offered);
    missing.push(`Use ${tools}: ${symbols} of ${need.symbols} symbols were shown.`);
  }
  if (need.entryPoints > 0 && !hasEntryPoint(calls)) {
    missing.push("Use `find_references` for a symbol you found: no use in another file was shown.");
  }
  if (files < need.files) {
    const tools = formatChoice(SHOWING_TOOLS, facts.offered);
    missing.push(`Use ${tools}: ${files} of ${need.files} files were shown.`);
  }
  return { confidence: missing.length === 0 ? "high" : "low", missing };
}

function chooseKind(
  mode: Pick<Mode, "intent" | "flags">,
  exploredFiles: readonly string[],
  facts: Pick<Facts, "hasSourceFiles" | "codeFiles">,
): ExplorationKind {
  if (facts.hasSourceFiles === false) return "nothing";
  if (facts.codeFiles === 0 || isMarkupWork(exploredFiles)) return "markup";
  return isInvestigation(mode) ? "investigation" : "code";
}

/** The need without what this project or this server cannot give. */
function keepReachable(
  need: ExplorationNeed,
  facts: Pick<Facts, "offered" | "codeFiles" | "definable">,
): ExplorationNeed {
  const { offered, codeFiles = Infinity, definable = Infinity } = facts;
  const canDefine = DEFINING_TOOLS.some((tool) => offered.includes(tool));
  const canRefer = canDefine && offered.includes("find_references");
  const canShow = SHOWING_TOOLS.some((tool) => offered.includes(tool));
  const symbols = canDefine ? Math.min(need.symbols, definable) : 0;
  return {
    symbols,
    entryPoints: canRefer && codeFiles > 1 && symbols > 0 ? need.entryPoints : 0,
    files: canShow ? Math.min(need.files, Math.max(1, codeFiles)) : 0,
    tools: definable === 0 ? [] : need.tools.filter((tool) => offered.includes(tool)),
  };
}

function formatChoice(tools: readonly string[], offered: readonly string[]): string {
  return tools.filter((tool) => offered.includes(tool)).map((tool) => `\`${tool}\``).join(" or ");
}

/**
 * Whether a call showed something: a hit, or that nothing uses a name whose definition was shown. A search without a
 * hit explores nothing.
 */
export function isShowing(
  { tool, subject, total }: RecordedCall,
  explored: readonly ExploringCall[],
): boolean {
  if (total !== 0) return true;
  return tool === "find_references" &&
    groupFilesByName(explored, "defines").has(stripQualifier(subject));
}

/** Number of different symbols whose definition was shown. */
export function countDefined(calls: readonly ExploringCall[]): number {
  return groupFilesByName(calls, "defines").size;
}

/**
 * After this many questions for uses that found none elsewhere, it counts as an answer that nothing
 * uses the code.
 */
const ASKED_IN_VAIN = EXPLORATION_NEEDS.code.symbols;

/**
 * Whether a use was shown of a symbol whose definition was shown: in a file that does not define such a name, or proven to
 * lead to the definition, also within its own file.
 */
function hasEntryPoint(calls: readonly ExploringCall[]): boolean {
  const defined = groupFilesByName(calls, "defines");
  const referred = groupFilesByName(calls, "refers");
  const proven = groupFilesByName(calls, "proven");
  for (const [name, files] of defined) {
    if (proven.has(name)) return true;
    for (const file of referred.get(name) ?? []) if (!files.has(file)) return true;
  }
  const asked = new Set(
    calls.flatMap(({ tool, subject }) =>
      tool === "find_references" ? [stripQualifier(subject)] : []
    ),
  );
  const known = [...asked].filter((name) => defined.has(name)).length;
  return known >= Math.min(ASKED_IN_VAIN, defined.size) && known > 0;
}

function groupFilesByName(
  calls: readonly ExploringCall[],
  side: "defines" | "refers" | "proven",
): ReadonlyMap<string, ReadonlySet<string>> {
  const byName = new Map<string, Set<string>>();
  for (const call of calls) {
    for (const [file, names] of Object.entries(call[side] ?? {})) {
      for (const name of names) {
        const plain = stripQualifier(name);
        byName.set(plain, (byName.get(plain) ?? new Set()).add(file));
      }
    }
  }
  return byName;
}

/** The last part of a qualified name, by which uses are found. */
function stripQualifier(name: string): string {
  const bare = name.trim().replace(/\(\)$/, "");
  return bare.split(/::|->|[.#\\]/).findLast((part) => part !== "") ?? bare;
}

/**
 * How much harm a misunderstood request could do, judged by its frame alone.
 *
 * @example
 * ```ts
 * import { strictEqual as equal } from "node:assert/strict";
 * import { judgeRisk } from "./evaluation.ts";
 * equal(judgeRisk({ intent: "MODIFY", flags: {} }, null), "HIGH");
 * equal(judgeRisk({ intent: "QUESTION", flags: {} }, null), "LOW");
 * ```
 */
export function judgeRisk(
  mode: Pick<Mode, "intent" | "flags"> & { readonly query?: string },
  frame: Pick<QueryFrame, "slots" | "targetSymbols" | "symbolSources"> | null,
): Risk {
  if (isInvestigation(mode)) return "LOW";
  const slots = frame?.slots;
  const symbols = frame?.targetSymbols ?? [];
  // Beside a symbol that the request means, others are what the work looks at.
  const isDoubtful = symbols.length > 0 &&
    symbols.every((symbol) => frame?.symbolSources?.[symbol] === "HYPOTHESIS");
  const isOpen = (slots?.target_feature ?? null) === null ||
    (mode.intent === "MODIFY" && isIssueOpen(mode.query ?? "", slots));
  if (isOpen || isDoubtful) return "HIGH";
  return Object.values(slots ?? {}).every((slot) => slot !== null) ? "LOW" : "MEDIUM";
}

/** Words of a request that something does not work. */
const FAULTS =
  /\b(?:bugs?|fix\w*|errors?|crash\w*|fail\w*|broken?|wrong\w*|issues?|problems?|regress\w*|hangs?|leaks?|slow\w*|incorrect\w*|does ?n.t|not work\w*|throws?)\b|不具合|バグ|エラー|失敗|落ち|直|修正|おかし|動かな/i;

/**
 * Whether it is open what is wrong: a request that says exactly what shall be otherwise, and of nothing that it fails,
 * has no issue to observe.
 */
function isIssueOpen(query: string, slots: QueryFrame["slots"] | undefined): boolean {
  if ((slots?.observed_issue ?? null) !== null) return false;
  const isExact = [slots?.target_feature, slots?.desired_action]
    .every((slot) => slot?.source === "FACT");
  return !isExact || FAULTS.test(query);
}

/** True when SEMANTIC must run whatever Q1 says: the risk is high and the exploration was thin. */
export function isThinAtHighRisk(state: Pick<SessionState, "risk" | "evaluation">): boolean {
  return state.risk === "HIGH" && state.evaluation?.confidence === "low";
}

/** The server's advice at Q1, for replies; empty for older sessions without an evaluation. */
export function buildAdvice(
  state: Pick<SessionState, "risk" | "evaluation">,
): Readonly<Record<string, unknown>> {
  const { risk, evaluation } = state;
  if (evaluation === undefined) return {};
  return {
    ...(risk === undefined ? {} : { risk }),
    evaluation: {
      confidence: evaluation.confidence,
      ...(evaluation.missing.length === 0 ? {} : { missing: evaluation.missing.map(parseWords) }),
      advice: ADVICE[isThinAtHighRisk(state) ? "forced" : evaluation.confidence],
    },
  };
}

const ADVICE = {
  high: "The server's records show enough; answer true only if something is still unclear.",
  low: "The server's records show little: answer true, or send back_to EXPLORATION and look first.",
  forced:
    "Risk is HIGH and the records show little: SEMANTIC follows whatever you answer; back_to EXPLORATION is the other way.",
} as const;

/** Why the answer to Q1 was recorded but not followed. */
export const FORCED_SEMANTIC =
  "needs_more_information=false was recorded, not obeyed: risk is HIGH and the server's records of the exploration show little.";
