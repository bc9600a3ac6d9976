/**
 * Answers to what a proof doubts. An answer proves nothing: it makes the verdict `unknown` with the reason, and everybody
 * who reads the proof reads it too. Pure.
 */
import type { Problem } from "../base/problem.ts";
import { makeProblem } from "../base/problem.ts";
import { clipLine } from "../base/text/clip.ts";
import type { GivenAnswer, Proof, ProofFinding } from "./verdict.ts";
import { formatVerdict } from "./verdict.ts";

/** The answer to one finding, or to all that is open. */
export interface ProofAnswer extends GivenAnswer {
  /** Null for an answer to the change as a whole: it cannot be proven here. */
  readonly finding: Pick<ProofFinding, "check" | "place" | "what"> | null;
}

/** Less says nothing (guessed). */
const LEAST_CHARS = 8;
const REASON_CHARS = 500;

/** The reason why a change cannot be proven here, where a text says so; else null. */
export function readGivenUp(text: string): string | null {
  const reason = /\bcannot prove because:?\s+([^\n]+)/i.exec(text)?.[1] ?? "";
  return reason.length < LEAST_CHARS ? null : clipLine(reason, REASON_CHARS);
}

/** Reads answers such as `src/a.ts:3: why`, or `cannot prove because why`; what answers nothing is a problem. */
export function parseAnswers(
  texts: readonly string[],
  { findings }: Proof,
  given: Omit<GivenAnswer, "reason">,
): { readonly answers: readonly ProofAnswer[]; readonly problems: readonly Problem[] } {
  const answers: ProofAnswer[] = [];
  const problems: Problem[] = [];
  const refuse = (message: string, hint: string) =>
    problems.push(makeProblem("not_an_answer", message, { at: "answer", hint }));
  for (const text of texts) {
    const whole = readGivenUp(text);
    const meant = findings.filter(({ place }) => text.startsWith(`${place}: `));
    const [longest] = meant.toSorted((a, b) => b.place.length - a.place.length);
    const own = meant.filter(({ place }) => place === longest?.place);
    const reason = clipLine(text.slice((longest?.place.length ?? 0) + 2).trim(), REASON_CHARS);
    if (whole !== null) answers.push({ ...given, finding: null, reason: whole });
    else if (longest === undefined) {
      const places = findings.map(({ place }) => place).filter((place) => place !== "");
      refuse(
        `No finding has the place of "${clipLine(text, 80)}"`,
        places.length === 0
          ? "Say why as a whole: cannot prove because REASON."
          : `Begin with one of these and a colon: ${places.slice(0, 5).join(" | ")}`,
      );
    } else if (reason.length < LEAST_CHARS) {
      refuse(`The answer to ${longest.place} has no reason`, "Say how you know that it is right.");
    } else if (own.some(isDamage)) {
      refuse(`${longest.place} is damage, which no answer mends`, longest.settle);
    } else {
      for (const { check, place, what } of own) {
        answers.push({ ...given, finding: { check, place, what }, reason });
      }
    }
  }
  return { answers, problems };
}

/** What fails by the change, and what must never be committed. */
function isDamage({ weight, isDamage }: ProofFinding): boolean {
  return weight === "breaks" || isDamage === true;
}

/** The proof with answers beside its findings. Only a doubt that is not answered makes it `not proven`. */
export function applyAnswers(proof: Proof, answers: readonly ProofAnswer[]): Proof {
  if (answers.length === 0) return proof;
  const findings = proof.findings.map((one) => {
    const answer = answers.findLast(({ finding }) =>
      finding !== null && finding.place === one.place && finding.what === one.what
    );
    return answer === undefined ? one : { ...one, answer };
  });
  const isOpen = (one: ProofFinding) => one.weight !== "notes" && one.answer === undefined;
  const sorted = [...findings.filter(isOpen), ...findings.filter((one) => !isOpen(one))];
  const [open] = sorted.filter(isOpen);
  const answered = sorted.find(({ weight, answer }) => weight === "doubts" && answer);
  const whole = answers.findLast(({ finding }) => finding === null);
  const { verdict } = proof;
  const given = { ...proof, findings: sorted };
  if (whole !== undefined && verdict !== "proven") {
    const said = `cannot prove because ${whole.reason}; ${proof.line}`;
    // What fails by the change stays what it is; only the reader learns more.
    const kind = verdict === "broken" ? verdict : "unknown";
    return { ...given, verdict: kind, line: formatVerdict(kind, said) };
  }
  if (verdict !== "not proven" || answered === undefined) return given;
  if (open !== undefined) {
    const more = sorted.filter(isOpen).length - 1;
    const rest = more === 0 ? "" : ` (and ${more} more)`;
    return { ...given, line: formatVerdict(verdict, `${open.place} ${open.what}${rest}`) };
  }
  const why = `${answered.place} ${answered.what}`;
  const line = `answered, not proven: ${why}: "${answered.answer?.reason ?? ""}"`;
  return { ...given, verdict: "unknown", line: formatVerdict("unknown", line) };
}
