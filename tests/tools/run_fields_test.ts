/** What replies say of the tests that ran a function: through the tools, on a real index, with records behind the door. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { NO_ASKER } from "../../src/base/asker.ts";
import type { Extension } from "../../src/services/extension.ts";
import { readArguments } from "../../src/tools/arguments.ts";
import { findTool } from "../../src/tools/tools.ts";
import { createSeenRuns } from "../support/seen_runs.ts";
import { createProject } from "../workflow/project_fixture.ts";

const PY = `LIMIT = 3

class Cart:
    def add(self, item):
        return item

def idle():
    return 1

def loaded():
    return 2
`;
const RAN = {
  "tests/test_cart.py::test_add[1]": ["cart.py Cart.add"],
  "tests/test_all.py::test_all": ["cart.py Cart.add", "other.py f"],
};

// deno-lint-ignore no-explicit-any -- tests read replies freely
type Reply = any;

async function ask(
  calls: readonly (readonly [tool: string, args: Readonly<Record<string, unknown>>])[],
  features: readonly Extension[],
): Promise<readonly Reply[]> {
  await using project = await createProject({ files: { "cart.py": PY }, features });
  const { services } = project;
  await services.index.sync();
  const { signal } = new AbortController();
  const rest = { signal, maxBytes: 16_384, asker: NO_ASKER, progress: () => {} };
  const replies: Reply[] = [];
  for (const [tool, args] of calls) {
    const row = findTool(tool);
    if (row === undefined) throw new Error(tool);
    const read = readArguments(row, args);
    if (read.kind === "refused") throw new Error(JSON.stringify(read));
    const { reply } = await row.run(read.input, { services, via: "mcp", ...rest });
    replies.push(JSON.parse(JSON.stringify(reply)));
  }
  return replies;
}

const CALLS = [
  ["find_definitions", { symbol: "Cart.add" }],
  ["find_definitions", { symbol: "Cart" }],
  ["get_function_at_line", { file_path: "cart.py", line_number: 5 }],
  ["get_symbols", { path: "cart.py" }],
  ["query", { question: "Where is Cart.add?" }],
] as const;

Deno.test("replies say of a function which tests ran it, with one look into the records a question", async () => {
  let loads = 0;
  const runs = createSeenRuns({
    ran: RAN,
    idle: ["cart.py idle", "cart.py Cart", "cart.py LIMIT"],
    loaded: ["cart.py loaded"],
    onLoad: () => loads++,
  });
  const [one, type, at, symbols, query] = await ask(CALLS, [{
    openRuns: () => Promise.resolve(runs),
  }]);
  const text = "run by 2 tests, nearest `test_cart.py: test_add[1]`";
  equal(one.definitions[0].run_by, text);
  equal(type.definitions[0].run_by, undefined, "a class is not run");
  equal(at.run_by, text);
  const told = symbols.symbols.map((row: Reply) => [row.name, row.run_by ?? null]);
  deepEqual(told, [
    ["LIMIT", null],
    ["Cart", null],
    ["add", "run by tests"],
    ["idle", "not run by any recorded test"],
    ["loaded", "run at import"],
  ]);
  match(JSON.stringify(query.results), /"run_by":"run by 2 tests, nearest/);
  equal(loads, CALLS.length + 1, "a query finds references too");
});

Deno.test("replies are as before where nothing was recorded", async () => {
  const none = { load: () => Promise.resolve(null) };
  const [without, empty] = [
    await ask(CALLS, []),
    await ask(CALLS, [{
      openRuns: () => Promise.resolve(none),
    }]),
  ];
  deepEqual(empty, without);
  equal(JSON.stringify(without).includes("run_by"), false);
});
