/**
 * Looks at the likeliest files once more, as they stand beside one another: decision trees correct
 * the sums of their weighted features. Single weights cannot say that a feature counts only
 * together with another one. Pure.
 */
import { fileStem } from "../naming.ts";
import type { AskedFeature, LikelyFeatures, LikelyWeights, Tree } from "./feature_table.ts";
import { addTrees, LIKELY_NAMES, LIKELY_WEIGHTS } from "./feature_table.ts";
import { LIKELY_TREES } from "./tree_table.ts";

/** A feature and what it adds to the score of a file. */
export type LikelyParts = Readonly<Partial<Record<AskedFeature, number>>>;

/** How files are scored. */
export interface LikelyModel {
  readonly weights: LikelyWeights;
  /** None where weights alone count. */
  readonly trees: readonly Tree<AskedFeature>[];
}

/** What the program uses. */
export const LIKELY_MODEL: LikelyModel = { weights: LIKELY_WEIGHTS, trees: LIKELY_TREES };

/** A file with its features. */
export interface FeaturedFile {
  readonly path: string;
  readonly features: LikelyFeatures;
}

/** A file with its score. */
export interface ScoredFile<File extends FeaturedFile> {
  readonly file: File;
  readonly score: number;
  /** What each feature that the file has adds; what others lack lowers or raises the score besides. */
  readonly parts: LikelyParts;
}

/** The files that are looked at again; the others stay behind them in the order of their weights. */
const LOOKED_AT = 80;

/** The files best first: by weights, and the first of them by the trees too. */
export function scoreLikely<File extends FeaturedFile>(
  files: readonly File[],
  { weights, trees }: LikelyModel = LIKELY_MODEL,
): readonly ScoredFile<File>[] {
  const first = scoreByWeights(files, weights);
  if (trees.length === 0) return first;
  const looked = addNeighbourFeatures(first).map(({ one, asked }) => {
    const { whole, parts } = addTrees(trees, asked);
    const had = Object.entries(parts).filter(([name]) => (asked[name as AskedFeature] ?? 0) !== 0);
    return { ...one, score: one.score + whole, parts: addParts(one.parts, had), whole };
  });
  const least = looked.reduce((least, { whole }) => Math.min(least, whole), 0);
  const rest = first.slice(LOOKED_AT).map((one) => ({ ...one, score: one.score + least }));
  return [...looked.map(({ whole: _, ...one }) => one).sort(byScore), ...rest];
}

/** The likeliest files by weights, each with everything that trees ask of it. */
export function addNeighbourFeatures<File extends FeaturedFile>(
  scored: readonly ScoredFile<File>[],
): readonly { readonly one: ScoredFile<File>; readonly asked: LikelyParts }[] {
  const first = scored.slice(0, LOOKED_AT);
  const most = first[0]?.score ?? 0;
  const shares = first.map(({ score }) => Math.exp(score - most));
  // What is left of the other files counts too, though it is next to nothing.
  const whole = scored.reduce((sum, { score }) => sum + Math.exp(score - most), 0);
  const toShares = (toGroup: (path: string) => string) => {
    const groups = first.map(({ file }) => toGroup(file.path));
    const sums = new Map<string, number>();
    groups.forEach((group, at) => sums.set(group, (sums.get(group) ?? 0) + (shares[at] ?? 0)));
    return groups.map((group, at) => ((sums.get(group) ?? 0) - (shares[at] ?? 0)) / whole);
  };
  const [kin, beside] = [toShares(relatedStem), toShares(folderOf)];
  return first.map((one, at) => ({
    one,
    asked: { ...one.file.features, kin: kin[at] ?? 0, beside: beside[at] ?? 0 },
  }));
}

/** The files by their weights alone, best first. */
export function scoreByWeights<File extends FeaturedFile>(
  files: readonly File[],
  weights: LikelyWeights,
): readonly ScoredFile<File>[] {
  return files.map((file) => {
    const parts = Object.fromEntries(
      LIKELY_NAMES.flatMap((name) => {
        const value = weights[name] * (file.features[name] ?? 0);
        return value === 0 ? [] : [[name, value]];
      }),
    ) as LikelyParts;
    const score = Object.values(parts).reduce((sum, part) => sum + part, 0);
    return { file, score, parts };
  }).sort(byScore);
}

function byScore(a: ScoredFile<FeaturedFile>, b: ScoredFile<FeaturedFile>): number {
  return b.score - a.score || (a.file.path < b.file.path ? -1 : 1);
}

function addParts(
  parts: LikelyParts,
  more: readonly (readonly [name: string, part: number])[],
): LikelyParts {
  const sums: Partial<Record<string, number>> = { ...parts };
  for (const [name, part] of more) sums[name] = (sums[name] ?? 0) + part;
  return sums as LikelyParts;
}

/** What a file, its tests and its headers have in common: `auth` of `src/Auth.ts` and `tests/test_auth.py`. */
function relatedStem(path: string): string {
  const stem = (fileStem(path).split(".")[0] ?? "").toLowerCase();
  const plain = stem.replace(/^tests?[_-]|[_-]?(?:tests?|specs?)$|^tests?$/g, "")
    .replaceAll(/[^a-z0-9]/g, "");
  return plain === "" ? stem : plain;
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}
