/** The rules of steps 2–11: what an accepted payload needs, and what it changes. Pure. */
import { STEP } from "../../base/steps.ts";
import { isSameSubject, parseClaimedCall } from "../../base/text/claimed_call.ts";
import type { Problem } from "../../base/problem.ts";
import { makeProblem } from "../../base/problem.ts";
import { call, say, tool } from "../../base/text/words.ts";
import {
  evaluateExploration,
  FORCED_SEMANTIC,
  isThinAtHighRisk,
  judgeRisk,
} from "../contract/evaluation.ts";
import type { Facts, MeasuredSymbol, Size } from "../facts.ts";
import { buildDoubtfulFields, buildRules, judgeCited } from "./cited_lines.ts";
import { recordDecision } from "./finish_rules.ts";
import type { PayloadOf } from "../payload/payloads.ts";
import type { Rule } from "./rule.ts";
import { buildLeftOut, checkLines, checkPaths, judgeRows, refuseReadLine } from "./rule.ts";
import { parseLines, parseReadLine } from "../../base/text/places.ts";
import { formatSizeNote, judgeSize } from "../size.ts";
import type { QueryFrame } from "../state.ts";
import { isAboutDefect } from "../contract/clauses.ts";
import {
  buildFrameReply,
  checkSymbol,
  countIntroduced,
  listDoubts,
  listSymbolSources,
} from "./frame_doubts.ts";

/** Step 2: what to do with old task branches. */
export const branchIntervention: Rule<"BRANCH_INTERVENTION"> = (payload, { state, facts }) => ({
  outcome: "done",
  patch: {
    decisions: [
      ...state.decisions,
      recordDecision(state, facts, {
        decision: payload.choice,
        reason: "stale task branches",
      }),
    ],
  },
  asked: { choice: payload.choice },
});

/** Step 3: the project's documents and the rules in them. */
export const documentResearch: Rule<"DOCUMENT_RESEARCH"> = (payload, { facts }) => {
  const cited = judgeCited(payload.mandatory_rules ?? [], facts);
  const reviewed = judgeRows(
    payload.documents_reviewed,
    (path, index) => checkPaths([path], `data.documents_reviewed[${index}]`, facts),
  );
  const problems = [
    ...reviewed.problems,
    ...checkNoDocuments(payload, facts),
    ...cited.problems,
  ];
  if (problems.length > 0) return { problems: [...problems, ...reviewed.left, ...cited.left] };
  return {
    outcome: "done",
    patch: { documents: reviewed.kept, rules: buildRules(cited.kept, facts) },
    reply: {
      ...buildDoubtfulFields(cited.kept, facts),
      ...buildLeftOut([...reviewed.left, ...cited.left]),
    },
  };
};

function checkNoDocuments(payload: PayloadOf<"DOCUMENT_RESEARCH">, facts: Facts): Problem[] {
  const documents = facts.documents ?? { enabled: true, total: 0 };
  if (payload.documents_reviewed.length > 0 || !documents.enabled || documents.total === 0) {
    return [];
  }
  const hasReason = (payload.no_documents_reason ?? "").trim() !== "";
  const hasSearched = facts.calls.length > 0 || facts.looks?.includes("search_text") === true;
  if (hasReason && hasSearched) return [];
  return [makeProblem(
    "no_documents_reviewed",
    `The project has ${documents.total} documents and none was reviewed`,
    {
      at: "data.documents_reviewed",
      hint: hasSearched
        ? "Name the documents you read, or say in no_documents_reason why none fits."
        : say`${call("search_text")} over the documents once, then send no_documents_reason.`,
    },
  )];
}

/** Step 4: the request, split into slots with quotes. */
export const queryFrame: Rule<"QUERY_FRAME"> = (payload, { state, facts }) => {
  const measured = facts.frame?.symbols ?? [];
  const symbols = judgeRows(
    payload.target_symbols ?? [],
    (_, index) => checkSymbol(index, payload.target_symbols ?? [], measured),
  );
  const sent = symbols.kept;
  const problems = [...facts.frame?.problems ?? [], ...symbols.problems];
  if (problems.length > 0) return { problems };
  const sources = listSymbolSources(measured);
  const slots = facts.frame?.slots ?? {};
  const frame: QueryFrame = {
    actionType: payload.action_type ?? null,
    slots: {
      target_feature: slots.target_feature ?? null,
      trigger_condition: slots.trigger_condition ?? null,
      observed_issue: slots.observed_issue ?? null,
      desired_action: slots.desired_action ?? null,
    },
    targetSymbols: sent,
    ...(Object.keys(sources).length === 0 ? {} : { symbolSources: sources }),
    scope: payload.scope ?? null,
    constraints: payload.constraints ?? [],
  };
  const risk = judgeRisk(state, frame);
  const size = judgeSize({ ...state, risk, scale: adjustScale(facts, measured, state.query) });
  const { reply = {} } = buildFrameReply(
    { slots: frame.slots, risk, request: state.query },
    measured,
  );
  return {
    outcome: "done",
    patch: { frame, risk, ...(size === null ? {} : { size }) },
    reply: {
      ...reply,
      ...buildLeftOut(symbols.left),
      ...(size === null ? {} : { size: formatSizeNote(size) }),
    },
  };
};

