/** Which lines of documents a request is answered with, over real files. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { searchDocuments } from "../../src/question/document_look.ts";
import { createIndexedProject } from "../explore/indexed_project.ts";

const common = Object.fromEntries(
  Array.from({ length: 8 }, (_, at) => [
    `docs/page${at}.md`,
    `# Page ${at}\n\nThe headers of the scheme are sent.\n`,
  ]),
);

Deno.test("searchDocuments() leaves out lines whose words stand everywhere, alone, or inside of other words", async () => {
  await using project = await createIndexedProject({
    isBuilt: false,
    files: {
      ...common,
      "docs/rules.md": "# Rules\n\nCredentials go to one origin only.\n",
      "docs/parts.md": "# Parts\n\nThe aborigines of uncredentialed folk.\n",
      "docs/names.md": "# Names\n\nSee `sendOn` for more.\n",
    },
  });
  const look = async (request: string) =>
    (await searchDocuments(request, {
      explorer: project.explorer,
      signal: new AbortController().signal,
    }))?.lines;
  deepEqual(await look("the scheme of headers stays"), []);
  deepEqual(await look("headers stay, whatever comes of `sendOn`"), [
    "docs/names.md:3 See `sendOn` for more.",
  ]);
  deepEqual(await look("drop credentials of headers where the origin differs"), [
    "docs/rules.md:3 Credentials go to one origin only.",
  ]);
  deepEqual(await look("aborigines"), [
    "docs/parts.md:3 The aborigines of uncredentialed folk.",
  ]);
});

Deno.test("searchDocuments() shows lines of the named folders alone, where the project names some", async () => {
  await using project = await createIndexedProject({
    isBuilt: false,
    files: {
      ...common,
      "docs/a.md": "# A\n\nSee `renewLoan` here.\n",
      "handbook/b.md": "# B\n\nSee `renewLoan` there.\n",
      "handbook2/c.md": "# C\n\nSee `renewLoan` nowhere.\n",
    },
  });
  const look = async (within: readonly string[] | null) => {
    const { signal } = new AbortController();
    const { explorer } = project;
    const found = await searchDocuments("change `renewLoan`", { explorer, signal, within });
    return found?.lines.map((line) => line.split(":")[0]);
  };
  deepEqual(await look(["handbook"]), ["handbook/b.md"]);
  deepEqual((await look(null))?.toSorted(), ["docs/a.md", "handbook/b.md", "handbook2/c.md"]);
  deepEqual(await look([]), []);
});
