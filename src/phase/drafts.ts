/**
 * Drafts of payloads: what the server itself saw settles a step, or it says what it has to ask. A draft is judged by the
 * rule of its step like a payload of the agent, and claims nothing but what the facts show. Pure.
 */
import { clip, clipLine } from "../base/text/clip.ts";
import { splitSentences } from "../base/text/sentences.ts";
import type { Words } from "../base/text/words.ts";
import { call, say } from "../base/text/words.ts";
import { isRecord } from "../base/text/json_record.ts";
import { LIMITS } from "../base/settings/limits.ts";
import { listClauses } from "./contract/clauses.ts";
import type { ReportRow } from "./draft_work.ts";
import { formatSaid, joinPlaces, nameClauses } from "./draft_work.ts";
import { chooseFreeId, composeMessage } from "./payload/filled_payload.ts";
import { PAYLOADS } from "./payload/payloads.ts";
import { listDoubts } from "./rules/frame_doubts.ts";
import type { QueryFrame, SessionState } from "./state.ts";
import type { Stage } from "./table/phases.ts";
import { findNextTask } from "./tasks.ts";

type Fields = Readonly<Record<string, unknown>>;

/** What the server saw of the work so far; a step gets only what it needs. */
export interface DraftFacts {
  /** The agent's one payload; empty where it sent none. */
  readonly sent: Fields;
  /** Fields that the project's contract asks for at the step. */
  readonly wanted?: readonly string[];
  /** Documents that the server searched for the request, and lines of them that say a rule. */
  readonly documents?: readonly string[];
  readonly rules?: readonly { readonly rule: string; readonly source: string }[];
  /** Names of the request that the project defines. */
  readonly symbols?: readonly string[];
  /** Files that were shown, read or changed. */
  readonly seen?: readonly string[];
  /** What was shown of them, a line each. */
  readonly findings?: readonly string[];
  /** What the server's own search by meaning found. */
  readonly found?: readonly { readonly file: string; readonly why: string }[];
  /** For each item of the task the places that are its evidence. */
  readonly report?: readonly ReportRow[];
}

/** A payload that the facts settle, or what has to be asked. */
export type Draft =
  | { readonly kind: "payload"; readonly data: Fields }
  | { readonly kind: "ask"; readonly ask: readonly Words[] };

/** What a step is drafted from, for the documents: what the server sees by itself, and what it asks. */
export interface DraftRow {
  readonly sees: string;
  /** Null where it asks nothing. */
  readonly asks: string | null;
  readonly draft: (state: SessionState, facts: DraftFacts) => Draft;
}

const LIKE_RULES = "the documents that speak of the request, and their lines that say a rule";

