/** Summaries of documents: current, outdated, of earlier programs, and how they are stored. */
import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { dirname, join } from "node:path";
import { readDocumentSummaries } from "../../src/context/doc_research.ts";
import { loadContext } from "../../src/context/settings.ts";
import { updateContext } from "../../src/context/update_context.ts";

const CONTEXT = `# ours
doc_research:
  # where to look
  docs_path: docs
  summaries:
    - path: docs/auth.md
      summary: old words
      extra_notes: ask Ada
essential_docs:
  summaries:
    - { path: docs/old.md, summary: of before, content_hash: ba7816bf8f01cfea }
    - { path: docs/gone.md, summary: nobody there }
mine: 1
`;

Deno.test("update_context stores summaries of documents with their hash; readDocumentSummaries() tells which still fit", async () => {
  const projectRoot = await Deno.makeTempDir();
  const place = { projectRoot, codeIntelDir: join(projectRoot, ".code-intel") };
  const write = async (path: string, text: string) => {
    await Deno.mkdir(dirname(join(projectRoot, path)), { recursive: true });
    await Deno.writeTextFile(join(projectRoot, path), text);
  };
  const read = async () =>
    await readDocumentSummaries(projectRoot, (await loadContext(place.codeIntelDir)).values);
  try {
    await write("docs/auth.md", "tokens expire");
    await write("docs/old.md", "abc");
    await write("docs/new.md", "new");
    await write(".code-intel/context.yml", CONTEXT);
    deepEqual(await read(), {
      current: [{ path: "docs/old.md", summary: "of before", notes: null }],
      outdated: ["docs/auth.md"],
    });
    const documentSummaries = [
      { path: "docs/auth.md", summary: "DO: expire\nDON'T: share" },
      { path: "./docs/new.md", summary: "nothing yet" },
    ];
    equal((await updateContext(place, { documentSummaries })).kind, "updated");
    const { current, outdated } = await read();
    deepEqual(current.map(({ path, notes }) => [path, notes]), [
      ["docs/old.md", null],
      ["docs/auth.md", "ask Ada"],
      ["docs/new.md", null],
    ]);
    deepEqual(outdated, []);
    const text = await Deno.readTextFile(join(place.codeIntelDir, "context.yml"));
    match(text, /^# ours\ndoc_research:\n {2}# where to look\n {2}docs_path: docs\n/);
    ok(text.endsWith(CONTEXT.slice(CONTEXT.indexOf("essential_docs"))), text);

    const again = await updateContext(place, { documentSummaries });
    equal(again.kind, "updated");
    equal(await Deno.readTextFile(join(place.codeIntelDir, "context.yml")), text);
    const refused = await updateContext(place, {
      documentSummaries: [{ path: "docs/no.md", summary: "x" }],
    });
    equal(refused.kind === "refused" && refused.problem.code, "path_not_found");
    await write("docs/auth.md", "tokens never expire");
    deepEqual((await read()).outdated, ["docs/auth.md"]);
  } finally {
    await Deno.remove(projectRoot, { recursive: true });
  }
});
