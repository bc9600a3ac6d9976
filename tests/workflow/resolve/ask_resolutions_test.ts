/** The question about resolutions: when there is one, what it names, and what an answer means. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { checkQuestion } from "../../../src/base/asker.ts";
import type { Answer } from "../../../src/base/asker.ts";
import type { ChangeResolution } from "../../../src/phase/payload/payloads.ts";
import {
  askPerson,
  buildResolutionQuestion,
  checkAnswer,
} from "../../../src/workflow/resolve/ask_resolutions.ts";
import type { Inspection } from "../../../src/workflow/look/inspect.ts";
import { SAMPLE_ID, sampleState } from "../../session/sample_state.ts";

const SESSION = { id: SAMPLE_ID, revision: 3, state: sampleState(), notices: [] };

function toInspection(tree: string): Inspection {
  const head = { branch: "main", commit: "c" };
  const seen = { tree, changes: [], head, gitFiles: [], gitHashes: {}, odd: {}, large: [] };
  const texts = { changed: [], now: {} };
  return { state: SESSION.state, findings: [], problems: [], total: 0, texts, seen };
}

function ask(rows: readonly ChangeResolution[], tree = "t1") {
  return buildResolutionQuestion(SESSION, toInspection(tree), { rows });
}

const ROW = { path: "src/a.ts", action: "person", reason: "I did it" } as const;

Deno.test("buildResolutionQuestion() asks about what is the person's and about HEAD, never about a file that is put back", () => {
  for (const action of ["authorize", "restore"] as const) equal(ask([{ ...ROW, action }]), null);
  const undo = { ...ROW, path: "HEAD", action: "undo" } as const;
  for (const row of [ROW, undo]) {
    const question = ask([row, { ...ROW, path: "b", action: "restore" }]);
    match(question?.message ?? "", new RegExp(`\n${row.path}: .+ \\(I did it\\)$`));
    if (question !== null) checkQuestion(question);
  }
});

Deno.test("buildResolutionQuestion() has one key for one state of the disk and one list of rows", () => {
  const { key } = ask([ROW]) ?? {};
  equal(ask([ROW])?.key, key);
  equal(ask([ROW], "t2")?.key === key, false);
  equal(ask([{ ...ROW, path: "b" }])?.key === key, false);
});

Deno.test("buildResolutionQuestion() cuts a long list and says so", () => {
  const rows = Array.from({ length: 25 }, (_, at) => ({ ...ROW, path: `${at}.ts` }));
  match(ask(rows)?.message ?? "", /\nand 5 more$/);
});

for (
  const [answer, word, code] of [
    [{ kind: "answered", values: { agree: true } }, "confirmed", null],
    [{ kind: "answered", values: { agree: false } }, "refused", "person_refused"],
    [{ kind: "declined" }, "refused", "person_refused"],
    [{ kind: "unanswered" }, "unanswered", "person_unanswered"],
    [{ kind: "input_required" }, "unanswered", "person_unanswered"],
    [{ kind: "unavailable" }, "relayed", null],
  ] as readonly (readonly [Answer, string, string | null])[]
) {
  Deno.test(`askPerson() takes ${JSON.stringify(answer)} for ${word}`, async () => {
    const question = ask([ROW]);
    if (question === null) throw new Error("no question");
    const asker = { ask: () => Promise.resolve(answer) };
    const said = await askPerson(question, asker, new AbortController().signal);
    deepEqual([said.key, said.answer], [question.key, word]);
    equal(checkAnswer(said)?.code ?? null, code);
  });
}
