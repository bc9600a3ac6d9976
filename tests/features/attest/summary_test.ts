/** Summaries of what others wrote: no line of a commit or a note gets out of its place. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import type { SummaryRow } from "../../../src/features/attest/summary.ts";
import {
  chooseLevel,
  countFindings,
  formatHeadline,
  formatMarkdown,
  formatProof,
  formatText,
} from "../../../src/features/attest/summary.ts";
import { toTestStatement } from "./attested_repo.ts";

const ROW: SummaryRow = {
  commit: "1".repeat(40),
  subject: "Add a form",
  session: "session_20260131_142530_9f3a",
  verified: "yes",
  code: "attested",
  level: "good",
  why: "",
  signer: "anna@example.org",
  fingerprint: "SHA256:abc",
  statement: null,
  rerun: null,
};

const SURVIVOR = { path: "src/a.ts", line: 2, change: "`>` for `>=`" };

Deno.test("control characters, links, mentions and tables of others stay text", () => {
  const hostile = "\x1b[2J\u202e| `x` <img src=x> @everyone [a](http://x)\n# head\x00";
  const rows: readonly SummaryRow[] = [{
    ...ROW,
    subject: hostile,
    verified: hostile,
    signer: hostile,
    code: "trailer_differs",
    level: "finding",
    why: hostile,
    rerun: {
      kind: "not_allowed",
      why: hostile,
      hash: "a".repeat(64),
      commands: [{ name: hostile, run: [hostile], paths: null, writes: [], timeoutMs: 1 }],
    },
  }];
  for (const print of [formatText, formatMarkdown]) {
    const text = print({ rows, notices: [] }).join("\n");
    // deno-lint-ignore no-control-regex -- these are the characters that must not be there
    equal(/[\x00-\x09\x0b-\x1f\u202e]/.test(text), false);
    equal(/^# head/m.test(text), false);
  }
  const lines = formatMarkdown({ rows, notices: [] });
  const outside = lines.map((line) => line.replaceAll(/`[^`]*`/g, "")).join("\n");
  equal(/[<@\[]/.test(outside), false);
  const row = lines.find((line) => line.startsWith("| `111")) ?? "";
  equal(row.split(/(?<!\\)\|/).length, 6);
  ok(formatText({ rows, notices: [] }).join("\n").includes(`--allow-commands ${"a".repeat(64)}`));
});

Deno.test("formatText() begins each commit's line with the beginning of its name", () => {
  const commit = "0123456789abcdef".padEnd(40, "0");
  const [line = ""] = formatText({ rows: [{ ...ROW, commit }], notices: [] });
  ok(line.startsWith("0123456789ab  attested "), line);
});

Deno.test("formatProof() says in short what a statement has", () => {
  const statement = toTestStatement({
    commit: "1".repeat(40),
    tree: "2".repeat(40),
    parents: [],
  });
  const { predicate } = statement;
  equal(
    formatProof(statement),
    "test: 3 passed, 1 skipped (TAP); in a clean checkout; 1 finding answered; " +
      "1 changed test passes without the change; taken as it was by a word of the person (terminal)",
  );
  const mutants = { total: 20, killed: 16, broken: 1, survivors: [SURVIVOR, SURVIVOR] };
  const coverage = { ran: 12, notRun: 2, unknown: 1 };
  const plain = {
    ...predicate,
    findings: [],
    decisions: [],
    result: null,
    evidence: { mutants, coverage },
  };
  equal(
    formatProof({ ...statement, predicate: { ...plain, run: null } }),
    "the server ran nothing; 12 of 14 changed lines ran; 2 of 19 wrong versions survive that were tried, of 20",
  );
  const untried = { total: 3, killed: 0, broken: 0, survivors: [] };
  equal(
    formatProof({
      ...statement,
      predicate: { ...plain, run: null, evidence: { mutants: untried } },
    }),
    "the server ran nothing; none of 3 wrong versions was tried",
  );
});

Deno.test("a repeated proof counts in the headline", () => {
  const differs = {
    kind: "differs",
    commands: [{ name: "test", differences: ["1 passed, 3 then"], counts: null }],
  } as const;
  const rows: readonly SummaryRow[] = [
    ROW,
    { ...ROW, rerun: { kind: "same", commands: [] } },
    { ...ROW, rerun: differs },
    { ...ROW, rerun: { kind: "nothing" } },
    { ...ROW, code: "unclaimed", level: "note" },
  ];
  deepEqual(rows.map(chooseLevel), ["good", "good", "finding", "note", "note"]);
  equal(countFindings(rows), 1);
  equal(formatHeadline(rows), "2 of 5 commits attested, 1 finding");
  ok(
    formatText({ rows, notices: [] }).includes(
      "    The repeated run differs: test: 1 passed, 3 then",
    ),
  );
});
