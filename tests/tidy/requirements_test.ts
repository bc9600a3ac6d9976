/** The page of requirements and the tests that hold them: each names the other. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { join } from "node:path";
import { expectNone, readSourceFiles, ROOT } from "./source_files.ts";

/** A row of the page: an id, a sentence, and a file with a test that has the id in its name. */
const ROW = /^\| (R\d+) \| [A-Z`].*\. \| `(tests\/[\w/]+\.ts)` \|$/;
/** An id as names of tests have it: `R17: …`, or in brackets behind the fact. */
const CITED = /["'`(, ](R\d+)(?=[:,)])/g;

Deno.test("docs/requirements.md numbers its rows without gaps, and each has a test with its id", async () => {
  const { rows, cited } = await readBoth();
  deepEqual(rows.map(({ id }) => id), rows.map((_, index) => `R${index + 1}`));
  expectNone(
    rows.filter(({ id, path }) => cited.get(path)?.has(id) !== true)
      .map(({ id, path }) => `${path} has no test that names ${id}`),
    "Number the row, or name its id in the title of a test.",
  );
});

Deno.test("every id of a requirement in a test's name is in docs/requirements.md", async () => {
  const { rows, cited } = await readBoth();
  const known = new Set(rows.map(({ id }) => id));
  expectNone(
    [...cited].flatMap(([path, ids]) =>
      [...ids].filter((id) => !known.has(id)).map((id) => `${path} names ${id}`)
    ),
    "Add the row to docs/requirements.md.",
  );
});

Deno.test("nothing cites a paper that is not in the repository", async () => {
  const own = "tests/tidy/requirements_test.ts";
  const pages = await Array.fromAsync(readPages());
  const files = [...await readSourceFiles("src", "tests", "tools", "lab"), ...pages];
  const citation =
    /\bL[23]\.\d|\(specification\)|\b(?:of the|The) specification\b|reference-behaviour/;
  expectNone(
    files.filter(({ path, text }) => path !== own && citation.test(text)).map(({ path }) => path),
    "Correct the row of docs/requirements.md.",
  );
});

async function* readPages(): AsyncGenerator<{ readonly path: string; readonly text: string }> {
  for (const folder of ["docs", "docs/decisions"]) {
    for await (const { name, isFile } of Deno.readDir(join(ROOT, folder))) {
      if (!isFile || !name.endsWith(".md")) continue;
      yield { path: `${folder}/${name}`, text: await Deno.readTextFile(join(ROOT, folder, name)) };
    }
  }
}

async function readBoth() {
  const page = await Deno.readTextFile(join(ROOT, "docs/requirements.md"));
  const rows = page.split("\n").filter((line) => line.startsWith("| R")).map((line) => {
    const [, id = line, path = ""] = ROW.exec(line) ?? [];
    return { id, path };
  });
  const files = await readSourceFiles("tests");
  const cited = new Map(files.map(({ path, text }) => {
    const ids = [...text.matchAll(CITED)].map(([, id = ""]) => id);
    return [path, new Set(ids)] as const;
  }));
  return { rows, cited };
}
