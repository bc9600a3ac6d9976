/** References in the sample project, with and without programs. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import type {
  Explorer,
  FindReferencesInput,
  ReferencesFound,
} from "../../../src/explore/explorer.ts";
import { eachWay } from "../sample_project.ts";

async function ask(
  explorer: Explorer,
  symbol: string,
  rest: Partial<FindReferencesInput> = {},
): Promise<ReferencesFound> {
  const answer = await explorer.findReferences({
    symbol,
    includeText: false,
    maxResults: 50,
    ...rest,
  });
  ok(answer.kind === "found", JSON.stringify(answer));
  return answer;
}

async function places(
  explorer: Explorer,
  symbol: string,
  rest: Partial<FindReferencesInput> = {},
) {
  const answer = await ask(explorer, symbol, rest);
  return answer.references.map((one) => `${one.kind} ${one.path}:${one.line}:${one.column}`);
}

eachWay(
  "findReferences() classifies imports over several lines, calls and the definition",
  async ({ explorer }) => {
    deepEqual(await places(explorer, "loadUser"), [
      "import src/app.ts:2:3",
      "call src/app.ts:7:16",
      "call src/app.ts:8:16",
      "definition src/load.ts:6:17",
    ]);
    deepEqual(await places(explorer, "Options"), [
      "import src/app.ts:3:8",
      "type src/app.ts:6:32",
      "definition src/load.ts:1:18",
      "type src/load.ts:6:35",
    ]);
  },
);

eachWay(
  "findReferences() gives comments, strings and prose only with includeText",
  async ({ explorer }) => {
    deepEqual(await places(explorer, "loadUser", { includeText: true }), [
      "text docs/guide.md:3:6",
      "import src/app.ts:2:3",
      "call src/app.ts:7:16",
      "call src/app.ts:8:16",
      "text src/app.ts:8:35",
      "text src/load.ts:5:5",
      "definition src/load.ts:6:17",
    ]);
  },
);

eachWay("findReferences() tells writes from reads", async ({ explorer }) => {
  deepEqual(await places(explorer, "last"), ["write src/users/service.py:8:14"]);
  const count = await ask(explorer, "count");
  deepEqual(count.references.map((one) => one.line), [7, 8]);
  deepEqual(count.references.at(-1)?.kind, "write");
});

eachWay("findReferences() keeps names whole: Ruby signs, CSS hyphens", async ({ explorer }) => {
  deepEqual(
    (await places(explorer, "save", { language: "ruby" })).map((one) => one.split(" ")[1]),
    [
      "src/model.rb:3:14",
      "src/model.rb:6:10",
    ],
  );
  deepEqual((await places(explorer, "save?")).map((one) => one.split(" ")[1]), [
    "src/model.rb:3:5",
    "src/model.rb:5:7",
  ]);
  deepEqual((await places(explorer, "btn")).map((one) => one.split(" ")[1]), ["src/style.css:1:2"]);
});

eachWay(
  "R24: findReferences() takes the symbol as text, never as an expression",
  async ({ explorer }) => {
    deepEqual(await places(explorer, "loadUse."), []);
    deepEqual(await places(explorer, "load.ser"), []);
  },
);

eachWay(
  "findReferences() says what it did not check, and counts by kind over all pages",
  async ({ explorer }) => {
    const answer = await ask(explorer, "UserService.save", { maxResults: 1, includeText: true });
    equal(answer.references.length, 1);
    equal(Object.values(answer.byKind).reduce((sum, count) => sum + count, 0), answer.total);
    ok(answer.notices?.some((notice) => notice.includes("not proved")));
    ok(answer.references.every((one) => one.confidence === "name"));
  },
);
