/** Which documents step 3 may look into. */
import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { dirname, join } from "node:path";
import { findDocuments, readDocumentSummaries } from "../../src/context/doc_research.ts";
import { loadContext } from "../../src/context/settings.ts";
import { updateContext } from "../../src/context/update_context.ts";
import type { ContextSettings } from "../../src/base/settings/config_keys.ts";
import { DEFAULT_CONTEXT } from "../../src/base/settings/config.ts";
import { testNeeding } from "../support/needs.ts";

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

async function inProject(
  files: readonly string[],
  action: (projectRoot: string) => Promise<void>,
): Promise<void> {
  const projectRoot = await Deno.makeTempDir();
  try {
    for (const path of files) {
      await Deno.mkdir(dirname(join(projectRoot, path)), { recursive: true });
      await Deno.writeTextFile(join(projectRoot, path), "");
    }
    await action(projectRoot);
  } finally {
    await Deno.remove(projectRoot, { recursive: true });
  }
}

function withPaths(
  docs_path: readonly string[],
  document_search: Partial<ContextSettings["document_search"]> = {},
): ContextSettings {
  return {
    ...DEFAULT_CONTEXT,
    doc_research: { ...DEFAULT_CONTEXT.doc_research, docs_path: [...docs_path] },
    document_search: { ...DEFAULT_CONTEXT.document_search, ...document_search },
  };
}

const FILES = [
  "README.md",
  "docs/b.md",
  "docs/deep/a.mdx",
  "docs/code.ts",
  "docs/node_modules/x/y.md",
  "docs/.hidden/z.md",
  "spec/rules.rst",
  "spec/old/rules.md",
] as const;

Deno.test("findDocuments() lists documents below the configured paths, else below docs", () =>
  inProject(FILES, async (root) => {
    const rows: readonly (readonly [settings: ContextSettings, expected: readonly string[]])[] = [
      [withPaths([]), ["docs/b.md", "docs/deep/a.mdx"]],
      [withPaths(["spec"]), ["spec/old/rules.md", "spec/rules.rst"]],
      [withPaths(["spec/rules.rst", "docs/deep"]), ["docs/deep/a.mdx", "spec/rules.rst"]],
      [withPaths(["absent"]), []],
      [withPaths(["spec"], { exclude_patterns: ["spec/old/**"] }), ["spec/rules.rst"]],
      [withPaths(["docs"], { include_patterns: ["**/*.{md,mdx}"] }), [
        "docs/b.md",
        "docs/deep/a.mdx",
      ]],
      [withPaths(["docs"], { exclude_patterns: ["docs/[a-c].md"] }), ["docs/deep/a.mdx"]],
      [withPaths(["spec", "docs"], { include_patterns: ["*.md"] }), [
        "docs/b.md",
        "spec/old/rules.md",
      ]],
    ];
    for (const [settings, expected] of rows) {
      deepEqual((await findDocuments(root, settings)).documents, expected);
    }
  }));

Deno.test("findDocuments() falls back to design documents, then to the README", () =>
  inProject(["README.md", "DESIGN.md", "design-v2.md", "docs/only.ts"], async (root) => {
    deepEqual((await findDocuments(root, withPaths([]))).documents, ["DESIGN.md", "design-v2.md"]);
    await Deno.remove(join(root, "DESIGN.md"));
    await Deno.remove(join(root, "design-v2.md"));
    deepEqual((await findDocuments(root, withPaths([]))).documents, ["README.md"]);
  }));

Deno.test("findDocuments() refuses paths outside the project and follows no links", () =>
  inProject(["docs/a.md"], async (root) => {
    const outside = await Deno.makeTempDir();
    await Deno.writeTextFile(join(outside, "secret.md"), "");
    await Deno.symlink(outside, join(root, "docs", "link"));
    await Deno.symlink(outside, join(root, "linked"));
    const result = await findDocuments(root, withPaths(["docs", "linked", "../..", "/etc"]));
    deepEqual(result.documents, ["docs/a.md"]);
    deepEqual(result.problems.map(({ code, at }) => `${code} ${at}`), [
      "path_not_found doc_research.docs_path[1]",
      "path_outside doc_research.docs_path[2]",
      "path_outside doc_research.docs_path[3]",
    ]);
    await Deno.remove(outside, { recursive: true });
  }));

Deno.test("findDocuments() is bounded and says so, and tells whether research is on", () =>
  inProject(Array.from({ length: 30 }, (_, n) => `docs/f${n % 3}/${n}.md`), async (root) => {
    const cut = await findDocuments(root, withPaths([]), { limit: 12 });
    deepEqual([cut.documents.length, cut.isCut, cut.enabled], [12, true, true]);
    const whole = await findDocuments(root, withPaths([]), { limit: 30 });
    deepEqual([whole.documents.length, whole.isCut], [30, false]);
    const off = { ...DEFAULT_CONTEXT.doc_research, enabled: false };
    equal((await findDocuments(root, { ...DEFAULT_CONTEXT, doc_research: off })).enabled, false);
  }));

testNeeding(
  ["no_root"],
  "findDocuments() took a folder that it may not read for a fault of its own: it says so and lists the rest",
  () =>
    inProject(["docs/a.md", "docs/secret/b.md", "docs/z.md"], async (root) => {
      await Deno.chmod(join(root, "docs/secret"), 0o000);
      try {
        const { documents, problems } = await findDocuments(root, DEFAULT_CONTEXT);
        deepEqual(documents, ["docs/a.md", "docs/z.md"]);
        deepEqual(problems.map(({ code, message }) => [code, message]), [
          ["folder_unreadable", 'The folder "docs/secret" cannot be read'],
        ]);
      } finally {
        await Deno.chmod(join(root, "docs/secret"), 0o755);
      }
    }),
);
