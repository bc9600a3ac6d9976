/** Submissions that need the user's answer: the server asks them itself where it can. */
import { createHash } from "node:crypto";
import type { FormField, Question } from "../../base/asker.ts";
import type { Contract } from "../../phase/contract/contract.ts";
import type { Decision, EngineEvent } from "../../phase/decide.ts";
import type { ParsedSubmission, PayloadOf, Submission } from "../../phase/payload/payloads.ts";
import type { SessionState } from "../../phase/state.ts";
import { decide } from "../../phase/decide.ts";
import { ESCALATIONS } from "../../phase/valves.ts";
import type { UserAnswer } from "../resolve/ask_resolutions.ts";
import { checkAnswer } from "../resolve/ask_resolutions.ts";

/** A decision, or the question that has to be asked first. */
export type AskedDecision =
  | { readonly kind: "ask"; readonly question: Question }
  | { readonly kind: "decided"; readonly decision: Decision };

/** What is decided, and what the user answered so far. */
export interface AskInput {
  readonly event: Extract<EngineEvent, { readonly type: "submitted" }>;
  readonly contract: Contract;
  /** The tree that the submission is about; an answer counts only for it. */
  readonly tree: string | null;
  /** The user's answer to the question of an earlier pass; null before it was asked. */
  readonly word: UserAnswer | null;
}

/** What the user is asked about a submission. */
interface UserQuestion {
  /** Where in the payload the answer belongs. */
  readonly at: string;
  readonly message: string;
  readonly title: string;
  /** Files whose changes by the user would be committed. */
  readonly paths: readonly string[];
  /** Fields of the form, where the answer is more than yes or no. */
  readonly fields?: readonly FormField[];
}

/**
 * Decides about a submission. One that needs the user's answer (an override, their changes in the
 * commit, old branches) becomes a question first; where nobody can be asked, the answer that the
 * agent relays is used.
 */
export function decideWithUserAnswer(state: SessionState, input: AskInput): AskedDecision {
  const { event, contract, word } = input;
  const decision = decide(state, event, contract);
  const matter = findUserQuestion(state, event.parsed.submission, decision);
  if (matter === null) return { kind: "decided", decision };
  const question = buildQuestion(state, matter, input);
  if (word?.key !== question.key) return { kind: "ask", question };
  if (word.answer === "relayed") return { kind: "decided", decision };
  const problem = checkAnswer(word, matter.at);
  if (problem !== null) {
    return {
      kind: "decided",
      decision: { kind: "refused", state, error: problem.code, problems: [problem], reply: {} },
    };
  }
  const facts = { ...event.facts, word: { source: word.source, included: matter.paths } };
  const said = { ...event, parsed: withUserChoice(event.parsed, word), facts };
  return { kind: "decided", decision: decide(state, said, contract) };
}

/** The submission with the user's choice from the form in place of the agent's. */
function withUserChoice(parsed: ParsedSubmission, { values }: UserAnswer): ParsedSubmission {
  const { submission } = parsed;
  const { decision, words, answer } = values;
  if (submission?.kind === "ask" && typeof answer === "string") {
    return { ...parsed, submission: { ...submission, answer } };
  }
  if (submission?.kind !== "person" || typeof decision !== "string") return parsed;
  const isSame = decision === submission.decision;
  const own = typeof words === "string" ? words : "";
  const reason = own !== "" ? own : isSame ? submission.reason : `chosen in a form: ${decision}`;
  const chosen = decision as typeof submission.decision;
  return { ...parsed, submission: { ...submission, decision: chosen, reason } };
}

function findUserQuestion(
  state: SessionState,
  submission: Submission | null,
  decision: Decision,
): UserQuestion | null {
  const mixed = listMixedPaths(decision);
  if (submission === null || (decision.kind === "refused" && mixed.length === 0)) return null;
  if (submission.kind === "person") return askAboutOverride(state, submission);
  if (submission.kind === "ask") return askForAgent(submission);
  if (submission.kind === "abandon") return submission.restore ? askAboutRestore(state) : null;
  if (submission.kind !== "payload") return null;
  if (submission.stage === "BRANCH_INTERVENTION") {
    return askAboutBranches(submission.data as PayloadOf<"BRANCH_INTERVENTION">);
  }
  if (submission.stage !== "PRE_COMMIT") return null;
  const named = (submission.data as PayloadOf<"PRE_COMMIT">).include_person_changes ?? [];
  const paths = [...new Set([...named, ...mixed])];
  return paths.length === 0 ? null : {
    at: "data.include_person_changes",
    title: "Commit my changes in these files too",
    message:
      "The session is about to commit. In these files are changes of yours beside those of " +
      `the session; shall yours go into the same commit?\n${formatPathLines(paths)}`,
    paths,
  };
}

