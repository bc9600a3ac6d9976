/** The index with the program's own workers and analyser. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { AnalysisPool, OWN_THREAD } from "../../src/analysis/analysis_pool.ts";
import { createTempRepo } from "../support/temp_repo.ts";
import { openTestIndex } from "../index/support.ts";

/** The first text of a language waits for its grammar, on a busy machine for long. */
const createPool = () => new AnalysisPool({ timeoutMs: 300_000 });

Deno.test("sync() with the program's workers knows definitions, mentions and imports of real code", async () => {
  const files = {
    "src/auth.ts": `/** Signs people in. */
export class Auth extends Base {
  login(name: string): boolean {
    return this.check(name);
  }
}
`,
    "src/app.py": "from auth import Auth\n\n\ndef main():\n    return Auth().login('x')\n",
    "notes.txt": "Nothing but words.\n",
  };
  await using repo = await createTempRepo({ files });
  await using test = openTestIndex(repo.repo, { options: { analyser: createPool() } });
  const report = await test.index.sync();
  deepEqual([report.parsed, report.counts.files, report.counts.skipped], [3, 3, 0]);
  await test.index.read((view) => {
    const [login] = view.findSymbols({ name: "login" }).hits;
    deepEqual([login?.qualifiedName, login?.startLine, login?.endLine], ["Auth.login", 3, 5]);
    const [auth] = view.findSymbols({ name: "Auth" }).hits;
    deepEqual([auth?.doc, auth?.bases, auth?.isExported], ["Signs people in.", ["Base"], true]);
    const calls = view.findOccurrences("login").hits.filter(({ kind }) => kind === "call");
    deepEqual(calls.map(({ path, line }) => [path, line]), [["src/app.py", 5]]);
    deepEqual(view.listImports("src/app.py").map(({ module, name }) => [module, name]), [
      ["auth", "Auth"],
    ]);
    equal(view.searchText({ text: "signs people" })[0]?.paths[0], "src/auth.ts");
    equal(view.getFile("src/app.py")?.parser, "tree-sitter");
  });
});

Deno.test("a method that stands apart from its type is stored with it, whatever the language", async () => {
  const files = {
    "a/server.go": "package web\n\ntype Server struct{}\n",
    "a/run.go":
      "package web\n\nfunc (s *Server) Run() {}\nfunc (l List[T]) Len() int { return 0 }\n",
    "b/shop.cpp": "namespace app {\nvoid net::Shop::open() {}\n}\n",
    "c/lib.rs":
      "struct Circle;\nimpl Circle {\n  fn area(&self) {}\n}\nimpl Draw for Other {\n  fn draw(&self) {}\n}\n",
    "d/ext.kt": "fun Item.price(): Int = 1\n",
    "e/view.js": "View.prototype.render = function () {};\n",
    "f/tools.lua": "function Shop.sell() end\nfunction Shop:open() end\n",
    "g/node.rb": "class Shop::Item\n  def price\n  end\nend\n",
    "h/ext.swift": "extension Shop {\n  func sell() {}\n}\n",
  };
  await using repo = await createTempRepo({ files });
  // Not by workers, which would compile the patterns of eight languages for these files alone.
  await using test = openTestIndex(repo.repo, { options: { analyser: OWN_THREAD } });
  await test.index.sync();
  const rows: readonly (readonly [name: string, qualified: string, scope: string | undefined])[] = [
    ["Run", "Server.Run", "Server"],
    ["Len", "List.Len", "List"],
    ["open", "app.Shop.open", "Shop"],
    ["area", "Circle.area", undefined],
    ["draw", "Other.draw", undefined],
    ["price", "Item.price", "Item"],
    ["render", "View.render", "View"],
    ["sell", "Shop.sell", "Shop"],
    ["price", "Shop.Item.price", undefined],
    ["sell", "Shop.sell", undefined],
  ];
  await test.index.read((view) => {
    for (const [name, qualified, scope] of rows) {
      const found = view.findSymbols({ name }).hits.map((hit) => [hit.qualifiedName, hit.scope]);
      equal(
        found.some(([own, apart]) => own === qualified && apart === scope),
        true,
        `${qualified} (${scope}) in ${JSON.stringify(found)}`,
      );
    }
    equal(view.listSymbols("b/shop.cpp").at(-1)?.parent, 0, "it stands in its namespace");
  });
});
