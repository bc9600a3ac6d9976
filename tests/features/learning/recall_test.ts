/** What a new request is told of earlier ones. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { buildDocument } from "../../../src/features/learning/map.ts";
import {
  buildRecallFields,
  findFailures,
  keepUsable,
  measureSimilarity,
  MIN_SIMILARITY,
} from "../../../src/features/learning/recall.ts";
import { SAMPLE_ID, sampleAgreement, sampleOutcome } from "./samples.ts";

Deno.test("measureSimilarity() tells requests about one matter from others, in both languages", () => {
  const alike = [
    ["Fix the login timeout", "The timeout of the login is too short"],
    ["Limit the tries of the login form", "Limit login form tries for each person"],
    ["ログイン画面のエラーを直す", "ログイン画面でエラーが出る"],
    ["refreshToken fails after an hour", "Fix failing refresh of the token"],
  ] as const;
  const different = [
    ["Fix the login timeout", "Add a CSV export"],
    ["Limit the tries of the login form", "Print the invoice form in colour"],
    ["ログイン画面のエラーを直す", "請求書を発行する"],
    ["Please fix this", "Please fix that"],
  ] as const;
  for (const [a, b] of alike) {
    ok(measureSimilarity(a, b) >= MIN_SIMILARITY, `${a}: ${measureSimilarity(a, b)}`);
  }
  for (const [a, b] of different) {
    ok(measureSimilarity(a, b) < MIN_SIMILARITY, `${a}: ${measureSimilarity(a, b)}`);
  }
  equal(measureSimilarity("login", "Anmeldung", 0.8), 0.8);
});

Deno.test("findFailures() names failures of like requests by their last word, the most alike first", () => {
  const lines = [
    sampleOutcome({
      recordId: "1",
      sessionId: "s1",
      result: "failure",
      query: "login form captcha",
    }),
    sampleOutcome({ recordId: "2", sessionId: "s2", result: "failure", query: "login form" }),
    sampleOutcome({ recordId: "3", sessionId: "s3", result: "failure", query: "CSV export" }),
    sampleOutcome({ recordId: "4", sessionId: "s4", result: "partial", query: "login form" }),
    sampleOutcome({ recordId: "5", sessionId: "s5", result: "failure", query: "login form" }),
    // What was mended since warns nobody.
    sampleOutcome({ recordId: "6", sessionId: "s5", result: "success", query: "login form" }),
  ];
  const found = findFailures("captcha of the login form", lines, { maxFailures: 5 });
  deepEqual(found.map(({ line }) => line.recordId), ["1", "2"]);
  equal(findFailures("captcha of the login form", lines, { maxFailures: 1 }).length, 1);
});

Deno.test("keepUsable() leaves out what a person rejected, and what only failed work taught", () => {
  const failed = sampleOutcome({ result: "failure" });
  const rows = [
    sampleAgreement({ name: "rejected", isRejected: true }),
    sampleAgreement({ name: "failed" }),
    sampleAgreement({ name: "twice", sessions: [SAMPLE_ID, "session_2"] }),
    sampleAgreement({ name: "hand", sessions: [] }),
  ];
  deepEqual(keepUsable(rows, [failed]).map(({ name }) => name), ["twice", "hand"]);
  equal(keepUsable(rows, []).length, 3);
});

Deno.test("buildRecallFields() is empty without news, and small whatever was learned", () => {
  deepEqual(buildRecallFields({ agreements: [], stale: [], failures: [] }), {});
  const long = "w".repeat(5_000);
  const agreement = sampleAgreement({
    terms: [long],
    symbols: Array.from({ length: 40 }, (_, n) => `symbol${n}`),
    files: Array.from({ length: 40 }, (_, n) => `src/deep/folder/of/the/project/file${n}.ts`),
  });
  const { symbols, files } = agreement;
  const hit = { document: buildDocument(agreement), score: 1, symbols, files, isChecked: false };
  const line = sampleOutcome({ query: long, rootCause: long, files: [...files] });
  const fields = buildRecallFields({
    agreements: [hit, hit, hit],
    stale: ["old.md"],
    failures: [{ line, similarity: 1 }, { line, similarity: 1 }],
  });
  deepEqual(fields.stale_agreements, ["old.md"]);
  equal((fields.agreements as { unchecked: boolean }[])[0]?.unchecked, true);
  ok(JSON.stringify(fields).length < 3_500, `${JSON.stringify(fields).length}`);
});
