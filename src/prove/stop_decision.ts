/** Decides what the end of a turn says of the change: nothing, one line, or that the agent has to go on. Pure. */
import { clipLine } from "../base/text/clip.ts";
import { readGivenUp } from "./answers.ts";
import type { Proof, ProofFinding, VerdictKind } from "./verdict.ts";

/** What a conversation was told of one change. */
export interface ToldChange {
  /** Base and tree of the change. */
  readonly id: string;
  readonly verdict: VerdictKind;
  /** True while a process of its own does what the time did not reach. */
  readonly isOpen: boolean;
}

/** What is remembered of a conversation. */
export interface StopMemory {
  /** The change as it was when the conversation began, which is none of its work; null where that is not known. */
  readonly start: string | null;
  /** The last changes, the newest at the end. */
  readonly told: readonly ToldChange[];
  /** Times in a row that the agent was kept from ending. */
  readonly inRow: number;
}

/** A conversation of which nothing is known. */
export const NEW_CONVERSATION: StopMemory = { start: null, told: [], inRow: 0 };

/** The end of a turn. */
export interface TurnEnd {
  /** Base and tree of the change. */
  readonly id: string;
  /** True where the client goes on only because a hook kept the agent from ending. */
  readonly isStopActive: boolean;
  /** The agent's last words; empty where the client does not give them. */
  readonly lastMessage: string;
}

/** A proof at the end of a turn. */
export interface TurnProof {
  readonly proof: Proof;
  /** Whether the time ended before the checks did. */
  readonly isCutOff: boolean;
  /** Whether a process of its own can do the rest. */
  readonly canRunOn: boolean;
}

/** The answer of the hook. */
export type StopAnswer =
  | { readonly kind: "none" }
  | { readonly kind: "tell"; readonly line: string }
  | { readonly kind: "block"; readonly reason: string };

/** Times in a row, whatever the files are: an agent that fails so often needs a person (guessed). */
const MOST_IN_ROW = 5;
const MOST_TOLD = 20;
const MOST_FINDINGS = 5;
const FINDING_CHARS = 400;

/** Whether a turn needs a proof: `prove` makes one, `look` takes only one that has been finished meanwhile. */
export function planStop(
  { start, told }: StopMemory,
  { id, isStopActive }: TurnEnd,
): "silent" | "prove" | "look" {
  if (id === start) return "silent";
  const known = told.find((one) => one.id === id);
  if (known === undefined) return "prove";
  return known.isOpen && !isStopActive ? "look" : "silent";
}

/** What is said of a proof, what is remembered of it, and whether the rest has to be done. */
export function decideStop(memory: StopMemory, turn: TurnEnd, made: TurnProof): {
  readonly answer: StopAnswer;
  readonly memory: StopMemory;
  readonly runsOn: boolean;
} {
  const { proof, isCutOff } = made;
  const known = memory.told.find(({ id }) => id === turn.id);
  const row = turn.isStopActive ? memory.inRow : 0;
  const answer = chooseAnswer(made, turn, row, known?.verdict);
  const isBlock = answer.kind === "block";
  const now: ToldChange = { id: turn.id, verdict: proof.verdict, isOpen: isCutOff };
  const told = [...memory.told.filter(({ id }) => id !== turn.id), now].slice(-MOST_TOLD);
  return {
    answer,
    memory: { start: memory.start, told, inRow: row + (isBlock ? 1 : 0) },
    // An agent that is kept from ending changes the files again.
    runsOn: isCutOff && made.canRunOn && !isBlock,
  };
}

function chooseAnswer(
  { proof: { verdict, line, findings }, isCutOff, canRunOn }: TurnProof,
  { lastMessage }: TurnEnd,
  row: number,
  before: VerdictKind | undefined,
): StopAnswer {
  const rest = isCutOff && canRunOn ? "; the rest runs on and is told after the next turn" : "";
  const tell: StopAnswer = { kind: "tell", line: `code-intel prove: ${line}${rest}` };
  const isGivenUp = readGivenUp(lastMessage) !== null;
  if (verdict === "unknown") return isCutOff || isGivenUp ? tell : { kind: "none" };
  if (verdict === "proven") return tell;
  if (verdict === before) return { kind: "none" };
  if (isGivenUp) return tell;
  if (row >= MOST_IN_ROW) return tell;
  return { kind: "block", reason: formatReason(line, findings) };
}

function formatReason(line: string, findings: readonly ProofFinding[]): string {
  const open = findings.filter(({ weight }) => weight !== "notes");
  const more = open.length - MOST_FINDINGS;
  return [
    `code-intel prove: ${line}`,
    ...open.slice(0, MOST_FINDINGS).map(formatFinding),
    ...(more > 0 ? [`- and ${more} more (code-intel prove)`] : []),
    'Settle this, then end. If it cannot be settled here, or a finding is wrong, say "cannot prove because …" and end: that is accepted.',
  ].join("\n");
}

function formatFinding({ place, what, settle }: ProofFinding): string {
  const said = `- ${place === "" ? "" : `${place}: `}${what}`.replace(/[:.\s]+$/, "");
  return `${clipLine(said, FINDING_CHARS)}. ${settle}`;
}
