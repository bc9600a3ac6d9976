/** Questions about the code of a real project of several languages, over stdio, with the index behind them. */
import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { startClient } from "../support/server/mcp_client.ts";
import { createProject } from "../support/session/project.ts";

const FILES = {
  "app/models.py":
    "class User:\n    def save(self):\n        return store(self)\n\n\ndef store(user):\n    return user\n",
  "app/views.py":
    "from app.models import User\n\n\ndef show(name):\n    # save it\n    return User().save()\n",
  "web/index.ts":
    "import { load } from './load.ts';\n\nexport class Page {\n  /** Shows. */\n  render(id: string) {\n    return load(id);\n  }\n}\n",
  "web/load.ts": "export function load(id: string) {\n  return id;\n}\n",
  "go/util/u.go": "package util\n\nfunc Run() error { return nil }\n",
};
/** What is asked about beside them: a name of another package, and a function of many lines. */
const MORE = {
  "go/main.go":
    'package main\n\nimport "os"\n\ntype flags struct{}\n\nfunc (flags) Args() {}\n\nfunc main() {\n\tflags{}.Args()\n\tprintln(os.Args[0])\n}\n',
  "lib/long.py": `def long():\n${"    step()\n".repeat(200)}`,
};

Deno.test("the tools on the index answer over stdio, see edits at once, and refuse wrong input", async () => {
  await using project = await createProject({ files: { ...FILES, ...MORE } });
  const client = await startClient({ projectDir: project.dir, env: project.env });
  const ask = async (tool: string, args: unknown) => (await client.call(tool, args)).reply;

  const synced = await ask("sync_index", { sync_map: false });
  deepEqual([synced.ok, synced.complete, synced.files], [true, true, 7]);
  equal((await ask("sync_index", { path: "/elsewhere" })).error, "invalid_value");
  const anew = await ask("sync_index", { force: true, sync_map: false });
  deepEqual([anew.complete, anew.parsed], [true, 7]);

  const defined = await ask("find_definitions", { symbol: "User.save" });
  deepEqual([defined.source, defined.match, defined.definitions[0].path], [
    "index",
    "exact",
    "app/models.py",
  ]);
  deepEqual([defined.freshness, defined.answer], [undefined, "complete"]);
  match(defined.state, /^working tree of \S+$/);
  const used = await ask("find_references", { symbol: "load" });
  // What all of them would say stands once.
  deepEqual([used.confidence, used["defined_at"]], ["resolved", "web/load.ts:1"]);
  deepEqual(
    used.references.map(({ path, lines, ...rest }: { path: string; lines: string[] }) => [
      path,
      ...lines.map((line) => line.replace(/:.*/, "")),
      ...Object.keys(rest),
    ]),
    [["web/index.ts", "1 import", "6 call"], ["web/load.ts", "1 definition"]],
  );
  // No method of the project can be meant where a name of another package stands before the dot.
  const foreign = await ask("find_references", { symbol: "os.Args" });
  deepEqual([foreign.total, foreign.references[0].lines[0].split(" ")[0]], [1, "11"]);
  const text = await ask("find_references", { symbol: "save", include_text: true });
  equal(text.by_kind.text, 1);

  const structure = await ask("analyze_structure", { file_path: "web/index.ts" });
  deepEqual(structure.symbols, [{
    name: "Page",
    kind: "class",
    line: 3,
    end_line: 8,
    children: [{
      name: "render",
      kind: "method",
      line: 5,
      end_line: 7,
      signature: "(id: string)",
      doc: "Shows.",
    }],
  }]);
  deepEqual(structure.imports, [{ module: "./load.ts", line: 1, names: ["load"] }]);
  const folder = await ask("analyze_structure", { file_path: "app" });
  deepEqual(folder.files.map((file: { symbols: string[] }) => file.symbols), [
    ["class User:1", "function store:6"],
    ["function show:4"],
  ]);
  const first = await ask("analyze_structure", { file_path: "app/models.py", max_results: 2 });
  equal(first.truncated.reason, "max_results");
  const rest = await ask(first.truncated.next.tool, first.truncated.next.arguments);
  deepEqual(rest.symbols.map(({ name }: { name: string }) => name), ["store"]);
  const code = await ask("analyze_structure", { code: "def a(): pass", language: "python" });
  equal(code.symbols[0].name, "a");
  equal((await ask("analyze_structure", {})).error, "invalid_arguments");
  equal((await ask("analyze_structure", { code: "x" })).error, "missing_field");

  const holder = await ask("get_function_at_line", { file_path: "web/index.ts", line_number: 6 });
  deepEqual([holder.function.name, holder.function.scope], ["render", "Page"]);
  deepEqual(holder.content, [
    "  /** Shows. */",
    "  render(id: string) {",
    "    return load(id);",
    "  }",
  ]);
  const outside = await ask("get_function_at_line", { file_path: "app/views.py", line_number: 1 });
  deepEqual([outside.function, outside.nearest[0].name], [null, "show"]);
  equal(
    (await ask("get_function_at_line", { file_path: "app/views.py", line_number: 99 })).error,
    "line_outside",
  );

  const long = { file_path: "lib/long.py", line_number: 150 };
  const around = await ask("get_function_at_line", long);
  deepEqual([around.content.length, around.total, around.answer], [80, 201, "partial"]);
  match(around.notices[0], /from line 120 on. Ask for line 1 /);
  const begin = await ask("get_function_at_line", { ...long, line_number: 1 });
  deepEqual([begin.content[0], begin.truncated.next.arguments.offset], ["def long():", 80]);

  const question = "who saves a User?";
  const query = await ask("query", { question });
  deepEqual([query.plan, query.results[0].tools], [undefined, undefined]);
  ok((await ask("query", { question, show_plan: true })).plan.length > 0);
  equal(query.results[0].path, "app/models.py");
  equal((await ask("query", { question: "how does it do that?" })).error, "nothing_to_look_for");

  equal(synced.map_sync, undefined);

  // What cannot be read in time is named as pending: a busy machine may need a second question.
  const count = async (symbol: string) => {
    for (;;) {
      const { total, freshness } = await ask("find_definitions", { symbol, exact_match: true });
      if (!(freshness?.pending > 0)) return total;
    }
  };
  await project.repo.write({ "web/load.ts": "export function loadAll() {}\n" });
  deepEqual([await count("loadAll"), await count("load")], [1, 0]);
  await project.repo.remove("go/util/u.go");
  equal(await count("Run"), 0);
  await client.close();
});

Deno.test("a new server finds the index of the last one, and one that cannot be written does not matter", async () => {
  await using project = await createProject({ files: FILES });
  const first = await startClient({ projectDir: project.dir, env: project.env });
  await first.call("sync_index", {});
  await first.close();
  const second = await startClient({ projectDir: project.dir, env: project.env });
  const { reply } = await second.call("find_definitions", { symbol: "Run" });
  deepEqual([reply.source, reply.total, reply.answer], ["index", 1, "complete"]);
  await second.close();
  // What is no database is set aside, and the answer comes all the same.
  await project.repo.write({ ".git/code-intel/index.db": "not a database ".repeat(100) });
  const third = await startClient({ projectDir: project.dir, env: project.env });
  const again = (await third.call("find_definitions", { symbol: "Run" })).reply;
  equal(again.total, 1);
  match(again.notices?.[0], /^The index was .*; it was set aside as ".*" and is built again\.$/);
  equal((await third.call("find_definitions", { symbol: "Run" })).reply.notices, undefined);
  await third.close();
});
