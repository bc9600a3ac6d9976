/** The rules of steps 16–19: intervention, review, quality, merge. Pure. */
import { addObserved } from "../contract/clauses.ts";
import { checkObservedPlaces, checkRemovedTests } from "./removed_tests.ts";
import type { ProjectPath } from "../../base/paths.ts";
import type { TestFinding } from "../check_findings.ts";
import type { AnswerSource, ChangedFile, Facts } from "../facts.ts";
import { answerFindings, answerLeftovers, listTestFindings } from "./test_findings.ts";
import { findUnmodified } from "./impact_rules.ts";
import { buildProgress, hasNothingToCommit } from "./ready_rules.ts";
import {
  checkIncluded,
  checkMixed,
  checkTrailers,
  findUnconfirmed,
  recallIncluded,
  rememberIncluded,
  resolveReview,
} from "./review_rows.ts";
import type { Rule, RuleContext, Verdict } from "./rule.ts";
import { buildLeftOut } from "./rule.ts";
import type { PayloadOf } from "../payload/payloads.ts";
import { limitLoop } from "../table/loops.ts";
import type { ReviewedFile, SessionState, UserDecision } from "../state.ts";
import { reopenTasks } from "../tasks.ts";
import { isCalledVerified, isOverridden } from "../trailer.ts";
import { findTransition } from "../table/transitions.ts";

/** Step 16: a different approach; the second time the user is asked. */
export const verifyIntervention: Rule<"VERIFY_INTERVENTION"> = (payload, { state, facts }) => {
  const { outcome, patch } = limitLoop(state, "done", {
    limits: facts.limits,
    detail: `${payload.prompt_used}: ${payload.action_taken}`,
  });
  const to = payload.restore_to ?? "none";
  return {
    outcome,
    patch,
    asked: to === "none" ? {} : { restoreTo: to },
    reply: { intervention_count: patch.counters?.interventions, failure_counts_reset: true },
  };
};

/** Step 17: a decision for every changed file, and the commit message. */
export const preCommit: Rule<"PRE_COMMIT"> = (payload, { state, facts }) => {
  const changes = facts.changes ?? [];
  const gone = checkStaleEvidence(state, facts);
  if (gone !== null) return gone;
  if (hasNothingToCommit(state, facts)) {
    return { outcome: "no_changes", reply: { committed: false } };
  }
  const included = [
    ...new Set([...payload.include_person_changes ?? [], ...facts.word?.included ?? []]),
  ];
  const unverified = [...facts.changedSinceVerified ?? [], ...findIncluded(facts, included)];
  if (isCalledVerified(state) && unverified.length > 0) return voidVerification(unverified);
  const review = resolveReview(payload, changes);
  const forged = [
    ...checkTrailers(payload.commit_message),
    ...checkObservedPlaces(payload.observed, facts),
  ];
  if ("problems" in review) return { problems: [...forged, ...review.problems] };
  if (forged.length > 0) return { problems: forged };
  const kept = review.files.filter(({ decision }) => decision === "keep").map(({ path }) => path);
  const silent = checkRemovedTests(review.files, facts.removedTests ?? []);
  const { answered, problems } = checkKeptAnswers(payload, { state, facts, kept });
  if (silent.length + problems.length > 0) return { problems: [...problems, ...silent] };
  const remembered = recallIncluded(state, { kept, changes }).filter((path) =>
    !included.includes(path)
  );
  const foreign = checkIncluded(included, changes);
  const mixed = checkMixed([...included, ...remembered], {
    kept,
    inseparable: facts.inseparable ?? [],
  });
  if (foreign.length + mixed.length > 0) return { problems: [...foreign, ...mixed] };
  const verdict = prepare(payload, { state, facts }, {
    review: review.files,
    kept,
    included,
    remembered,
    answered,
  });
  return { ...verdict, reply: { ...verdict.reply, ...buildLeftOut(review.left) } };
};

