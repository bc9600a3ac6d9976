/**
 * Measures how closely target symbols are related to the request, by the index, word vectors and what
 * was learned. It never makes a submission fail: what is missing is left out.
 */
import { LIMITS } from "../../base/settings/limits.ts";
import type { CodeIndex } from "../../index/index_api.ts";
import type { IndexView, SymbolHit } from "../../index/read/view.ts";
import type { MeasureInput, SymbolRelevance } from "../../request/measure_symbols.ts";
import type { Learning } from "../context/learning.ts";

/** What the measure needs. */
export interface SymbolMeasureOptions {
  readonly index: Pick<CodeIndex, "read" | "ensureFresh">;
  readonly openLearning: () => Promise<Pick<Learning, "search">>;
}

// From this score on a learned term counts as being about the request (the scale of the Map).
const SURE_SCORE = 0.7;
const MAX_AGREEMENTS = 5;
const MAX_NAMES = 40;
const MAX_PLACES = 2;
const LOOK_MS = 100;

/** Makes the measure of a project; nothing is opened before the first frame with a symbol. */
export function createSymbolMeasure(
  { index, openLearning }: SymbolMeasureOptions,
): (input: MeasureInput) => Promise<SymbolRelevance[]> {
  const isWhole = async () => {
    const { files, pendingTotal } = await index.ensureFresh();
    return files > 0 && pendingTotal === 0;
  };
  /** An index that is being built is worth a wait where a symbol would be refused without it. */
  const isWholeSoon = async () => {
    const endsAt = performance.now() + LIMITS.answerPartMs.value;
    for (;;) {
      if (await isWhole()) return true;
      if (performance.now() > endsAt) return false;
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  };
  return async (input) => {
    const knowsAll = await isWhole().catch(() => false);
    let awaited: Promise<boolean> | undefined;
    const { measureSymbols } = await import("../../request/measure_symbols.ts");
    return await measureSymbols(input, {
      compare: async (text, names) => {
        // Loaded with the first name that words leave open: hooks and other calls need neither.
        const [{ splitParts }, { compareTexts }] = await Promise.all([
          import("../../analysis/tokens.ts"),
          import("../../word_vectors/load_table.ts"),
        ]);
        return await compareTexts(splitParts(text), names.map(splitParts));
      },
      findLearned: async (request) => {
        const limits = { maxHits: MAX_AGREEMENTS };
        const hits = await openLearning().then((one) => one.search(request, limits)).catch(
          () => [],
        );
        return hits.filter(({ score }) => score >= SURE_SCORE).flatMap(({ symbols }) => symbols);
      },
      findNames: async (word) => {
        const query = { name: word, match: "words", limit: MAX_NAMES } as const;
        return await index.read((view) =>
          view.findSymbols(query).hits.map((hit) => hit.qualifiedName)
        ).catch(() => []);
      },
      findPlaces: async (name, { isAwaited }) => {
        if (!knowsAll && !isAwaited) return null;
        if (!knowsAll && !await (awaited ??= isWholeSoon().catch(() => false))) return null;
        const hits = await index.read((view) => findNamed(view, name)).catch(() => null);
        return hits?.slice(0, MAX_PLACES).map(({ path, line }) => `${path}:${line}`) ?? null;
      },
    });
  };
}

/** The definitions that a name means, qualified or not; those of its last part where none has the rest of it too. */
export function findNamed(
  view: Pick<IndexView, "findSymbols">,
  name: string,
): readonly SymbolHit[] {
  const last = name.split(/[.#/\\]|::|->/).findLast((part) => part !== "") ?? name;
  const { hits } = view.findSymbols({ name: last, limit: MAX_NAMES });
  const own = hits.filter(({ qualifiedName }) => isNamed(qualifiedName, name));
  return own.length > 0 ? own : hits;
}

/** Whether a qualified name ends with a name, however its parts are joined. */
function isNamed(qualified: string, name: string): boolean {
  const plain = (text: string) => text.replaceAll(/[#/\\]|::|->/g, ".");
  return `.${plain(qualified)}`.endsWith(`.${plain(name)}`);
}
