/** How well an agreement fits a question. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import {
  buildDocument,
  combine,
  MIN_MAP_SCORE,
  scoreAgreement,
  searchMap,
} from "../../../src/features/learning/map.ts";
import { sampleAgreement } from "./samples.ts";

const LOGIN = { terms: ["login form"], symbols: ["AuthService.login"] };
const BILLING = { terms: ["請求書の発行"], symbols: ["issueInvoice"] };

/** Lower and upper bound of the score: sure hits reach 0.7, what is about something else stays below. */
const ROWS: readonly (readonly [
  query: string,
  agreement: typeof LOGIN,
  min: number,
  max: number,
])[] = [
  ["Add a captcha to the login form", LOGIN, 0.7, 1],
  ["login forms", LOGIN, 0.9, 1],
  ["The LoginForm loses its state", LOGIN, 0.7, 1],
  ["Why does AuthService.login throw?", LOGIN, 0.95, 1],
  ["the form of the invoice", LOGIN, MIN_MAP_SCORE, 0.6],
  ["Make the export faster", LOGIN, 0, 0],
  ["", LOGIN, 0, 0],
  ["請求書の発行が遅い", BILLING, 0.7, 1],
  ["issueInvoice rounds wrongly", BILLING, 0.95, 1],
  ["ログインできない", BILLING, 0, 0],
  ["Invoice issue", BILLING, 0, 0],
];

Deno.test("scoreAgreement() is at least 0.7 for a whole term or a named symbol, 0 for another matter", () => {
  for (const [query, agreement, min, max] of ROWS) {
    const score = scoreAgreement(query, agreement);
    ok(score >= min && score <= max, `${query}: ${score}`);
  }
});

Deno.test("combine() takes the better measure, and both together a little more", () => {
  deepEqual([combine(0.5, null), combine(0, 0.8), combine(0.8, 0)], [0.5, 0.8, 0.8]);
  ok(combine(0.6, 0.6) > 0.6);
  equal(combine(1, 1), 1);
});

Deno.test("searchMap() gives the best first, of equal ones the more often confirmed, and cuts", () => {
  const documents = [
    sampleAgreement({ name: "a.md", terms: ["export"] }),
    sampleAgreement({ name: "b.md" }),
    sampleAgreement({ name: "c.md", confirmed: 5 }),
    sampleAgreement({ name: "d.md", terms: ["form"], confirmed: 9 }),
  ].map(buildDocument);
  const find = (maxHits: number) =>
    searchMap("the login form", documents, { maxHits }).map(({ document }) => document.id);
  deepEqual(find(10), ["c.md", "b.md", "d.md"]);
  deepEqual(find(1), ["c.md"]);
});
