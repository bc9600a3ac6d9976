/** Scores of calls against a compiler, and what the TypeScript compiler says of the calls of a small project. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import type { CallSite } from "../../../lab/calls/call_sites.ts";
import { scoreCalls } from "../../../lab/calls/call_sites.ts";
import { judgeTypescript } from "../../../lab/calls/judge_typescript.ts";
import { insertCalls } from "../../../lab/calls/page.ts";

const AT = { path: "a.ts", line: 3, column: 2, name: "run" };
const TO = { path: "b.ts", line: 1 };

function score(kind: CallSite["kind"], targets: CallSite["targets"], answer: number | null) {
  const edges = answer === null ? [] : [{ ...AT, target: { path: "b.ts", line: answer } }];
  const sites = [{ ...AT, kind, targets }];
  const found = scoreCalls({ judge: "x", files: ["a.ts"], sites }, edges);
  return [found.all, found.foundOfAll, found.judged, found.wrong.length];
}

Deno.test("scoreCalls() counts what is found, what is wrong and what nobody can judge", () => {
  deepEqual(score("body", [TO], 1), [1, 1, 1, 0]);
  deepEqual(score("body", [TO], 2), [1, 0, 1, 1]);
  deepEqual(score("declared", [TO], null), [1, 0, 0, 0]);
  deepEqual(score("outside", [], 1), [0, 0, 1, 1]);
  deepEqual(score("value", [], 1), [0, 0, 1, 1]);
  deepEqual(score("none", [], 1), [0, 0, 1, 1]);
  deepEqual(score("unknown", [], 1), [0, 0, 0, 0]);
});

Deno.test("insertCalls() puts the part at the end of the page, once", () => {
  const once = insertCalls("# Accuracy\n\ntext\n", "## Calls\n\none\n");
  equal(once, "# Accuracy\n\ntext\n\n## Calls\n\none\n");
  equal(insertCalls(once, "## Calls\n\ntwo\n"), "# Accuracy\n\ntext\n\n## Calls\n\ntwo\n");
});

Deno.test("judgeTypescript() tells bodies, declarations, values and what is outside apart", async () => {
  const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "code-intel-judge-" }));
  try {
    const text = [
      "interface Store { read(): void }",
      "class Base { constructor() {} }",
      "class Own extends Base { constructor() { super(); } go() {} }",
      "export function run(store: Store, done: () => void) {",
      "  store.read();",
      "  done();",
      "  new Own().go();",
      "  JSON.stringify(1);",
      "  missing();",
      "}",
    ];
    await Deno.writeTextFile(join(root, "a.ts"), text.join("\n"));
    const { sites } = judgeTypescript(root, ["a.ts"]);
    deepEqual(sites.map(({ name, kind, targets }) => [name, kind, targets[0]?.line ?? 0]), [
      ["constructor", "body", 2],
      ["read", "declared", 1],
      ["done", "value", 0],
      ["go", "body", 3],
      ["Own", "body", 3],
      ["stringify", "outside", 0],
      ["missing", "unknown", 0],
    ]);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});
