/** Which documents step 3 may look into. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { dirname, join } from "node:path";
import type { ContextSettings } from "../../src/base/settings/config.ts";
import { DEFAULT_CONTEXT } from "../../src/base/settings/config.ts";
import { findDocuments } from "../../src/context/doc_research.ts";
import { testNeeding } from "../support/needs.ts";

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