/** The draft of each step. */
export const DRAFTS: Readonly<Record<Stage, DraftRow>> = {
  BRANCH_INTERVENTION: {
    sees: "old task branches",
    asks: "the person: what becomes of them",
    draft: () => ask("Old task branches wait for the person's choice: send choice."),
  },
  DOCUMENT_RESEARCH: {
    sees: LIKE_RULES,
    asks: null,
    draft: (_, { documents = [], rules = [] }) =>
      settle("searched the documents for the words of the request", {
        documents_reviewed: documents,
        mandatory_rules: rules,
        ...(documents.length > 0
          ? {}
          : { no_documents_reason: "The server's search found no document that speaks of it." }),
      }),
  },
  QUERY_FRAME: {
    sees: "the sentences of the request as clauses, and its names that the project defines",
    asks: null,
    draft: (state, { symbols = [] }) =>
      settle("took the sentences of the request for its clauses", {
        action_type: state.intent.toLowerCase(),
        slots: splitRequest(state.query),
        target_symbols: symbols,
      }),
  },
  EXPLORATION: {
    sees: "files that answers and hooks showed, and files that changed",
    asks: "where nothing was seen: files that were read",
    draft: (_, { sent, seen = [], findings = [] }) =>
      seen.length === 0 && sent["explored_files"] === undefined
        ? ask(
          'No answer and no hook showed a file: send explored_files ["path:line: text as it stands there"] of what you read.',
        )
        : settle("noted what was shown and read", {
          explored_files: seen,
          findings: findings.length > 0 ? findings : seen.map((path) => `Seen: ${path}`),
        }),
  },
  Q1: {
    sees: "what the records of the exploration show",
    asks: null,
    draft: ({ evaluation }) => {
      const missing = evaluation?.missing.length ?? 0;
      return settle("judged the exploration by its records", {
        needs_more_information: false,
        reason: missing === 0
          ? "The records of the exploration show enough."
          : `The records lack ${missing} of what an exploration usually shows; nobody asked for more.`,
      });
    },
  },
  SEMANTIC: {
    sees: "what its own search by meaning finds for the request",
    asks: null,
    draft: ({ query }, { found = [] }) =>
      settle("searched by meaning for the request", {
        search_query: clip(query, 400),
        search_results: found,
      }),
  },
  Q2: {
    sees: "doubts that the frame left",
    asks: null,
    draft: (state) => {
      const doubts = listDoubts(state);
      return settle("looked for doubts of the frame", {
        has_unverified_hypotheses: doubts.length > 0,
        reason: doubts.length > 0 ? "The frame left doubts." : "The frame left no doubt.",
        hypotheses: doubts,
      });
    },
  },
  VERIFICATION: {
    sees: "that no hypothesis is open",
    asks: "where one is open: what the code says of it",
    draft: ({ hypotheses }) =>
      hypotheses.length > 0
        ? ask(
          `Say of each whether the code confirms it (hypotheses_verified): ${
            hypotheses.map((one) => `"${clipLine(one, ASKED_CHARS)}"`).join(", ")
          }.`,
        )
        : settle("found no open hypothesis", { hypotheses_verified: [] }),
  },
  Q3: {
    sees: "how many places use the target symbols",
    asks: null,
    draft: ({ size }) =>
      settle("measured what uses the target symbols", {
        needs_impact_analysis: false,
        reason: size === undefined
          ? "No target symbol was measured; the review shows what uses the changed code."
          : `The size was judged ${size.level}: ${size.because}.`,
      }),
  },
  IMPACT_ANALYSIS: {
    sees: "nothing: whether a user of the code has to change is a judgement",
    asks: "of a large request: decisions about what it reaches",
    draft: () =>
      ask(
        say`What else has to change: ${
          call("analyze_impact")
        } for the files of the change, and send impact_summary with a decision for each file of must_verify.`,
      ),
  },
  READY_PLAN: {
    sees: "the clauses of the request as items of one task",
    asks: null,
    draft: planWork,
  },
  READY_IMPL: {
    sees: "the changed lines, by the clause whose words they share",
    asks: "for a clause without a changed line: where it was done, or why nothing had to change",
    draft: reportWork,
  },
  READY_COMPLETE: {
    sees: "whether the evidence still stands",
    asks: null,
    draft: () => settle("looked whether all evidence stands", {}),
  },
  POST_IMPL_VERIFY: {
    sees: "what the project's commands say",
    asks: "where the project names no command: whether your tests passed",
    draft: ({ fixedVerify }, { sent }) =>
      (fixedVerify?.verify ?? []).length > 0
        ? settle("ran the project's commands", {})
        : typeof sent["passed"] === "boolean"
        ? settle("took the word of the agent, since the project names no command", {
          verifier_used: "the agent's own run",
          details: clip(`The agent says: ${formatSaid(sent)}`, DETAIL_CHARS),
        })
        : ask(
          "The project names no commands (verify): run the tests of the change, and send passed, verifier_used and details.",
        ),
  },
  VERIFY_INTERVENTION: {
    sees: "that the same work failed repeatedly",
    asks: "another approach",
    draft: () => ask("The same work failed repeatedly: send what you do otherwise (action_taken)."),
  },
  PRE_COMMIT: {
    sees: "all changed files, which it keeps, and what uses or reaches them outside of the diff",
    asks: "a word to each finding: weaker tests, what was left behind, mixed changes",
    draft: (state) => {
      const message = composeMessage(state);
      return settle("kept every changed file", {
        reviewed_files: [],
        rest: "keep",
        ...(message === null ? {} : { commit_message: message }),
      });
    },
  },
  QUALITY_REVIEW: {
    sees: "that the verification and the review left no finding open",
    asks: null,
    draft: () =>
      settle("found nothing that stands against the commit; nobody reviewed it beyond that", {
        quality_score: "not rated: no finding of the server is open",
        issues: [],
      }),
  },
  MERGE: { sees: "that the commit is made", asks: null, draft: () => settle("merged", {}) },
  SESSION_COMPLETE: { sees: "", asks: null, draft: () => ask("The session is over.") },
};

const ASKED_CHARS = 100;
const DETAIL_CHARS = 400;

/**
 * The payload of the present step as the server sees it, or what has to be asked first. Fields of the step that the agent
 * sent with its one payload take the place of the server's own.
 */
export function draftPayload(state: SessionState, facts: DraftFacts): Draft {
  const { stage } = state;
  const { shape } = PAYLOADS[stage];
  const own = Object.fromEntries(
    Object.entries(facts.sent).filter(([field, value]) =>
      (Object.hasOwn(shape, field) || facts.wanted?.includes(field)) && (value ?? null) !== null
    ),
  );
  const field = FIELD_OF[stage] ?? "";
  // What answers the question of the step makes the draft needless.
  if (field !== "" && own[field] !== undefined) {
    return { kind: "payload", data: { summary: SENT, tools_used: [], ...own } };
  }
  const draft = DRAFTS[stage].draft(state, facts);
  if (draft.kind === "ask") return draft;
  const { observed } = own;
  const named = isRecord(observed) ? { observed: nameClauses(observed, listClauses(state)) } : {};
  const data = { ...draft.data, ...own, ...named };
  return stage === "PRE_COMMIT" && !("commit_message" in data)
    ? ask("The request does not say what is done in one sentence: send commit_message.")
    : { kind: "payload", data };
}

const SENT = "What the agent sent with its one payload.";

