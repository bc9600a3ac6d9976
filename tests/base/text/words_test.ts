/** Texts with calls inside: an agent and a person at a terminal read words of their own. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { formatStoredProblem, makeProblem } from "../../../src/base/problem.ts";
import { buildRefusal } from "../../../src/base/reply.ts";
import type { Words } from "../../../src/base/text/words.ts";
import {
  argument,
  ASKED,
  call,
  either,
  joinWords,
  parseWords,
  Phrase,
  SAME_CALL,
  say,
  send,
  tool,
  use,
} from "../../../src/base/text/words.ts";
import { createUserReader } from "../../../src/cli/user_reader.ts";

const PERSON = createUserReader("search_text");
const toPerson = (words: Words) => words instanceof Phrase ? words.toWords(PERSON) : words;

const ROWS: readonly (readonly [words: Words, agent: string, person: string])[] = [
  [
    say`${call("sync_index")}, then ${use("submit_phase")}.`,
    "Call sync_index, then submit_phase.",
    "Run `code-intel index`, then run `code-intel session submit`.",
  ],
  [
    say`Wait; ${call("get_session_status")}. ${call("query")} or ${tool("search_files")}.`,
    "Wait; call get_session_status. Call query or search_files.",
    "Wait; run `code-intel session status`. Run `code-intel query` or `code-intel files`.",
  ],
  [
    say`Resume it (${tool("get_session_status", { session_id: "session_1" })}).`,
    'Resume it (get_session_status with session_id "session_1").',
    "Resume it (`code-intel session resume session_1`).",
  ],
  [
    say`${call("get_session_status", { session_id: ASKED })} of a parked session.`,
    "Call get_session_status with session_id of a parked session.",
    "Run `code-intel session resume SESSION` of a parked session.",
  ],
  [
    say`${tool("get_session_status", { discard_active: true })} archives it`,
    "get_session_status with discard_active true archives it",
    "`code-intel session status --discard-active` archives it",
  ],
  [
    say`${call("start_session", { intent: ASKED, query: ASKED })}.`,
    "Call start_session with intent and query.",
    "Run `code-intel session start --intent INTENT QUERY`.",
  ],
  [
    say`Look: ${tool("add_explored_files", { files: ["my file.ts"] })}.`,
    'Look: add_explored_files with files ["my file.ts"].',
    "Look: `code-intel session explore 'my file.ts'`.",
  ],
  [
    say`${send("fixed", true)} for ${argument("path")}, ${argument("max_results")}.`,
    "Send fixed true for path, max_results.",
    "Add `--fixed` for --path, --max-results.",
  ],
  [
    say`${SAME_CALL} as ${either({ agent: "JSON", person: "words" })}: ${7} ${"x"}.`,
    "Send the same call as JSON: 7 x.",
    "Run the same command as words: 7 x.",
  ],
  [
    say`Wait, then ${SAME_CALL} again.`,
    "Wait, then send the same call again.",
    "Wait, then run the same command again.",
  ],
  [
    joinWords(["First.", "", say`${call("query")}.`]),
    "First. Call query.",
    "First. Run `code-intel query`.",
  ],
  [
    say`Outer: ${say`${tool("find_references")} inside`}.`,
    "Outer: find_references inside.",
    "Outer: `code-intel refs` inside.",
  ],
  [
    parseWords("Use `get_symbols`, not `rest`; src/submit_phase.ts stays."),
    "Use `get_symbols`, not `rest`; src/submit_phase.ts stays.",
    "Use `code-intel symbols`, not `rest`; src/submit_phase.ts stays.",
  ],
  [parseWords("Plain."), "Plain.", "Plain."],
];

for (const [words, agent, person] of ROWS) {
  Deno.test(`say: an agent reads "${agent}", a person words for a terminal`, () => {
    equal(String(words), agent);
    equal(JSON.stringify({ words }), JSON.stringify({ words: agent }));
    equal(toPerson(words), person);
  });
}

Deno.test("send() says leave out for a flag that switches a parameter off", () => {
  const reader = createUserReader("check_write_target");
  equal(
    say`${send("allow_new_files", true)} to create it.`.toWords(reader),
    "Leave out `--no-allow-new-files` to create it.",
  );
});

Deno.test("formatStoredProblem() keeps calls so that parseWords() finds them in the stored text", () => {
  const problem = makeProblem("a", "no", { hint: say`${call("find_references")} once.` });
  const { hint = "" } = formatStoredProblem(problem);
  equal(hint, "Call `find_references` once.");
  equal(toPerson(parseWords(hint)), "Call `code-intel refs` once.");
});

Deno.test("buildRefusal() joins messages without losing the calls in them", () => {
  const one = makeProblem("a", say`${tool("query")} failed`);
  equal(buildRefusal([one]).message, one.message);
  const { message } = buildRefusal([one, makeProblem("b", "b failed")]);
  deepEqual([String(message), toPerson(message)], [
    "query failed; b failed",
    "`code-intel query` failed; b failed",
  ]);
});
