/**
 * What becomes of the parts of a query frame that are not sure: rejected symbols are refused, doubtful symbols
 * and values that do not follow from their quote are hypotheses that step 9 has to verify, and what the request
 * does not say is to be looked for. Pure.
 */
import type { Problem } from "../../base/problem.ts";
import { toProblem } from "../../base/problem.ts";
import type { MeasuredSymbol } from "../facts.ts";
import type { QueryFrame, SessionState } from "../state.ts";

/** A problem for each symbol that has nothing to do with the request, with names that have. */
export function checkSymbols(
  sent: readonly string[],
  measured: readonly MeasuredSymbol[],
): Problem[] {
  return measured.filter(({ source }) => source === "REJECTED").map(({ symbol, suggestions }) => {
    const near = suggestions.length === 0 ? "" : ` Nearer to its words: ${suggestions.join(", ")}.`;
    return toProblem("symbol_unrelated", `"${symbol}" has nothing to do with the request`, {
      at: `data.target_symbols[${sent.indexOf(symbol)}]`,
      hint:
        `Leave it out of target_symbols; what the exploration finds can still be changed.${near}`,
    });
  });
}

/** The sources of the frame, by symbol. */
export function toSymbolSources(
  measured: readonly MeasuredSymbol[],
): NonNullable<QueryFrame["symbolSources"]> {
  return Object.fromEntries(
    measured.flatMap(({ symbol, source }) => source === "REJECTED" ? [] : [[symbol, source]]),
  );
}

/** What the agent may ask to find out what a slot would say. */
const SLOT_HINTS: Readonly<Record<keyof QueryFrame["slots"], readonly string[]>> = {
  target_feature: ["query", "get_symbols", "analyze_structure"],
  trigger_condition: ["search_text", "find_definitions"],
  observed_issue: ["search_text", "query"],
  desired_action: ["find_references", "analyze_structure"],
};

/** Tells of what is open or doubtful where the frame is accepted. */
export function toFrameReply(
  slots: QueryFrame["slots"],
  measured: readonly MeasuredSymbol[],
): { readonly reply?: Readonly<Record<string, unknown>> } {
  const open = Object.entries(SLOT_HINTS)
    .filter(([name]) => slots[name as keyof QueryFrame["slots"]] === null);
  const doubtful = measured.filter(({ source }) => source === "HYPOTHESIS");
  const scores = doubtful.map(({ symbol, score }) => [symbol, Number((score ?? 0).toFixed(2))]);
  const notices = [
    ...doubtful.length === 0 ? [] : [
      `It is not sure that the request means ${doubtful.map(({ symbol }) => symbol).join(", ")}: ` +
      "the risk is HIGH, and step 9 asks for evidence.",
    ],
    ...toSlotDoubts(slots).map((doubt) => `Step 9 asks for evidence: ${doubt}.`),
  ];
  if (open.length === 0 && notices.length === 0) return {};
  return {
    reply: {
      ...(open.length === 0 ? {} : { "unresolved_slots": Object.fromEntries(open) }),
      ...(scores.length === 0 ? {} : { "doubtful_symbols": Object.fromEntries(scores) }),
      ...(notices.length === 0 ? {} : { notices }),
    },
  };
}

/** The hypotheses that the frame leaves to step 9: one for each doubtful symbol and each doubtful slot. */
export function toDoubts({ frame, risk }: Pick<SessionState, "frame" | "risk">): string[] {
  if (frame === null) return [];
  // Where nothing is changed, a symbol that is not meant does no harm.
  const symbols = risk !== "HIGH" ? [] : Object.entries(frame.symbolSources ?? {})
    .filter(([, source]) => source === "HYPOTHESIS")
    .map(([symbol]) => `The request means ${symbol}`);
  return [...symbols, ...toSlotDoubts(frame.slots)];
}

/** A sentence for each slot whose value does not follow from the words of the request. */
function toSlotDoubts(slots: QueryFrame["slots"]): string[] {
  return Object.entries(slots).flatMap(([name, slot]) =>
    slot?.source === "HYPOTHESIS" ? [`"${slot.quote}" means ${slot.value} (${name})`] : []
  );
}