/** The measure of what is there: names that the request brings in are missing nowhere. */
function adjustScale(
  { scale }: Facts,
  measured: readonly MeasuredSymbol[],
  request: string,
): Facts["scale"] {
  if (scale === null || scale === undefined) return scale;
  return { ...scale, missing: Math.max(0, scale.missing - countIntroduced(measured, request)) };
}

const NOT_REPRODUCED =
  `Nobody made the defect show, so it is not known what has to change: the risk is HIGH. Reproduce it and send ${STEP.EXPLORATION} again by back_to, or go on.`;

/** The command that makes the defect show, and what it showed; null where nobody ran one. */
function findReproduction(
  { reproduced }: PayloadOf<"EXPLORATION">,
): { readonly command: string; readonly showed: string } | null {
  if (typeof reproduced !== "object" || reproduced === null) return null;
  return /^\s*not reproduced/i.test(reproduced.command) ? null : reproduced;
}

const ASKED_WHOLE: Size = { level: "usual", because: "the person asked for every step" };

/** Step 5: what was looked at and what was found. */
export const exploration: Rule<"EXPLORATION"> = (payload, { state, facts }) => {
  const explored = judgeRows(payload.explored_files, (entry, index) => {
    const at = `data.explored_files[${index}]`;
    const { by, says } = facts.seen?.[entry] ?? {};
    return [
      ...checkPaths([findEntryFile(entry)], at, facts),
      ...by === "differs" ? [refuseReadLine(entry, at, says)] : [],
    ];
  });
  const entries = explored.kept;
  const files = entries.map(findEntryFile);
  const problems = [...explored.problems];
  if (facts.hasSourceFiles !== false) {
    for (const field of ["explored_files", "findings"] as const) {
      if (payload[field].length > 0) continue;
      problems.push(
        makeProblem("empty_list", `${field} is empty, and the project has source files`, {
          at: `data.${field}`,
          hint: "Look at the code the request touches and name what you looked at and found.",
        }),
      );
    }
  }
  if (problems.length > 0) return { problems: [...problems, ...explored.left] };
  const evaluation = evaluateExploration(state, files, facts);
  // The user may ask for more than the server would; nobody may ask for less.
  const gate = payload.gate_level === "full"
    ? { gateLevel: payload.gate_level, size: ASKED_WHOLE }
    : {};
  const shown = findReproduction(payload);
  const isUnseen = isAboutDefect(state) && shown === null;
  return {
    outcome: "done",
    patch: {
      findings: payload.findings,
      evaluation,
      ...gate,
      ...(shown === null ? {} : { reproduced: shown }),
      ...(isUnseen ? { risk: "HIGH" } : {}),
    },
    reply: {
      ...(isUnseen ? { not_reproduced: NOT_REPRODUCED } : {}),
      ...buildUnshown(entries, facts),
      ...buildLeftOut(explored.left),
    },
  };
};

/** The file of an entry, which may be a line of it that was read. */
function findEntryFile(entry: string): string {
  return parseReadLine(entry)?.path ?? entry;
}

/** Files that count as the word of the agent alone: they are not refused, and open nothing. */
function buildUnshown(
  entries: readonly string[],
  { seen = {} }: Facts,
): Readonly<Record<string, unknown>> {
  const unshown = entries.filter((entry) => seen[entry]?.by === "nothing");
  return unshown.length === 0 ? {} : { not_shown: { files: unshown, notice: NOT_SHOWN } };
}

const NOT_SHOWN =
  say`No answer and no hook showed them, so they are not open for writing: send a line that you read ("path:line: text") here, or ${
    tool("add_explored_files")
  } in READY.`;

/**
 * Step 6: is more information needed? The answer "no" is not followed when the risk is high and the
 * exploration thin.
 */
export const questionOne: Rule<"Q1"> = (payload, { state }) => ({
  outcome: payload.needs_more_information ? "yes" : "no",
  patch: {
    answers: {
      ...state.answers,
      Q1: { answer: payload.needs_more_information, reason: payload.reason.trim() },
    },
  },
  ...(!payload.needs_more_information && isThinAtHighRisk(state)
    ? { reply: { forced: FORCED_SEMANTIC } }
    : {}),
});

