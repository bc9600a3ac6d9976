/** What holds for every question: the project, links, cancellation, odd names. */
import {
  deepStrictEqual as deepEqual,
  ok,
  rejects,
  strictEqual as equal,
} from "node:assert/strict";
import { join } from "node:path";
import type { SearchTextInput } from "../../../src/explore/mod.ts";
import { createPlainExplorer, eachWay } from "../sample_project.ts";

const TEXT: SearchTextInput = {
  patterns: ["x"],
  caseSensitive: true,
  fixed: true,
  wholeWord: false,
  contextLines: 0,
  maxResults: 100,
};

Deno.test("R52: createLiveExplorer() looks into its project by default, not into the folder of the process", async () => {
  const dir = await Deno.realPath(await Deno.makeTempDir({ prefix: "distance-app-build-" }));
  try {
    await Deno.writeTextFile(join(dir, "only.py"), "def only_here(): pass\n");
    const explorer = createPlainExplorer(dir);
    const text = await explorer.searchText({ ...TEXT, patterns: ["def "] });
    ok(text.kind === "found");
    deepEqual(text.matches.map((match) => match.path), ["only.py"]);
    // R49: the name of the project is no reason to leave its files out.
    const found = await explorer.findDefinitions({
      symbol: "only_here",
      exactMatch: true,
      maxResults: 9,
    });
    equal(found.kind === "found" && found.total, 1);
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
});

eachWay(
  "createLiveExplorer() shows nothing through links and nothing of deleted files",
  async ({ explorer, temp }) => {
    await Deno.symlink("/etc/passwd", join(temp.dir, "passwd.txt"));
    await Deno.symlink(join(temp.dir, "src"), join(temp.dir, "linked"));
    await temp.remove("src/load.ts");
    const text = await explorer.searchText({ ...TEXT, patterns: ["root:"] });
    equal(text.kind === "found" && text.total, 0);
    const names = await explorer.findDefinitions({
      symbol: "loadUser",
      exactMatch: true,
      maxResults: 9,
    });
    equal(names.kind === "found" && names.total, 0);
    // A link inside the project is the folder that it leads to.
    const linked = await explorer.searchText({
      ...TEXT,
      path: "linked",
      patterns: ["package tool"],
    });
    deepEqual(linked.kind === "found" && linked.shownFiles, ["src/dist_build/tool.go"]);
  },
);

eachWay(
  "createLiveExplorer() ends every question when the call is cancelled",
  async ({ explorer }) => {
    const options = { signal: AbortSignal.abort() };
    const page = { maxResults: 5 };
    const cancelled = { code: "cancelled" };
    await rejects(explorer.searchText(TEXT, options), cancelled);
    await rejects(
      explorer.findDefinitions({ ...page, symbol: "save", exactMatch: true }, options),
      cancelled,
    );
    await rejects(
      explorer.findReferences({ ...page, symbol: "save", includeText: true }, options),
      cancelled,
    );
  },
);

eachWay(
  "createLiveExplorer() takes names of files that look like options or hold odd signs",
  async ({ explorer, temp }) => {
    await temp.write({
      "--pre=x.py": "def odd_one(): pass\n",
      "sp ace é.py": "def odd_two(): pass\n",
      "-": "odd_\n",
    });
    const found = await explorer.findDefinitions({
      symbol: "odd",
      exactMatch: false,
      maxResults: 9,
    });
    deepEqual(found.kind === "found" && found.definitions.map((one) => one.path), [
      "--pre=x.py",
      "sp ace é.py",
    ]);
    const text = await explorer.searchText({ ...TEXT, patterns: ["odd_"] });
    deepEqual(text.kind === "found" && text.shownFiles, ["-", "--pre=x.py", "sp ace é.py"]);
  },
);