/** The verdict on a review that stands: the commit is prepared, after what was discarded is gone. */
function prepare(
  { commit_message: message, observed }: PayloadOf<"PRE_COMMIT">,
  { state, facts }: RuleContext,
  { review, kept, included, remembered, answered }: {
    readonly review: readonly ReviewedFile[];
    readonly kept: readonly ProjectPath[];
    readonly included: readonly ProjectPath[];
    readonly remembered: readonly ProjectPath[];
    readonly answered: ReturnType<typeof checkKeptAnswers>["answered"];
  },
): Verdict {
  const changes = facts.changes ?? [];
  const discarded = review.filter(({ decision }) => decision === "discard").map(({ path }) => path);
  const decision = { decision: "include_person_changes", reason: included.join(", ") } as const;
  const patch = {
    review,
    prepared: {
      message,
      paths: kept,
      includePerson: [...included, ...remembered],
      hooksReviewed: state.prepared?.hooksReviewed ?? false,
    },
    decisions: included.length === 0
      ? state.decisions
      : [...state.decisions, recordDecision(state, facts, decision)],
    includedPerson: rememberIncluded(state, { included, changes }),
    ...(answered.length === 0 ? {} : { testFindings: answered }),
    ...(observed === undefined ? {} : { observed: addObserved(state, observed) }),
  };
  const reply = {
    kept: kept.length,
    discarded: discarded.length,
    prepared: true,
    ...(remembered.length === 0 ? {} : { person_changes_remembered: remembered }),
    ...buildUnmodifiedNotice(state, changes),
  };
  if (discarded.length === 0) return { outcome: "reviewed", patch, reply };
  // Where no change is kept there is nothing to commit. So the discard comes first, and the next
  // submission sees the tree after it.
  const isEmptied = hasNothingToCommit(state, { ...facts, changes: kept });
  const outcome = isEmptied ? "emptied" : "discarded";
  return { outcome, patch, asked: { discards: discarded }, reply };
}

/** The answers to all that was found in the files that are kept. */
function checkKeptAnswers(
  payload: PayloadOf<"PRE_COMMIT">,
  { state, facts, kept }: {
    readonly state: SessionState;
    readonly facts: Facts;
    readonly kept: readonly ProjectPath[];
  },
) {
  const left = (facts.leftovers ?? []).filter(({ path }) => path === "" || kept.includes(path));
  const ofTests = answerFindings(payload, listKeptFindings(state, facts, kept));
  const ofLeft = answerLeftovers(payload, left);
  return {
    answered: [...ofTests.answered, ...ofLeft.answered],
    problems: [...ofTests.problems, ...ofLeft.problems],
  };
}

/** Findings about the files that are kept; of a test file that is gone as a whole `tests_removed` asks. */
function listKeptFindings(
  state: SessionState,
  facts: Facts,
  kept: readonly ProjectPath[],
): readonly TestFinding[] {
  const gone = (facts.removedTests ?? []).map(({ changedPath }) => changedPath);
  const others = (facts.changes ?? []).map(({ path }) => path)
    .filter((path) => !kept.includes(path) || gone.includes(path));
  return listTestFindings(state, facts)
    .filter(({ id }) => !others.some((path) => id.endsWith(` ${path}`)));
}

/** Files whose person's part is committed too, where that part changed after the verification. */
function findIncluded({ othersChanged = [] }: Facts, included: readonly string[]) {
  return othersChanged.filter((path) => included.includes(path));
}

/** When the evidence of tasks was changed or removed since their report, these tasks are open again. */
function checkStaleEvidence(state: SessionState, { stale = [] }: Facts): Verdict | null {
  if (stale.length === 0 || isOverridden(state)) return null;
  const tasks = reopenTasks(state.tasks, stale);
  const ids = stale.map(({ taskId }) => taskId);
  return {
    outcome: "evidence_stale",
    patch: { tasks, prepared: null },
    reply: {
      prepared: false,
      sent_back: true,
      evidence_stale: ids,
      reason: `What shows ${
        ids.join(", ")
      } was changed since: do it again, with the person if it was theirs, or report it as skipped`,
      ...buildProgress(tasks),
    },
  };
}

