/** Mutants that change nothing that can be seen: no test can tell them apart, so none is tried. */
import type { CoreMutant } from "./core_mutants.ts";

/** A change of a file that makes no difference. */
interface Equivalent {
  readonly path: string;
  readonly before: string;
  readonly after: string;
  readonly reason: string;
}

const EQUIVALENT: readonly Equivalent[] = [];

/** Whether a mutant is in the table. */
export function isEquivalent({ path, before, after }: CoreMutant): boolean {
  return EQUIVALENT.some((one) =>
    one.path === path && one.before === before && one.after === after
  );
}