/** Files for which only the user's answer is missing before they can be committed. */
function listMixedPaths(decision: Decision): readonly string[] {
  if (decision.kind !== "refused") return [];
  if (decision.problems.some(({ code }) => code !== "person_changes_mixed")) return [];
  return decision.problems.flatMap(({ path }) => path === undefined ? [] : [path]);
}

/** A question of the agent's own, with its choices where it names some. */
function askForAgent(
  { question, choices }: Extract<Submission, { readonly kind: "ask" }>,
): UserQuestion {
  const field = { name: "answer", title: "Your answer", required: true } as const;
  return {
    at: "data.ask_person",
    message: `The agent asks: ${question}`,
    title: field.title,
    paths: [],
    fields: [
      choices.length === 0 ? { ...field, type: "text" } : { ...field, type: "choice", choices },
    ],
  };
}

function askAboutOverride(
  state: SessionState,
  { decision, reason }: Extract<Submission, { readonly kind: "person" }>,
): UserQuestion | null {
  const meaning = OVERRIDES[decision];
  if (meaning === undefined) return null;
  const told = [
    `At ${state.stage} the agent says that you decided "${decision}": ${meaning}.`,
    `Your reason, in its words: ${reason}`,
  ];
  const at = "data.user_decision";
  if (state.escalation === null) {
    return { at, title: `Yes: ${meaning}`, message: told.join("\n"), paths: [] };
  }
  // While the question is open the user is asked, whatever the agent says about their answer.
  const { decisions } = ESCALATIONS[state.escalation.cause];
  const offered = decisions.map((name) => `${name}: ${MEANINGS[name]}`);
  const title = "What now";
  return {
    at,
    title,
    message: [state.escalation.message, ...told, ...offered].join("\n"),
    paths: [],
    fields: [
      { name: "decision", title, type: "choice", choices: decisions, required: true },
      { name: "words", title: "In your words", type: "text", required: false },
    ],
  };
}

/**
 * Files are put back only if the user agrees; everything else about leaving is always possible.
 */
function askAboutRestore({ sessionId, workspace }: SessionState): UserQuestion | null {
  return workspace.hasGit
    ? {
      at: "data.restore",
      title: "Yes: take the files back to the start",
      message:
        `The session ${sessionId} ends without a merge. Shall its files go back to how they were at the start? ` +
        "Otherwise end it without `restore`; they then stay as they are. What is there now is kept in a snapshot.",
      paths: [],
    }
    : null;
}

/**
 * Payloads that override a gate. Parking and abandoning are not among them: they change no file and
 * are always possible.
 */
const OVERRIDES: Readonly<Record<string, string>> = {
  accept: "go on with the work as it is, past the check that stops it",
  continue: "go on, with the counters of failures at zero",
};
const MEANINGS: Readonly<Record<string, string>> = {
  ...OVERRIDES,
  park: "put it aside with everything kept, to be resumed later",
  abandon: "end it without a merge; the files stay as they are",
};

function askAboutBranches({ choice }: PayloadOf<"BRANCH_INTERVENTION">): UserQuestion | null {
  const meaning = BRANCHES[choice];
  return meaning === undefined ? null : {
    at: "data.choice",
    title: `Yes: ${meaning}`,
    message: `Shall the server ${meaning}?`,
    paths: [],
  };
}

const BRANCHES: Readonly<Record<string, string>> = {
  delete: "delete the task branches that no session owns (their commits are kept by refs)",
  merge: "merge the task branch that is checked out into its base",
};

const MOST_LINES = 20;

function formatPathLines(paths: readonly string[]): string {
  const more = paths.length > MOST_LINES ? [`and ${paths.length - MOST_LINES} more`] : [];
  return [...paths.slice(0, MOST_LINES), ...more].join("\n");
}

function buildQuestion(state: SessionState, matter: UserQuestion, { tree }: AskInput): Question {
  const about = JSON.stringify([state.stage, state.visit, tree, matter]);
  const hash = createHash("sha256").update(about).digest("hex").slice(0, 16);
  const { message, title } = matter;
  return {
    key: `decision ${state.sessionId} ${hash}`,
    message,
    fields: matter.fields ?? [{ name: "agree", title, type: "boolean", required: true }],
  };
}
