/** Each file of `src` has its test, at the same place below `tests`, or a reason why not. */
import { expectNone, readSourceFiles } from "./source_files.ts";

/** Files without a test of their own, and where they are tested instead. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  "src/base/clock.ts": "one line; every test of sessions holds its own clock",
  "src/mcp/tool.ts": "types only",
  "src/phase/state.ts": "types only",
  "src/workflow/workflow_api.ts": "types only",
};

Deno.test("each file of src has its test file or a reason in the list of exceptions", async () => {
  const { bare } = await readMirror();
  expectNone(bare.filter((path) => EXCEPTIONS[path] === undefined));
});

Deno.test("no exception has become needless", async () => {
  const { bare } = await readMirror();
  expectNone(Object.keys(EXCEPTIONS).filter((path) => !bare.includes(path)));
});

/** Doors hold no code, so that they have nothing to test. */
async function readMirror(): Promise<{ readonly bare: readonly string[] }> {
  const tests = new Set((await readSourceFiles("tests")).map(({ path }) => path));
  const bare = (await readSourceFiles("src"))
    .map(({ path }) => path)
    .filter((path) => !path.endsWith("/mod.ts") && !tests.has(toTestPath(path)));
  return { bare };
}

function toTestPath(path: string): string {
  return path.replace(/^src\//, "tests/").replace(/\.ts$/, "_test.ts");
}
