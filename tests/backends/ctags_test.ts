/** Definitions of one sample a language by the real ctags. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { findTagsByCtags, isReadByCtags } from "../../src/backends/ctags.ts";
import { createBackends } from "../../src/backends/detect.ts";
import { languageOfPath } from "../../src/language/languages.ts";
import { testNeeding } from "../support/needs.ts";
import { SAMPLES, toText } from "../language/samples.ts";

const CTAGS = await createBackends({ env: { get: () => undefined } }).ctags();

testNeeding(
  ["ctags"],
  "findTagsByCtags() finds the names that the line patterns find",
  async () => {
    ok(CTAGS.available && CTAGS.path !== undefined, "needs Universal Ctags on this machine");
    const root = await Deno.makeTempDir({ prefix: "code-intel-tags-" });
    try {
      for (const [path, text] of SAMPLES) await Deno.writeTextFile(join(root, path), text);
      const code = SAMPLES.filter(([path]) => {
        const language = languageOfPath(path);
        return language !== undefined && isReadByCtags(CTAGS, language) &&
          !/\.(?:yaml|json|toml|md|html|hs|cpp)$/.test(path);
      });
      const run = await findTagsByCtags(CTAGS.path, code.map(([path]) => path), {
        root,
        timeoutMs: 20_000,
      });
      equal(run.timedOut, false);
      for (const [path, , expected] of code) {
        const names = new Set(
          run.tags.filter((tag) => tag.path === path)
            .flatMap((tag) => [tag.name, tag.name.replace(/^.*\./, "")]),
        );
        const missing = expected.map((line) => line.split(" ")[1] ?? "")
          .filter((name) => !names.has(name) && !names.has(name.replace(/^.*\.|^[#$]/, "")));
        deepEqual(missing, [], path);
      }
    } finally {
      await Deno.remove(root, { recursive: true });
    }
  },
);

testNeeding(
  ["ctags"],
  "findTagsByCtags() reads no option files of the project and no names as options",
  async () => {
    ok(CTAGS.path !== undefined);
    const root = await Deno.makeTempDir({ prefix: "code-intel-tags-" });
    try {
      await Deno.mkdir(join(root, ".ctags.d"));
      await Deno.writeTextFile(join(root, ".ctags.d", "x.ctags"), "--languages=-Python\n");
      await Deno.writeTextFile(join(root, "--version"), "");
      await Deno.writeTextFile(join(root, "--languages=-Python"), "");
      await Deno.writeTextFile(join(root, "a.py"), "def f(): pass\n");
      const files = ["--version", "--languages=-Python", "a.py", "gone.py", "new\nline.py"];
      const run = await findTagsByCtags(CTAGS.path, files, { root, timeoutMs: 20_000 });
      deepEqual(run.tags.map(toText), ["function f"]);
    } finally {
      await Deno.remove(root, { recursive: true });
    }
  },
);