/**
 * A changed file makes the verification worthless: the commands run again, and the review is
 * repeated.
 */
function voidVerification(changed: readonly string[]): Verdict {
  return {
    outcome: "void",
    patch: { verification: null },
    reply: { prepared: false, verification_void: true, changed_since_verification: changed },
  };
}

/** Files that step 11 promised to modify and that are unchanged, for the reviewer to judge. */
function buildUnmodifiedNotice(
  state: SessionState,
  changes: readonly ChangedFile[],
): Readonly<Record<string, unknown>> {
  const files = findUnmodified(state, changes);
  return files.length === 0 ? {} : { will_modify_unchanged: files };
}

/** Step 18: issues send the work back; the third time the commit is made anyway. */
export const qualityReview: Rule<"QUALITY_REVIEW"> = (payload, { state, facts }) => {
  const issues = payload.issues.map((issue) =>
    typeof issue === "string" ? issue : JSON.stringify(issue)
  );
  const quality = { score: payload.quality_score, issues };
  const reason = `Quality issues: ${issues.join("; ")}`;
  const turn = issues.length === 0 ? null : limitLoop(state, "issues", {
    limits: facts.limits,
    detail: reason,
  });
  const outcome = turn?.outcome ?? "clean";
  const { paths = [], includePerson = [] } = state.prepared ?? {};
  const unverified = [
    // Only files of the commit make its verification worthless.
    ...(facts.changedSinceVerified ?? []).filter((path) => paths.includes(path)),
    ...findIncluded(facts, includePerson),
  ];
  const commits = findTransition(state, outcome).does?.includes("commit") === true;
  const gone = commits ? checkStaleEvidence(state, facts) : null;
  if (gone !== null) return gone;
  if (commits && isCalledVerified(state) && unverified.length > 0) {
    return voidVerification(unverified);
  }
  const unasked = findUnconfirmed(state, facts);
  if (commits && unasked.length > 0) {
    return {
      outcome: "void",
      patch: { prepared: null },
      reply: { prepared: false, person_changed_since_review: unasked },
    };
  }
  if (turn === null) {
    const isOver = state.forced !== undefined;
    const patch = { quality, ...(isOver ? { forced: [] } : {}) };
    return { outcome, patch, reply: { issues_found: false } };
  }
  const qualityReverts = turn.patch.counters?.qualityReverts ?? 0;
  const patch = { quality, ...turn.patch };
  const reply = { issues_found: true, issues, quality_revert_count: qualityReverts };
  if (!commits) {
    return {
      outcome,
      patch: { ...patch, revertReason: reason, prepared: null },
      reply: { ...reply, sent_back: true, reason },
    };
  }
  const warning =
    `Completed with ${issues.length} open quality issues after ${qualityReverts} reviews`;
  return {
    outcome,
    patch: { ...patch, forced: issues },
    reply: { ...reply, forced_completion: true, warning },
  };
};

/** Step 19: the merge; after a conflict the work goes back to READY, or is parked. */
export const merge: Rule<"MERGE"> = (payload) => ({
  outcome: "merged",
  asked: {
    ...(payload.on_conflict ? { onConflict: payload.on_conflict } : {}),
    ...(payload.merge_message ? { mergeMessage: payload.merge_message } : {}),
  },
});

/** An answer of the user, with the step where it was given and whether the agent relayed it. */
export function recordDecision(
  state: SessionState,
  facts: Facts,
  answer: { readonly decision: string; readonly reason: string },
): UserDecision {
  return { at: facts.now, ...answer, stage: state.stage, source: findAnswerSource(facts) };
}

/** How the user was reached for this submission. */
export function findAnswerSource({ word }: Facts): AnswerSource {
  return word?.source ?? "relayed";
}
