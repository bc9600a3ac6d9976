/** Chooses mutants by a seed, so that the same ones come again after the source was changed elsewhere. */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { listTests } from "../../tools/quick_tests/run.ts";
import type { CoreMutant } from "./core_mutants.ts";
import { findCoreMutants } from "./core_mutants.ts";
import EQUIVALENT from "./equivalent.json" with { type: "json" };

/** A mutant with the whole line that it changes. */
export interface ChosenMutant extends CoreMutant {
  readonly text: string;
  readonly folder: string;
}

/**
 * All mutants of a folder, in an order that the seed says.
 *
 * @param root absolute path of the checkout.
 * @param folder name of a folder of `src`.
 */
export async function rankMutants(
  root: string,
  folder: string,
  seed: string,
): Promise<readonly ChosenMutant[]> {
  const found: ChosenMutant[] = [];
  for (const path of await listTests(root, [`src/${folder}`], /\.ts$/)) {
    const text = await Deno.readTextFile(join(root, path));
    found.push(...(await findCoreMutants(path, text)).map((one) => ({ ...one, text, folder })));
  }
  return found.filter((one) => !isEquivalent(one))
    .map((one) => ({ one, rank: toRank(one, seed) }))
    .sort((a, b) => a.rank < b.rank ? -1 : 1)
    .map(({ one }) => one);
}

/** Of the words of the change alone: where the line stands does not count. */
function toRank({ path, kind, before, after, text, start }: ChosenMutant, seed: string): string {
  const from = text.lastIndexOf("\n", start) + 1;
  const line = text.slice(from, text.indexOf("\n", start));
  const words = [seed, path, kind, line.trim(), start - from, before, after];
  return createHash("sha256").update(words.join("\0")).digest("hex");
}

/** Whether a mutant changes nothing that can be seen, by the table: no test can tell it apart, so it is not tried. */
function isEquivalent({ path, before, after, text, line }: ChosenMutant): boolean {
  const whole = text.split("\n")[line - 1]?.trim();
  return EQUIVALENT.some((one) =>
    one.path === path && one.before === before && one.after === after && one.line === whole
  );
}
