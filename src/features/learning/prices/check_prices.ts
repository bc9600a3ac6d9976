/**
 * A line of `checks.jsonl`: what a proof cost and found. From all of them follows the price of each check: how often it had
 * to run for one finding that led to a change, and for one that was overridden. Pure.
 */
import * as z from "zod";
import type { CheckName } from "../../../prove/verdict.ts";
import { MAY_BE_RARE } from "../../../prove/verdict.ts";
import type { CheckPrice, ProofCost } from "../../../workflow/context/learning.ts";
import type { LearnedState } from "../decision_log.ts";

const TEXT = z.string();

const LINE = z.looseObject({
  recordId: TEXT,
  at: TEXT,
  /** Who proved: `prove`, or step 15 of a session. */
  by: z.enum(["prove", "session"]),
  /** Trees of before and of the change. */
  base: TEXT,
  tree: TEXT,
  checks: z.array(z.looseObject({ name: TEXT, state: TEXT, seconds: z.number() })),
  findings: z.array(z.looseObject({
    check: TEXT,
    key: TEXT,
    isNote: z.boolean(),
    isAnswered: z.boolean(),
  })),
});

/** What one proof cost and found. */
export type CheckLine = Readonly<z.infer<typeof LINE>>;

/** Reads a parsed line; undefined for what is none. */
export function parseCheckLine(value: unknown): CheckLine | undefined {
  return LINE.safeParse(value).data;
}

const MOST_FINDINGS = 100;

/** The line of a proof. Of the same trees there is another one only where something was answered since. */
export function buildCheckLine({ base, tree, by, at, checks, findings }: ProofCost): CheckLine {
  const answered = findings.filter(({ answer }) => answer !== undefined).length;
  return {
    recordId: `proof_${base.slice(0, 16)}_${tree.slice(0, 16)}_${by}_${answered}`,
    ...{ at, by, base, tree },
    checks: checks.map(({ name, state, seconds }) => ({ name, state, seconds })),
    findings: findings.slice(0, MOST_FINDINGS).map(({ check, place, what, weight, answer }) => ({
      check,
      // Lines move while a finding stays.
      key: `${place.replace(/:\d+$/, "")} ${what}`.slice(0, 300),
      isNote: weight === "notes",
      isAnswered: answer !== undefined,
    })),
  };
}

/** What step 15 of a session found by a run of the server, and what that cost; null where there was none. */
export function readSessionCost({ verification, workspace }: LearnedState): ProofCost | null {
  const tree = verification?.ranOn ?? null;
  if (verification === null || tree === null || workspace.baselineTree === null) return null;
  const { at, passed, source, details, provesNothing = [], mutants, checks = [] } = verification;
  const finding = (check: CheckName, weight: "breaks" | "doubts" | "notes") => (what: string) => ({
    ...{ check, weight, what, place: "", settle: "" },
  });
  const isRed = !passed && source === "server";
  return {
    ...{ by: "session", at, base: workspace.baselineTree, tree, checks },
    findings: [
      ...(isRed ? [details] : []).map(finding("commands", "breaks")),
      ...provesNothing.map(finding("changed_tests", "doubts")),
      ...(mutants?.survivors ?? []).map(({ path, change }) =>
        finding("wrong_versions", "notes")(`${path} ${change}`)
      ),
    ],
  };
}

/** So many runs without a finding that led to a change make a check rare here. */
const RARE_AFTER = 30;
/** Of a rare check every tenth run takes place. */
const RARE_SHARE = 10;

/** What became of a finding; open ones are left out. */
interface Fate {
  readonly check: string;
  readonly kind: "paid" | "overridden";
  /** Index of the line that showed it. */
  readonly at: number;
}

/** Counts the log; checks in the order in which they first ran. */
export function computePrices(log: readonly CheckLine[]): readonly CheckPrice[] {
  const last = new Map(log.map((line) => [`${line.by} ${line.base} ${line.tree}`, line]));
  const lines = [...last.values()];
  const fates = findFates(lines);
  const names = [...new Set(lines.flatMap(({ checks }) => checks.map(({ name }) => name)))];
  return names.map((name) => {
    const turns = lines.flatMap(({ checks }, at) => {
      const own = checks.find((check) => check.name === name);
      return own === undefined ? [] : [{ ...own, at }];
    });
    const runs = turns.filter(({ state }) => state === "done");
    const own = fates.filter(({ check }) => check === name);
    const paid = own.filter(({ kind }) => kind === "paid");
    const lastCatch = Math.max(-1, ...paid.map(({ at }) => at));
    const since = runs.filter(({ at }) => at > lastCatch).length;
    const rare = turns.filter(({ state }) => state === "done" || state === "rare");
    const isRare = MAY_BE_RARE.has(name) && since >= RARE_AFTER;
    return {
      name,
      runs: runs.length,
      seconds: Math.round(runs.reduce((sum, { seconds }) => sum + seconds, 0) * 10) / 10,
      paid: paid.length,
      overridden: own.length - paid.length,
      isRare,
      isPassedOver: isRare && rare.length % RARE_SHARE !== 0,
    };
  });
}

/**
 * A finding paid where a later proof of the same work no longer has it, and its check ran there. It was overridden where
 * somebody answered it, or where the files were committed as they were, which makes their tree a base.
 */
function findFates(lines: readonly CheckLine[]): readonly Fate[] {
  const open = new Map<string, { readonly line: CheckLine; readonly check: string; at: number }>();
  const fates: Fate[] = [];
  lines.forEach((line, at) => {
    const has = new Set(line.findings.map(({ check, key }) => `${check} ${key}`));
    const ran = new Set(line.checks.flatMap(({ name, state }) => state === "done" ? [name] : []));
    for (const [id, before] of open) {
      const { check } = before;
      const isSame = before.line.base === line.base;
      const isLeft = before.line.tree === line.base;
      if (isSame ? !ran.has(check) || has.has(id) : !isLeft) continue;
      fates.push({ check, kind: isSame ? "paid" : "overridden", at: before.at });
      open.delete(id);
    }
    for (const { check, key, isNote, isAnswered } of line.findings) {
      const id = `${check} ${key}`;
      if (isAnswered) {
        fates.push({ check, kind: "overridden", at });
        open.delete(id);
      } else if (!isNote || open.has(id)) open.set(id, { line, check, at });
    }
  });
  return fates;
}
