/** Writes fitted trees as the module of the program that holds them. Pure. */
import type { AskedFeature, Tree } from "../../src/impact/likely/feature_table.ts";
import { toTreeText } from "../../src/impact/likely/feature_table.ts";

/** The text of `src/impact/likely/tree_table.ts`. */
export function toTreeTable(trees: readonly Tree<AskedFeature>[]): string {
  return `/** The trees that correct the weights of likely files, one a line: \`parseTree\` of \`feature_table.ts\` says how it is read. */
import type { AskedFeature, Tree } from "./feature_table.ts";
import { parseTree } from "./feature_table.ts";

/** Made by \`deno task history … --fit\` from real commits (\`docs/history.md\`). */
const LINES = \`
${trees.map(toTreeText).join("\n")}
\`;

/** The trees as they are asked. */
export const LIKELY_TREES: readonly Tree<AskedFeature>[] = LINES.trim().split("\\n")
  .map((line) => parseTree(line));
`;
}
