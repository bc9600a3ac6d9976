/** The measure of symbols, loaded when a frame names one: it hangs on the index and the searches. */
import type { MeasureDeps, MeasureInput, SymbolRelevance } from "./measure_symbols.ts";

/** Measures the symbols of a frame; the same as behind it in `measure_symbols.ts`. */
export async function measureSymbols(
  input: MeasureInput,
  deps: MeasureDeps,
): Promise<SymbolRelevance[]> {
  return await (await import("./measure_symbols.ts")).measureSymbols(input, deps);
}
