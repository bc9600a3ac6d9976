/** Reports as Markdown: short, and nothing of it is more than text. */
import { doesNotMatch, match, ok, strictEqual as equal } from "node:assert/strict";
import { formatReport } from "../../../src/features/report/report_markdown.ts";
import type { SessionReport } from "../../../src/features/report/report_schema.ts";
import { formatOutcome } from "../../../src/features/report/plain.ts";
import { failedSession, hostileSession, longSession, shortSession } from "./sample_sessions.ts";

Deno.test("formatReport() stays under 60 lines, whatever the session was, and counts what it leaves out", () => {
  const long = longSession();
  const many = <Row>(row: Row | undefined): Row[] => Array(40).fill(row);
  const [file, task] = [long.files?.[0], long.tasks[0]];
  const huge: SessionReport = {
    ...long,
    files: many(file) as NonNullable<typeof long.files>,
    tasks: many(task) as typeof long.tasks,
    clauses: many(long.clauses[0]) as typeof long.clauses,
    findings: many(long.findings[0]) as typeof long.findings,
    overrides: many(long.overrides[0]) as typeof long.overrides,
    learned: many(long.learned[0]) as typeof long.learned,
    together: many({ path: "docs/a.md", with: "src/a.ts", times: 3, of: 4 }),
    notices: many("a notice"),
  };
  for (const report of [shortSession(), long, failedSession(), hostileSession(), huge]) {
    const lines = formatReport(report).split("\n");
    ok(lines.length <= 60, `${lines.length}`);
    match(lines.at(-2) ?? "", /^<sub>`session_/);
  }
  match(formatReport(huge), /usually change|Usually change/);
  match(formatReport(huge), /- and 3\d more/);
});

Deno.test("formatReport() says that the completion was forced, and with which issues", () => {
  const text = formatReport({ ...shortSession(), forced: ["a secret", "<b>no test</b>"] });
  match(text, /\*\*Completion forced with open issues\*\*\n- a secret\n- \\<b/);
  doesNotMatch(formatReport(shortSession()), /forced/);
});

Deno.test("formatReport() names what usually changes together and is missing", () => {
  match(
    formatReport(shortSession()),
    /`docs\/auth\.md`: in 5 of 6 commits that changed `src\/auth\.ts`/,
  );
});

Deno.test("formatReport() turns no text of others into a tag, a link, a mention or an entity", () => {
  const text = formatReport(hostileSession()).replaceAll(/(?<!\\)`[^`\n]*`|^> /gm, "");
  doesNotMatch(text.replaceAll(/<\/?sub>/g, ""), /(?<!\\)[<>]/);
  doesNotMatch(text, /@everyone|https:\/\/|(?<!\\)\[link|(?<!\\)&lt;/);
  doesNotMatch(text, /\p{Cc}(?<!\n)|\u202e/u);
});

Deno.test("formatOutcome() says how a session ended or where it stands", () => {
  const running = { status: "active", end: null, step: 13, phase: "READY" };
  equal(formatOutcome(running), "running: step 13 of 19, READY");
  equal(formatOutcome({ ...running, status: "ended", end: "merged" }), "merged");
});
