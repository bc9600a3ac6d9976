/** The index with the program's own workers and analyser. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { AnalysisPool } from "../../src/index/analysis_pool.ts";
import { createTempRepo } from "../support/temp_repo.ts";
import { openTestIndex } from "./support.ts";

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
  await using test = openTestIndex(repo.repo, { options: { analyser: new AnalysisPool() } });
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
