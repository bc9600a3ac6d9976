/**
 * Deals with the uncertain parts of a query frame. Rejected symbols are refused; doubtful symbols,
 * and values that do not follow from their quote, become hypotheses that step 9 has to verify; what
 * the request does not say has to be looked for. Pure.
 */
import { escapePattern } from "../../base/text/plain_text.ts";
import { STEP, STEP_FIRST } from "../../base/steps.ts";
import type { Problem } from "../../base/problem.ts";
import { makeProblem } from "../../base/problem.ts";
import type { MeasuredSymbol } from "../facts.ts";
import type { QueryFrame, Risk, SessionState } from "../state.ts";

/** The problem of a symbol that is unrelated to the request, with names that fit better. */
export function checkSymbol(
  index: number,
  sent: readonly string[],
  measured: readonly MeasuredSymbol[],
): readonly Problem[] {
  const symbol = sent[index];
  const found = measured.find((one) => one.symbol === symbol);
  if (found?.source !== "REJECTED") return [];
  const { suggestions } = found;
  const near = suggestions.length === 0 ? "" : ` Nearer to its words: ${suggestions.join(", ")}.`;
  return [makeProblem("symbol_unrelated", `"${symbol}" has nothing to do with the request`, {
    at: `data.target_symbols[${index}]`,
    hint: `Leave it out of target_symbols; what the exploration finds can still be changed.${near}`,
  })];
}

/** How certain each symbol of the frame is. */
export function listSymbolSources(
  measured: readonly MeasuredSymbol[],
): NonNullable<QueryFrame["symbolSources"]> {
  return Object.fromEntries(
    measured.flatMap(({ symbol, source }) =>
      source === "REJECTED" || source === null ? [] : [[symbol, source]]
    ),
  );
}

/** What the reply to an accepted frame says about doubtful slots; which are open the agent has just said itself. */
export function buildFrameReply(
  { slots, risk, request }: {
    readonly slots: QueryFrame["slots"];
    /** As the engine took it, with this frame. */
    readonly risk: Risk;
    readonly request: string;
  },
  measured: readonly MeasuredSymbol[],
): { readonly reply?: Readonly<Record<string, unknown>> } {
  const doubtful = measured.filter(({ source }) => source === "HYPOTHESIS");
  const scores = doubtful.map(({ symbol, score }) => [symbol, Number((score ?? 0).toFixed(2))]);
  const notices = [
    ...doubtful.length === 0 ? [] : [
      `It is not sure that the request means ${doubtful.map(({ symbol }) => symbol).join(", ")}` +
      (risk === "HIGH" ? `: the risk is HIGH, and ${STEP.VERIFICATION} asks for evidence.` : "."),
    ],
    ...listSlotDoubts(slots).map((doubt) =>
      `${STEP_FIRST.VERIFICATION} asks for evidence: ${doubt}.`
    ),
  ];
  const symbols = describeSymbols(measured, request);
  if (notices.length === 0 && symbols === null) return {};
  return {
    reply: {
      ...(symbols === null ? {} : { "symbols": symbols }),
      ...(scores.length === 0 ? {} : { "doubtful_symbols": Object.fromEntries(scores) }),
      ...(notices.length === 0 ? {} : { notices }),
    },
  };
}

/** Words that bring something in that was not there, with the words behind them that lead to its name. */
const MAKES =
  /\b(?:add|adds|introduces?|creates?|implements?|provides?|defines?|writes?|exposes?|offers?|new|called|named)\b([^.!?\n]*)$/i;
/** Behind one of these stands what the new thing has to do with, as in "add a field to `Config`". */
const ELSEWHERE =
  /\b(?:to|in|into|of|for|from|on|onto|with|at|by|than|like|when|where|if|that|which|so|as|and\s+\w+)\b/i;

/** Whether the request itself brings a name in: then a name like it is no slip that was meant. */
function isIntroduced(symbol: string, request: string): boolean {
  const name = symbol.split(/::|->|[.#\\]/).findLast((part) => part !== "") ?? symbol;
  const escaped = escapePattern(name);
  return [...request.matchAll(new RegExp(`(?<![\\w$])${escaped}(?![\\w$])`, "g"))].some(
    ({ index }) => {
      // The holder of a dotted name belongs to the name.
      const before = request.slice(0, index).replace(/[\w$.#:]+$/, "");
      const led = MAKES.exec(before)?.[1];
      return led !== undefined && !ELSEWHERE.test(led);
    },
  );
}

/** How many of the target symbols the request itself brings in: it cannot be wondered at that nothing defines them. */
export function countIntroduced(measured: readonly MeasuredSymbol[], request: string): number {
  return measured.filter(({ symbol, defined }) =>
    defined?.places.length === 0 && isIntroduced(symbol, request)
  ).length;
}

/** Where each target symbol is defined; null while the index cannot say. */
function describeSymbols(
  measured: readonly MeasuredSymbol[],
  request: string,
): Readonly<Record<string, string>> | null {
  const rows = measured.flatMap(({ symbol, defined }) => {
    if (defined === undefined) return [];
    const { places, near } = defined;
    const none = near.length === 0 || isIntroduced(symbol, request)
      ? "new: nothing is called so"
      : `unknown; near: ${near.join(", ")}`;
    return [[symbol, places.length === 0 ? none : places.join(", ")]];
  });
  return rows.length === 0 ? null : Object.fromEntries(rows);
}

/**
 * The hypotheses that the frame leaves for step 9: one for each doubtful symbol and each doubtful
 * slot.
 */
export function listDoubts({ frame, risk }: Pick<SessionState, "frame" | "risk">): string[] {
  if (frame === null) return [];
  // Where nothing is changed, a wrong symbol does no harm.
  const symbols = risk !== "HIGH" ? [] : Object.entries(frame.symbolSources ?? {})
    .filter(([, source]) => source === "HYPOTHESIS")
    .map(([symbol]) => `The request means ${symbol}`);
  return [...symbols, ...listSlotDoubts(frame.slots)];
}

/** A sentence for each slot whose value does not follow from the request's words. */
function listSlotDoubts(slots: QueryFrame["slots"]): string[] {
  return Object.entries(slots).flatMap(([name, slot]) =>
    slot?.source === "HYPOTHESIS" ? [`"${slot.quote}" means ${slot.value} (${name})`] : []
  );
}
