/** What the server itself collects for the drafts: documents, names, changed places. */
import { deepStrictEqual as deepEqual, match } from "node:assert/strict";
import { createProject, expectOk, toLines } from "../project_fixture.ts";

Deno.test("documents that speak of the request are searched, and their lines that say a rule bind the work", async () => {
  const files = {
    "src/a.ts": toLines(4),
    "docs/style.md":
      "# Style\n\nEach greeting of the sample page must end with a full stop.\nThe sample page has a greeting.\n",
    "docs/other.md": "# Other\n\nYou must never touch anything.\n",
  };
  await using project = await createProject({ files });
  const query = "Add a greeting to the sample page";
  expectOk(await project.start({ query, flags: {}, intent: "IMPLEMENT" }));
  expectOk(await project.workflow.addExploredFiles(["src/a.ts"]));
  const tasks = [{ id: "task_1", description: "x", checklist: ["Add it to src/a.ts"] }];
  expectOk(await project.submit({ tasks, summary: "planned", tools_used: [] }));
  const { documents, rules, frame } = await project.state();
  deepEqual(documents, ["docs/style.md"]);
  deepEqual(rules, [{
    rule: "Each greeting of the sample page must end with a full stop.",
    source: "docs/style.md:3",
  }]);
  deepEqual(frame?.slots.target_feature?.quote, query);
});

Deno.test("changed places are hunks, gone and renamed files; what belongs to no clause is named", async () => {
  const query = "Greet in the page. Remove the farewell file.";
  const files = {
    "page.ts": "export const page = 1;\n",
    "farewell.ts": "export const farewell = 1;\n",
    "zzz.cfg": "a\n",
  };
  await using project = await createProject({ files });
  expectOk(await project.start({ query, flags: {}, intent: "IMPLEMENT" }));
  expectOk(await project.workflow.addExploredFiles(Object.keys(files)));
  expectOk(await project.clear(...Object.keys(files)));
  await project.repo.write({
    "page.ts": "export const page = 1;\nexport const greet = 'hello from the page';\n",
    "zzz.cfg": "a\nqqq\n",
  });
  await Deno.remove(`${project.root}/farewell.ts`);
  const reply = expectOk(await project.submit({ done: {} }));
  match(JSON.stringify(reply.asked), /passed/);
  deepEqual(reply.of_no_clause, ["zzz.cfg:2"]);
  const [task] = (await project.state()).tasks;
  deepEqual(task?.checklist.map(({ evidence }) => evidence), ["page.ts:2", "farewell.ts:deleted"]);
});
