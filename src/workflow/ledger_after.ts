/** What the ledger says once effects are done: their own work is booked, everything else is judged later. */
import { adoptPaths, diffTrees, readHead } from "../git/mod.ts";
import type { Decision, EffectResult, SessionState } from "../phase/mod.ts";
import type { WorkflowSettings } from "./deps.ts";
import type { Bench, OpenSession } from "./desk.ts";
import { toTree } from "./gather.ts";
import { withLedger } from "./inspect.ts";

/** What is booked. */
export interface BookEffectsInput {
  readonly session: OpenSession;
  readonly settings: WorkflowSettings;
  readonly decision: Decision;
  readonly results: readonly EffectResult[];
}

/** The decision with the ledger moved on by exactly what the effects did. */
export async function bookEffects(bench: Bench, input: BookEffectsInput): Promise<Decision> {
  const { decision, session } = input;
  if (decision.kind === "perform" || input.results.length === 0) return decision;
  const state = await bookState(bench, input, decision.state);
  return state === decision.state || session.state.ledger === undefined
    ? decision
    : { ...decision, state };
}

async function bookState(
  bench: Bench,
  input: BookEffectsInput,
  state: SessionState,
): Promise<SessionState> {
  const { repo } = bench;
  const from = state.ledger?.tree ?? null;
  const now = await toTree({ ...input, bench });
  if (repo === null || from === null || now === null) return state;
  const head = await readHead(repo);
  const before = input.session.state.pending?.expected.head;
  const moved = before === undefined || head.commit === null || before === head.commit
    ? []
    : (await diffTrees(repo, before, head.commit, { withoutRenames: true }))
      .map(({ path }) => path);
  // Git hooks run inside the commit: what they left is theirs, and a review lists it.
  const hooked = input.results.some(({ kind }) => kind === "commit")
    ? (await diffTrees(repo, from, now, { withoutRenames: true })).map(({ path }) => path)
    : [];
  const written = input.results.flatMap((result) => result.written ?? []);
  const paths = [...moved, ...hooked, ...written];
  const tree = await adoptPaths(repo, { onto: from, from: now, paths });
  const branch = head.kind === "branch" ? head.branch : null;
  return withLedger(state, { tree, head: { branch, commit: head.commit } });
}
