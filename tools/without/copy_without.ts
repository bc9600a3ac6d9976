/** Copies the checkout as git knows it, without some features. */
import { dirname, join } from "node:path";
import { run } from "../run.ts";

const TABLE = "src/features/features.ts";

/**
 * Copies what git tracks, and what it neither tracks nor ignores, into an empty folder.
 *
 * @param names the features that are left out: their folders of `src`, `tests`, `tools` and `lab`, and their rows.
 */
export async function copyWithout(
  repository: string,
  copy: string,
  names: readonly string[],
): Promise<void> {
  const words = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const listed = await run("git", words, { cwd: repository });
  for (const path of new Set(listed.split("\0"))) {
    if (path === "" || names.some((name) => isOfFeature(path, name))) continue;
    const source = join(repository, path);
    if (!(await Deno.stat(source).catch(() => null))?.isFile) continue;
    await Deno.mkdir(dirname(join(copy, path)), { recursive: true });
    await Deno.copyFile(source, join(copy, path));
  }
  const table = await Deno.readTextFile(join(copy, TABLE));
  await Deno.writeTextFile(join(copy, TABLE), takeRowsOut(table, names));
}

/**
 * The table without the imports and rows of some features.
 *
 * @example
 * ```ts
 * import { strictEqual as equal } from "node:assert/strict";
 * import { takeRowsOut } from "./copy_without.ts";
 * equal(takeRowsOut('import { A } from "./a/feature.ts";\n[\n  A,\n]\n', ["a"]), "[\n]\n");
 * ```
 */
export function takeRowsOut(table: string, names: readonly string[]): string {
  return names.reduce((text, name) => {
    const line = new RegExp(`^import \\{ (\\w+) \\} from "\\./${name}/feature\\.ts";\\n`, "m");
    const row = line.exec(text)?.[1];
    if (row === undefined) throw new Error(`${TABLE} has no row of ${name}`);
    return text.replace(line, "").replace(new RegExp(`^ *${row},\\n`, "m"), "");
  }, table);
}

function isOfFeature(path: string, name: string): boolean {
  return ["src/features", "tests/features", "tests", "tests/lab", "tools", "lab"].some((folder) =>
    path.startsWith(`${folder}/${name}/`)
  );
}