/** Step 7: results of a search by meaning. */
export const semantic: Rule<"SEMANTIC"> = (payload, { state, facts }) => {
  const results = judgeRows(payload.search_results, (entry, index) => {
    const file = typeof entry === "string" ? entry : entry.file;
    const at = `data.search_results[${index}]`;
    const by = facts.seen?.[file]?.by ?? "shown";
    const missing = checkPaths([findEntryFile(file)], at, facts);
    if (by !== "nothing" && by !== "differs") return missing;
    const hint = say`Name what ${
      tool("semantic_search")
    } or another search found; [] is a good answer.`;
    const message = `No answer of this session showed ${file}`;
    return [...missing, makeProblem("result_not_recorded", message, { at, hint })];
  });
  const problems = [...results.problems];
  const hasSearched = facts.calls.length > 0 || facts.draft !== undefined;
  if (payload.search_results.length === 0 && !hasSearched && canSearch(facts)) {
    problems.push(
      makeProblem("no_search_recorded", "search_results is empty and nothing was searched", {
        at: "data.search_results",
        hint: say`Search once (${tool("semantic_search")} or ${
          tool("search_text")
        }), then send [].`,
      }),
    );
  }
  if (problems.length > 0) return { problems };
  const found = results.kept.map((entry) =>
    typeof entry === "string" ? entry : `${entry.file}: ${entry.why ?? ""}`.trim()
  );
  const patch = { findings: [...state.findings, ...found] };
  return { outcome: "done", patch, reply: buildLeftOut(results.left) };
};

function canSearch(facts: Facts): boolean {
  return ["semantic_search", "search_text", "find_definitions", "find_references"]
    .some((tool) => facts.offered.includes(tool));
}

/** Step 8: are there unverified hypotheses? */
export const questionTwo: Rule<"Q2"> = (payload, { state }) => {
  const doubts = listDoubts(state);
  const hypotheses = [...new Set([...payload.hypotheses ?? [], ...doubts])];
  if (payload.has_unverified_hypotheses && hypotheses.length === 0) {
    return {
      problems: [makeProblem("missing_field", "hypotheses is empty although there are some", {
        at: "data.hypotheses",
        hint: "Name each hypothesis in a sentence, or answer false.",
      })],
    };
  }
  const hasDoubts = payload.has_unverified_hypotheses || doubts.length > 0;
  return {
    outcome: hasDoubts ? "yes" : "no",
    patch: {
      hypotheses: hasDoubts ? hypotheses : [],
      answers: {
        ...state.answers,
        Q2: { answer: payload.has_unverified_hypotheses, reason: payload.reason.trim() },
      },
    },
  };
};

/**
 * Step 9: each hypothesis with its evidence; a refuted hypothesis is as good as a confirmed one.
 */
export const verification: Rule<"VERIFICATION"> = (payload, { state, facts }) => {
  const problems: Problem[] = [];
  const entries = payload.hypotheses_verified;
  const named = new Set(entries.map(({ hypothesis }) => hypothesis.trim()));
  const left = state.hypotheses.filter((hypothesis) => !named.has(hypothesis.trim()));
  if (left.length > 0) {
    problems.push(makeProblem("hypotheses_unverified", `Not verified: ${left.join("; ")}`, {
      at: "data.hypotheses_verified",
      hint: `Send every hypothesis of ${STEP.Q2} with its text unchanged, confirmed or refuted.`,
    }));
  }
  entries.forEach((entry, index) => {
    problems.push(...checkProof(entry.evidence ?? "", `data.hypotheses_verified[${index}]`, facts));
  });
  if (problems.length > 0) return { problems };
  const results = entries.map((entry) =>
    `${entry.hypothesis}: ${entry.result} (${entry.evidence ?? ""})`
  );
  return { outcome: "done", patch: { findings: [...state.findings, ...results] } };
};

/** Evidence of step 9 must be a place that exists, or a tool call that the server recorded. */
function checkProof(evidence: string, at: string, facts: Facts): readonly Problem[] {
  const where = `${at}.evidence`;
  const hint = "Give path:line, or `tool: find_references(name) → 0` of a call made in this step.";
  if (evidence.trim() === "") {
    return [makeProblem("evidence_missing", "A hypothesis has no evidence", { at: where, hint })];
  }
  const call = parseClaimedCall(evidence, facts.offered);
  if (call !== null) {
    const { tool, subject, claimed } = call;
    const isRecorded = [...facts.calls, ...facts.earlier ?? []].some((entry) =>
      entry.tool === tool && subject !== "" && isSameSubject(subject, entry.subject) &&
      (claimed === undefined || entry.total === null || entry.total === claimed)
    );
    return isRecorded ? [] : [
      makeProblem("tool_not_recorded", `The server recorded no call ${tool}(${subject}) here`, {
        at: where,
        hint: `Call ${tool} now, then send its result.`,
      }),
    ];
  }
  const places = evidence.split(/\s*;\s*/).map(parseLines);
  const message = `"${evidence.slice(0, 80)}" is neither a place nor a call`;
  return places.flatMap((place) =>
    place === null
      ? [makeProblem("evidence_form", message, { at: where, hint })]
      : checkLines(place, where, facts)
  );
}

/** Step 10: can the change reach other files? */
export const questionThree: Rule<"Q3"> = (payload, { state }) => ({
  outcome: payload.needs_impact_analysis ? "yes" : "no",
  patch: {
    answers: {
      ...state.answers,
      Q3: { answer: payload.needs_impact_analysis, reason: payload.reason.trim() },
    },
  },
});
