/**
 * What becomes of target symbols that may not be what the request means: rejected ones are refused, doubtful
 * ones are hypotheses that step 9 has to verify. Pure.
 */
import type { Problem } from "../base/problem.ts";
import { toProblem } from "../base/problem.ts";
import type { MeasuredSymbol } from "./facts.ts";
import type { QueryFrame, SessionState } from "./state.ts";

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

/** Tells of doubtful symbols where the frame is accepted. */
export function toDoubtReply(
  measured: readonly MeasuredSymbol[],
): { readonly reply?: Readonly<Record<string, unknown>> } {
  const doubtful = measured.filter(({ source }) => source === "HYPOTHESIS");
  if (doubtful.length === 0) return {};
  const scores = doubtful.map(({ symbol, score }) => [symbol, Number((score ?? 0).toFixed(2))]);
  return {
    reply: {
      "doubtful_symbols": Object.fromEntries(scores),
      notices: [
        `It is not sure that the request means ${
          doubtful.map(({ symbol }) => symbol).join(", ")
        }: ` +
        "the risk is HIGH, and step 9 asks for evidence.",
      ],
    },
  };
}

/** The hypotheses that the frame leaves to step 9, one for each doubtful symbol. */
export function toDoubts({ frame, risk }: Pick<SessionState, "frame" | "risk">): string[] {
  if (risk !== "HIGH") return [];
  return Object.entries(frame?.symbolSources ?? {})
    .filter(([, source]) => source === "HYPOTHESIS")
    .map(([symbol]) => `The request means ${symbol}`);
}
