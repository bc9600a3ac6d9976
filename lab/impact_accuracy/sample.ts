/** Which definitions are measured: a draw that the seed decides, of those that other files name. Pure. */
import { parseTestName } from "../../src/language/test_names.ts";
import { createChance } from "../harness/chance.ts";

/** One definition that other files can name. */
export interface TruthDefinition {
  readonly id: string;
  readonly path: string;
  /** 1-based, of its name. */
  readonly line: number;
  readonly name: string;
  readonly kind: string;
}

/** One place that leads to a definition. */
export interface TruthReference {
  readonly path: string;
  readonly line: number;
  /** The definition that holds the place; null at the top of a file. */
  readonly within: string | null;
  readonly to: string;
}

/** Everything that was found. */
export interface Truth {
  readonly definitions: readonly TruthDefinition[];
  readonly references: readonly TruthReference[];
}

/** A definition with what its change reaches, by the truth. */
export interface Sample {
  readonly definition: TruthDefinition;
  /** Other files that name it. */
  readonly dependents: ReadonlySet<string>;
  /** Tests that name it, or name a definition that does. */
  readonly tests: ReadonlySet<string>;
}

/** Draws `count` definitions; the same seed and truth give the same ones. */
export function drawSamples(
  truth: Truth,
  { count, seed }: { readonly count: number; readonly seed: number },
): readonly Sample[] {
  const references = Map.groupBy(truth.references, ({ to }) => to);
  const random = createChance(seed);
  const usable = truth.definitions
    .filter(({ path }) =>
      parseTestName(path) === null && !/(?:^|\/)(?:docs?|examples?)\//.test(path)
    )
    .toSorted((a, b) => a.id < b.id ? -1 : 1)
    .map((definition) => ({ definition, key: random() }))
    .toSorted((a, b) => a.key - b.key);
  const samples: Sample[] = [];
  for (const { definition } of usable) {
    if (samples.length >= count) break;
    const direct = references.get(definition.id) ?? [];
    const dependents = new Set(direct.map(({ path }) => path));
    dependents.delete(definition.path);
    if (dependents.size === 0) continue;
    const holders = new Set(direct.flatMap(({ within }) => within ?? []));
    const second = [...holders].flatMap((id) => references.get(id) ?? []);
    const tests = new Set(
      [...direct, ...second].map(({ path }) => path)
        .filter((path) => parseTestName(path) !== null),
    );
    samples.push({ definition, dependents, tests });
  }
  return samples;
}
