/** Definitions of the sample project, with and without programs. */
import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import type {
  DefinitionsFound,
  Explorer,
  FindDefinitionsInput,
} from "../../../src/explore/explorer.ts";
import { createIndexedProject } from "../indexed_project.ts";
import { createProject, eachWay } from "../sample_project.ts";
import { testNeeding } from "../../support/needs.ts";

async function ask(
  explorer: Explorer,
  symbol: string,
  rest: Partial<FindDefinitionsInput> = {},
): Promise<DefinitionsFound> {
  const answer = await explorer.findDefinitions({
    symbol,
    exactMatch: false,
    maxResults: 50,
    ...rest,
  });
  ok(answer.kind === "found", JSON.stringify(answer));
  return answer;
}

function places(answer: DefinitionsFound): string[] {
  return answer.definitions.map((one) =>
    `${one.kind} ${one.name} ${one.path}:${one.line}-${one.endLine}`
  );
}

eachWay(
  "findDefinitions() finds the exact name with its kind and lines",
  async ({ explorer }, way) => {
    const answer = await ask(explorer, "loadUser");
    deepEqual(places(answer), ["function loadUser src/load.ts:6-10"]);
    equal(answer.match, "exact");
    equal(answer.source, way === "programs" ? "tree-sitter+rg" : "tree-sitter+scan");
    equal(answer.definitions[0]?.language, "TypeScript");
  },
);

eachWay(
  "findDefinitions() lists every definition of one name and merges none",
  async ({ explorer }) => {
    const answer = await ask(explorer, "save");
    deepEqual(places(answer), [
      "method save src/users/service.py:6-9",
      "method save src/users/service.py:13-15",
    ]);
    equal(answer.sameNamed, 2);
  },
);

for (
  const symbol of [
    "AdminService.save",
    "AdminService#save",
    "AdminService::save",
    "AdminService.save()",
  ]
) {
  eachWay(`findDefinitions() takes the qualified name ${symbol}`, async ({ explorer }) => {
    const answer = await ask(explorer, symbol);
    deepEqual(answer.definitions.map((one) => one.line), [13]);
    equal(answer.sameNamed, 2);
  });
}

eachWay(
  "findDefinitions() takes a file as the qualifier, and says where a name is not",
  async ({ explorer }) => {
    deepEqual((await ask(explorer, "load.loadUser")).total, 1);
    const none = await ask(explorer, "Nowhere.save", { exactMatch: true });
    equal(none.total, 0);
    match(none.notices?.join(" ") ?? "", /defined 2 times/);
  },
);

eachWay("findDefinitions() goes on to other cases and to parts of words", async ({ explorer }) => {
  const other = await ask(explorer, "LOADUSER");
  equal(other.match, "case_insensitive");
  deepEqual(places(other), ["function loadUser src/load.ts:6-10"]);
  const part = await ask(explorer, "Service");
  equal(part.match, "sub_word");
  deepEqual(part.definitions.map((one) => one.name), ["UserService", "AdminService"]);
  equal((await ask(explorer, "LOADUSER", { exactMatch: true })).total, 0);
});

eachWay(
  "R49: findDefinitions() finds what lies in builder.py and in dist_build",
  async ({ explorer }) => {
    deepEqual(places(await ask(explorer, "Builder")), ["class Builder builder.py:1-3"]);
    deepEqual(places(await ask(explorer, "Run")), ["function Run src/dist_build/tool.go:3-5"]);
  },
);

eachWay("R24: findDefinitions() filters by our names of languages", async ({ explorer }) => {
  equal((await ask(explorer, "save", { language: "python" })).total, 2);
  equal((await ask(explorer, "save", { language: "go" })).total, 0);
  const refused = await explorer.findDefinitions({
    symbol: "a",
    exactMatch: false,
    maxResults: 1,
    language: "pyton",
  });
  ok(refused.kind === "refused");
  equal(refused.problems[0]?.code, "unknown_language");
});

eachWay(
  "findDefinitions() knows signs at the end of names and at their start",
  async ({ explorer }) => {
    deepEqual((await ask(explorer, "save!")).definitions.map((one) => one.line), [2]);
    deepEqual((await ask(explorer, ".btn")).definitions.map((one) => one.line), [1]);
    deepEqual((await ask(explorer, "btn-primary")).definitions.map((one) => one.line), [4]);
  },
);

eachWay("R22: findDefinitions() leaves no file in the project", async ({ explorer, temp }) => {
  const before = await temp.state();
  await ask(explorer, "save", { path: "src" });
  equal(await temp.state(), before);
});

eachWay("findDefinitions() refuses what is no name", async ({ explorer }) => {
  for (const symbol of ["", "  ", "()", "a\nb", "x".repeat(1_000_000)]) {
    const answer = await explorer.findDefinitions({ symbol, exactMatch: false, maxResults: 1 });
    ok(answer.kind === "refused");
    equal(answer.problems[0]?.code, "invalid_symbol");
  }
});

testNeeding(
  [],
  "findDefinitions() lists a place once that its parser reports twice",
  async () => {
    await using project = await createProject("programs");
    await project.temp.write({
      "a.c": "typedef struct node { int v; } node;\n\nint other(int node);\n",
      "b.js":
        "exports.thing = function thing() {};\nclass K { get p() { return 1 } set p(v) {} }\n",
      "c.js": "function thing() {}\n",
    });
    const { explorer } = project;
    deepEqual(places(await ask(explorer, "node")), ["typedef node a.c:1-1"]);
    const thing = await ask(explorer, "thing");
    deepEqual(thing.definitions.map(({ path, line }) => `${path}:${line}`), ["b.js:1", "c.js:1"]);
    deepEqual([thing.total, thing.sameNamed], [2, 2]);
    equal((await ask(explorer, "K.p")).total, 1);
  },
);

Deno.test("findDefinitions() finds a module by its last part, before what bears the words in another case", async () => {
  const files = {
    "lib/assoc.ex": "defmodule Shop.Assoc.ManyToMany do\n  def build, do: 1\nend\n",
    "lib/schema.ex": "defmodule Shop.Schema do\n  def many_to_many, do: 1\nend\n",
  };
  await using project = await createIndexedProject({ files });
  const answer = await ask(project.explorer, "ManyToMany");
  equal(answer.match, "exact");
  deepEqual(places(answer), ["module Shop.Assoc.ManyToMany lib/assoc.ex:1-3"]);
  const other = await ask(project.explorer, "manytomany");
  equal(other.match, "case_insensitive");
  equal(other.definitions.length, 2);
});
