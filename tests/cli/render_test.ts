/** Replies as people read them. */
import { match, strictEqual as equal } from "node:assert/strict";
import { createUserReader } from "../../src/cli/user_reader.ts";
import { call, say } from "../../src/base/text/words.ts";
import * as render from "../../src/cli/render.ts";
import { formatTime } from "../../src/base/text/plain_text.ts";

const PLAIN = {
  paint: (text: string) => text,
  columns: null,
  reader: createUserReader("search_text"),
};

const join = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join("");
const renderReply: (...given: Parameters<typeof render.renderReply>) => string = (...given) =>
  join(render.renderReply(...given));
const renderRefusal: (...given: Parameters<typeof render.renderRefusal>) => string = (...given) =>
  join(render.renderRefusal(...given));

Deno.test("renderReply() opens with the step and outlines the rest", () => {
  const text = renderReply("submit_phase", {
    ok: true as const,
    phase: "READY",
    step: 12,
    of: 19,
    instruction: "Plan the work.",
    tasks: [{ id: "task_1", checklist: [] }, "x"],
    branch: null,
    call: "submit_phase",
    compaction_count: 0,
  }, PLAIN);
  equal(
    text,
    `Step 12/19: READY
Plan the work.

tasks:
  - id: task_1
    checklist: -
  - x
branch: -
compaction_count: 0
next: code-intel session submit
`,
  );
});

Deno.test("renderReply() gives times to people in their own zone, and other texts as they are", () => {
  const at = "2026-01-31T10:20:30.400Z";
  const snapshots = [{ number: 1, at, label: "start", changed_files: 1 }];
  equal(
    renderReply("snapshots", { ok: true, snapshots }, PLAIN),
    `   1  ${formatTime(at)}  start  (1 changed file)\n`,
  );
  equal(
    renderReply("trust", { ok: true, at, by: "terminal" }, PLAIN),
    `at: ${formatTime(at)}\nby: terminal\n`,
  );
});

Deno.test("renderReply() keeps the lines of a diff under its file", () => {
  const changes = [{ path: "a.ts", diff: "-old\n+new\n" }];
  equal(
    renderReply("review_changes", { ok: true, changes }, PLAIN),
    "changes:\n  - path: a.ts\n    diff: -old\n        +new\n",
  );
});

Deno.test("renderReply() lists places and says what is not shown", () => {
  const matches = [{ path: "a.ts", lines: ["2-before", "3:login();"] }];
  const args = { pattern: "login()", path: "src", max_results: 100, offset: 1 };
  const next = { tool: "search_text", arguments: args };
  const truncated = { shown: 1, total: 9, reason: "max_results", next };
  equal(
    renderReply("search_text", { ok: true, total: 9, matches, truncated }, PLAIN),
    "a.ts-2- before\na.ts:3: login();\n(1 of 9 shown)\n" +
      "(the rest: `code-intel text --path src --offset 1 'login()'`)\n",
  );
  equal(renderReply("search_files", { ok: true, total: 0, files: [] }, PLAIN), "(nothing found)\n");
});

Deno.test("renderReply() prints past work like a question below what was found", () => {
  const results = [{ path: "a.ts", line: 3, role: "text", text: "login();" }];
  const work = { commit: "1a2b3c4d", at: "2026-01-31", message: "Log in" };
  const works = [
    { ...work, files: ["a.ts", "b.ts"], more_files: 2, then: "reverted 1 day later: 5e6f Out" },
    { ...work, files: [], more_files: 7 },
    { ...work, files: [] },
  ];
  equal(
    renderReply("query", { ok: true, total: 1, results, past_work: works }, PLAIN),
    `a.ts:3: [text] login();
(past work like this)
1a2b3c4d  2026-01-31  Log in  (a.ts, b.ts and 2 more)
    reverted 1 day later: 5e6f Out
1a2b3c4d  2026-01-31  Log in  (7 files)
1a2b3c4d  2026-01-31  Log in
`,
  );
});

Deno.test("renderRefusal() lists the parked sessions", () => {
  const session = { session_id: "session_1", query: "add a login", step: 5, parked_days: 1 };
  const reply = { ok: false, error: "no_active_session", message: "None is active" } as const;
  equal(
    renderRefusal(
      { ...reply, parked_sessions: [session, { ...session, parked_days: 0 }] },
      PLAIN,
    ),
    "no_active_session: None is active\n  session_1  step 5, parked 1 day ago: add a login\n" +
      "  session_1  step 5, parked today: add a login\n",
  );
});

Deno.test("renderRefusal() shows every problem with the way on", () => {
  const problems = [{ code: "a", message: "A is missing", hint: say`${call("get_symbols")}.` }, {
    code: "b",
    message: "B is wrong",
  }];
  equal(
    renderRefusal({ ok: false, error: "payload_mismatch", message: "2 problems", problems }, PLAIN),
    "payload_mismatch: 2 problems\n- A is missing\n  Run `code-intel symbols`.\n- B is wrong\n",
  );
});

Deno.test("renderReply() folds what is prose behind its name, and leaves code and command lines whole", () => {
  const line = "code-intel text --path src --offset 1 login";
  const reply = {
    ok: true as const,
    hint: `Look at it first, then run \`${line}\` again`,
    diff: "-a b\n+c",
  };
  equal(
    renderReply("review_changes", reply, { ...PLAIN, columns: 30 }),
    `hint: Look at it first, then
    run
    \`${line}\`
    again
diff: -a b
    +c
`,
  );
});

Deno.test("renderRefusal() shows the lines of git as lines, and any other text as one", () => {
  const message = "Cannot run git add: fatal: no\n\n\tgit config --global x y\n";
  const refusal = { ok: false as const, error: "git_failed", message };
  match(renderRefusal(refusal, PLAIN), /^ {2}\tgit config --global x y$/m);
  const other = { ok: false as const, error: "bad_path", message: "no file a\nfake: b" };
  equal(render.renderRefusal(other, PLAIN).length, 1);
});
