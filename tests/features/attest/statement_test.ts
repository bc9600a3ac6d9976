/** The statement about a commit: its bytes, its bounds, and what it tells of the person's machine. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { LIMITS } from "../../../src/base/settings/limits.ts";
import {
  formatPayload,
  parsePayload,
  readSubject,
} from "../../../src/features/attest/statement.ts";
import { buildStatementSchema } from "../../../src/features/attest/statement_schema.ts";
import { toRun, toTestStatement } from "./attested_repo.ts";

const MADE = { commit: "1".repeat(40), tree: "2".repeat(40), parents: ["3".repeat(40)] };

Deno.test("buildStatement() says what is on record, in the same bytes each time", () => {
  const statement = toTestStatement(MADE);
  const text = formatPayload(statement);
  equal(text, formatPayload(toTestStatement({ ...MADE })));
  const { predicate } = statement;
  deepEqual(statement.subject, [
    { name: "commit", digest: { gitCommit: MADE.commit } },
    { name: "tree", digest: { gitTree: MADE.tree } },
  ]);
  deepEqual(readSubject(statement), { commit: MADE.commit, tree: MADE.tree });
  deepEqual(
    predicate.run?.commands.map(({ name, verdict, tests, program }) => [
      name,
      verdict,
      tests?.passed,
      program,
    ]),
    [["test", "passed", 3, "~/bin/sh"]],
  );
  deepEqual(predicate.base, { branch: "main", commit: MADE.parents[0] });
  const [row] = predicate.run?.commands ?? [];
  deepEqual([row?.outputHash, row?.exitCode, row?.durationMs], ["d".repeat(64), 0, 1200]);
  deepEqual(predicate.decisions.map(({ decision, source }) => [decision, source]), [
    ["accept", "terminal"],
  ]);
  deepEqual(predicate.findings.map(({ reason }) => reason), ["it moved"]);
  deepEqual(predicate.result?.provesNothing, ["a_test.ts: adds"]);
  deepEqual(predicate.trust, { by: "terminal", at: "2026-01-31T14:25:30.000Z" });
  const parsed = parsePayload(text);
  deepEqual(parsed.kind === "statement" && formatPayload(parsed.statement), text);
});

Deno.test("a statement stays below the bound of a note, whatever failed", () => {
  const [row] = toRun({}, 1).results;
  ok(row?.report);
  const failures = Array.from({ length: 500 }, (_, at) => ({
    name: `${at} ${"ü".repeat(280)}`,
    line: "é".repeat(200),
  }));
  const results = Array.from({ length: 50 }, (_, at) => ({
    ...row,
    name: `test ${at}`,
    report: { ...row.report, failures } as NonNullable<typeof row.report>,
  }));
  const text = formatPayload(toTestStatement({ ...MADE, run: toRun({ results }) }));
  ok(new TextEncoder().encode(text).length < LIMITS.noteBytes.value);
  equal(parsePayload(text).kind, "statement");
});

Deno.test("evidence that a reader could not read is left out of a statement", () => {
  const evidence = (mutants: unknown) =>
    toTestStatement({ ...MADE, more: { mutants } }).predicate.evidence;
  const mutants = { total: 1, killed: 1, broken: 0, survivors: [] };
  deepEqual(evidence(mutants), { mutants });
  deepEqual(evidence({ ...mutants, total: "many" }), {});
});

/** Each place of a JSON value below its top, as the keys that lead there. */
function listPlaces(value: unknown): readonly (readonly string[])[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    [key],
    ...listPlaces(inner).map((rest) => [key, ...rest]),
  ]);
}

Deno.test("parsePayload() refuses a value of another kind wherever it stands, so that no reader meets one", () => {
  const mutants = {
    total: 2,
    killed: 1,
    broken: 0,
    survivors: [{ path: "a", line: 1, change: "b" }],
  };
  const coverage = { ran: 1, notRun: 0, unknown: 0 };
  const run = toRun({}, 1);
  const text = formatPayload(
    toTestStatement({ ...MADE, run, baseline: run, more: { mutants, coverage } }),
  );
  const places = listPlaces(JSON.parse(text));
  for (const place of places) {
    const statement = JSON.parse(text);
    const above = place.slice(0, -1).reduce((value, key) => value[key], statement);
    const key = place.at(-1) ?? "";
    // A number stands for no object, and an object for nothing else.
    above[key] = typeof above[key] === "object" && above[key] !== null ? 7 : {};
    equal(parsePayload(formatPayload(statement)).kind, "invalid", place.join("."));
  }
  for (const part of ["run", "baseline", "evidence"]) {
    ok(places.some(([, first, , , last]) => first === part && last !== undefined), part);
  }
});

Deno.test("buildStatementSchema() describes each field of the predicate that needs words", () => {
  const schema = buildStatementSchema() as {
    readonly properties: { readonly predicate: { readonly required: readonly string[] } };
  };
  deepEqual([...schema.properties.predicate.required].sort(), [
    "base",
    "baseline",
    "decisions",
    "evidence",
    "findings",
    "parents",
    "personFiles",
    "ran",
    "result",
    "run",
    "session",
    "trust",
    "verified",
    "verifier",
  ]);
});