/** The field with which the agent answers where a step asks. */
const FIELD_OF: Readonly<Partial<Record<Stage, string>>> = {
  BRANCH_INTERVENTION: "choice",
  VERIFICATION: "hypotheses_verified",
  IMPACT_ANALYSIS: "impact_summary",
  VERIFY_INTERVENTION: "action_taken",
};

function ask(...questions: readonly Words[]): Draft {
  return { kind: "ask", ask: questions };
}

function settle(what: string, data: Fields): Draft {
  return { kind: "payload", data: { summary: `The server ${what}.`, tools_used: [], ...data } };
}

/** Words of a sentence that something goes wrong. */
const DEFECT =
  /\b(?:bugs?|errors?|crash\w*|fail\w*|broken?|wrong\w*|regress\w*|hangs?|leaks?|incorrect\w*|does ?n.t|do ?n.t|not work\w*|throws?|raises?)\b/i;
const SLOTS = ["target_feature", "desired_action"] as const;

/** The first sentences as slots, each quoted as it stands; one that says what goes wrong is the observed issue. */
function splitRequest(query: string): Fields {
  const sentences = splitSentences(query);
  const toSlot = (part: string | undefined) =>
    part === undefined ? null : { value: part, quote: part };
  const issue = sentences.find((part) => DEFECT.test(part));
  const others = sentences.filter((part) => part !== issue);
  const [first = issue, second = first] = others;
  const [feature, action] = SLOTS;
  return {
    [feature]: toSlot(first),
    [action]: toSlot(second),
    observed_issue: toSlot(issue),
    trigger_condition: null,
  };
}

/** The clauses that the server will take the request apart into, as far as nobody frames it otherwise. */
export function foreseeClauses(query: string): readonly string[] {
  // Of slots the quotes alone are read.
  const slots = splitRequest(query) as unknown as QueryFrame["slots"];
  const frame = { actionType: null, slots, targetSymbols: [], scope: null, constraints: [] };
  return listClauses({ query, frame });
}

const CLAUSE_CHARS = 70;

/** The one payload of the default way, as the start shows it: clauses by number, and what only the agent can say. */
export function describeWhole({ query, fixedVerify }: SessionState): Fields {
  const clauses = foreseeClauses(query).slice(0, MOST_CLAUSES);
  const rows = (toKey: (clause: string, at: number) => string, value: string) =>
    Object.fromEntries(clauses.map((clause, at) => [toKey(clause, at), value]));
  return {
    done: rows(
      (clause, at) => `${at + 1} ${clipLine(clause, CLAUSE_CHARS)}`,
      "path:lines | why nothing had to change",
    ),
    observed: rows((_, at) => `${at + 1}`, "what you ran and what it showed; the name of a test"),
    commit_message: "string",
    ...((fixedVerify?.verify ?? []).length > 0
      ? {}
      : { passed: "boolean", verifier_used: "npm test", details: "output that matters" }),
  };
}

const TASK_CHARS = 200;
const MOST_CLAUSES = 12;

/** One task with the clauses as its items; after work was sent back one with what sent it back. */
function planWork(state: SessionState): Draft {
  const { tasks, revertReason, query } = state;
  const clauses = listClauses(state).slice(0, MOST_CLAUSES);
  const request = clipLine(query, TASK_CHARS);
  const isAgain = tasks.length > 0;
  const items = isAgain
    ? [`Mend: ${clipLine(revertReason ?? "what sent the work back", TASK_CHARS)}`]
    : clauses.length > 0
    ? clauses
    : [request];
  return settle(isAgain ? "planned to mend what failed" : "took the clauses for the plan", {
    tasks: [{ id: chooseFreeId(tasks), description: request, checklist: items }],
  });
}

/** The report of the task that is due; a clause of which nothing is known is asked about. */
function reportWork({ tasks }: SessionState, { report = [] }: DraftFacts): Draft {
  const isEmpty = ({ places, fallen = [] }: ReportRow) => places.length === 0 && fallen.length > 0;
  const idle = report.filter(isEmpty).map(({ item, fallen = [] }) =>
    `"${clipLine(item, ASKED_CHARS)}" has no work in ${
      joinPlaces(fallen)
    }: a comment, an empty body, or lines that only moved. Do it, then send the same payload again.`
  );
  const open = report.filter((row) =>
    row.places.length === 0 && !isEmpty(row) && !isReason(row.said)
  );
  const unseen = open.length === 0 ? [] : [
    `No changed line shows these: send done {"clause": "path:line-line, or why nothing had to change"} for ${
      open.map(({ item }) => `"${clipLine(item, ASKED_CHARS)}"`).join(", ")
    }.`,
  ];
  if (idle.length + unseen.length > 0) return ask(...idle, ...unseen);
  return settle("took the changed lines for evidence", {
    task_id: findNextTask(tasks)?.id ?? "",
    checklist: report.map(({ item, places, said }) => ({
      item,
      ...(places.length === 0 ? {} : { evidence: joinPlaces(places) }),
      reason: isReason(said) ? said : "Chosen by the server from the changed lines.",
    })),
  });
}

function isReason(said: string | null): said is string {
  return (said ?? "").trim().length >= LIMITS.reasonMinChars.value;
}
