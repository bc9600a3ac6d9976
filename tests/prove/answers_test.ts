/** Answers to doubts: what they may be said to, and what becomes of the verdict. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { applyAnswers, parseAnswers, readGivenUp } from "../../src/prove/answers.ts";
import type { Proof, ProofFinding } from "../../src/prove/verdict.ts";

const GIVEN = { by: "agent", at: "2026-01-31T14:25:30.000Z" } as const;

function finding(place: string, rest: Partial<ProofFinding> = {}): ProofFinding {
  return { check: "diff", weight: "doubts", place, what: "is odd", settle: "Mend it.", ...rest };
}

function toProof(findings: readonly ProofFinding[], verdict: Proof["verdict"] = "not proven") {
  return { verdict, line: `${verdict}: why`, findings, checks: [] } satisfies Proof;
}

function answer(proof: Proof, ...texts: readonly string[]) {
  const { answers, problems } = parseAnswers(texts, proof, GIVEN);
  return { problems: problems.map(({ message }) => message), ...applyAnswers(proof, answers) };
}

Deno.test("an answered doubt is no proof: the verdict is unknown with the reason, once all are answered", () => {
  const proof = toProof([
    finding("a.ts: adds"),
    finding("a.ts"),
    finding("c", { weight: "notes" }),
  ]);
  const one = answer(proof, "a.ts: adds: it always said so");
  equal(one.line, "not proven: a.ts is odd");
  deepEqual(one.findings.map(({ place, answer }) => [place, answer?.reason]), [
    ["a.ts", undefined],
    ["a.ts: adds", "it always said so"],
    ["c", undefined],
  ]);
  const both = answer(proof, "a.ts: adds: it always said so", "a.ts: the file is new");
  equal(both.verdict, "unknown");
  match(both.line, /^unknown: answered, not proven: a\.ts: adds is odd: "it always said so"$/);
});

Deno.test("no answer is taken to nothing, without a reason, or to what is broken or must not be committed", () => {
  const proof = toProof([
    finding("a.ts"),
    finding("b.ts", { weight: "breaks" }),
    finding("c.ts", { isDamage: true }),
  ]);
  for (
    const [text, why] of [
      ["d.ts: it is right so", /No finding has the place/],
      ["a.ts: no", /has no reason/],
      ["b.ts: it is right so", /is damage/],
      ["c.ts: it is right so", /is damage/],
      ["cannot prove because", /No finding has the place/],
    ] as const
  ) {
    const { problems, verdict } = answer(proof, text);
    match(problems.join(), why, text);
    equal(verdict, "not proven", text);
  }
});

Deno.test("who cannot prove a change says why, which is a verdict of its own; what is broken stays broken", () => {
  const text = "cannot prove because the tests need a network";
  equal(readGivenUp(`So I ${text}.\nThen more`), "the tests need a network.");
  equal(readGivenUp("I can prove it"), null);
  match(
    answer(toProof([]), text).line,
    /^unknown: cannot prove because the tests need a network; not proven: why$/,
  );
  match(answer(toProof([], "broken"), text).line, /^broken: cannot prove because .*; broken: why$/);
  equal(answer(toProof([], "proven"), text).line, "proven: why");
});
