/**
 * The examples in the comments of `src`, as one module of tests. `deno test --doc` makes a world of its own for each of
 * them, a third of a second for a line or two.
 */
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { listTests } from "./run.ts";

/** An example. */
export interface Example {
  /** The file that it stands in, from the top of the repository. */
  readonly path: string;
  /** 1-based line of its first statement. */
  readonly line: number;
  readonly code: string;
}

const BEGINS = /^\s*\* ```(?:ts|typescript)\s*$/;
const ENDS = /^\s*\* ```\s*$/;
const IN_COMMENT = /^\s*\* ?/;
/** An import of a file by its place beside the one that has the example. */
const IMPORT = /((?:\bfrom|\bimport)\s*\(?\s*)"(\.{1,2}\/[^"]+)"/g;

/** The examples of a file. */
export function findExamples(path: string, text: string): readonly Example[] {
  const found: Example[] = [];
  const lines = text.split("\n");
  for (let at = 0; at < lines.length; at++) {
    if (!BEGINS.test(lines[at] ?? "")) continue;
    const code: string[] = [];
    const line = at + 2;
    for (at++; at < lines.length && !ENDS.test(lines[at] ?? ""); at++) {
      code.push((lines[at] ?? "").replace(IN_COMMENT, ""));
    }
    found.push({ path, line, code: code.join("\n") });
  }
  return found;
}

/** An example as a module that can lie anywhere. */
export function toModule(repository: string, { path, code }: Example): string {
  const folder = dirname(join(repository, path));
  return code.replaceAll(
    IMPORT,
    (_, before: string, to: string) =>
      `${before}${JSON.stringify(pathToFileURL(resolve(folder, to)).href)}`,
  );
}

/**
 * Writes a module of tests with all examples of `src`, and a module beside it for each of them.
 *
 * @param folder absolute path of an empty folder.
 * @returns the path of the module of tests.
 */
export async function writeExamples(repository: string, folder: string): Promise<string> {
  const examples: Example[] = [];
  for (const path of await listTests(repository, ["src"], /\.ts$/)) {
    examples.push(...findExamples(path, await Deno.readTextFile(join(repository, path))));
  }
  const tests: string[] = [];
  for (const [at, example] of examples.entries()) {
    const module = join(folder, `example_${at + 1}.ts`);
    await Deno.writeTextFile(module, toModule(repository, example));
    const name = JSON.stringify(`${example.path}:${example.line}`);
    const url = JSON.stringify(pathToFileURL(module).href);
    tests.push(`Deno.test(${name}, async () => void (await import(${url})));\n`);
  }
  const path = join(folder, "examples_test.ts");
  await Deno.writeTextFile(path, tests.join(""));
  return path;
}
