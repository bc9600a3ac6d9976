/** What a start reads of the program: modules and bytes, counted in the bundle and so the same on any machine. */
import { join } from "node:path";
import { bundleProgram } from "../../tools/compile/bundle.ts";
import { toBytes } from "../../tools/trial/figures.ts";
import { computeSum } from "../harness/figures.ts";
import { withFolder } from "../harness/run.ts";

/** A row of the table. */
export interface LoadRow {
  readonly title: string;
  readonly modules: number;
  readonly sizeBytes: number;
}

/** Starts with the modules that each loads late, by the names of their files in the source. */
const STARTS: readonly { readonly title: string; readonly late: readonly string[] }[] = [
  { title: "`--help`, and what every start reads", late: ["help"] },
  { title: "`--version`", late: ["version_text"] },
  { title: "`hook` outside a session", late: ["hook", "hook_events"] },
  { title: "`serve`, to the answer to `initialize`", late: ["serve", "server"] },
  {
    title: "`serve`, to the answer to a question in words",
    late: ["serve", "server", "call", "services", "tools", "tool_result", "step_log"],
  },
];

/** Every row, and the whole program last. */
export async function measureLoads(repository: string): Promise<readonly LoadRow[]> {
  return await withFolder(undefined, async (folder) => {
    const names = await bundleProgram(repository, folder);
    const texts = new Map<string, string>();
    for (const name of names) texts.set(name, await Deno.readTextFile(join(folder, name)));
    const rows = STARTS.map(({ title, late }) => {
      const first = late.flatMap((one) => names.filter((name) => isOf(name, one)));
      return toRow(title, toClosure(["main.js", ...first], texts), texts);
    });
    return [...rows, toRow("the whole program", names, texts)];
  });
}

/** A late module is named after its file, with eight digits of what is in it. */
function isOf(name: string, file: string): boolean {
  return new RegExp(`^${file}-[0-9a-f]{8}\\.js$`).test(name);
}

function toClosure(first: readonly string[], texts: ReadonlyMap<string, string>): string[] {
  const found = new Set(first);
  for (const name of found) {
    // Imports that are not calls are read with the module itself.
    for (const [, target = ""] of (texts.get(name) ?? "").matchAll(IMPORT)) {
      if (texts.has(target)) found.add(target);
    }
  }
  return [...found];
}

const IMPORT = /(?:\bfrom|\bimport)\s*"\.\/([^"]+)"/g;

function toRow(
  title: string,
  names: readonly string[],
  texts: ReadonlyMap<string, string>,
): LoadRow {
  const sizeBytes = computeSum(names, (name) => toBytes(texts.get(name) ?? ""));
  return { title, modules: names.length, sizeBytes };
}
