/** Books what effects did to the ledger; every other change is judged at the next look. */
import type { TreePath } from "../../base/paths.ts";
import { readHead } from "../../git/repository.ts";
import { adoptPaths } from "../../git/trees/carry_changes.ts";
import { diffTrees } from "../../git/trees/changes.ts";
import { updateHashes } from "../../ledger/trees.ts";
import type { Decision } from "../../phase/decide.ts";
import type { EffectResult, LedgerState, SessionState } from "../../phase/state.ts";
import { EFFECTS } from "../../phase/table/effects.ts";
import type { OpenContext } from "../context/sessions.ts";
import { writePresentTree } from "../context/present_tree.ts";
import { withLedger } from "../look/inspect.ts";

/** What is attributed. */
export interface BookEffectsInput {
  readonly decision: Decision;
  readonly results: readonly EffectResult[];
  /** The working tree where it is known to be as before the effects; null where it has to be read. */
  readonly known: string | null;
}

/** The decision with the booking, and the working tree that was read for it. */
export interface BookedEffects {
  readonly decision: Decision;
  /** The working tree after the effects; null where it was not read. */
  readonly seen: string | null;
}

/** Makes the decision whose ledger has exactly the changes that the effects made. */
export async function bookEffects(
  context: OpenContext,
  input: BookEffectsInput,
): Promise<BookedEffects> {
  const { decision } = input;
  const isBooked = decision.kind !== "perform" && input.results.length > 0 &&
    context.session.state.ledger !== undefined;
  if (!isBooked) return { decision, seen: null };
  const seen = input.known ?? await writePresentTree(context);
  const state = await bookState(context, { ...input, now: seen }, decision.state);
  return { decision: state === decision.state ? decision : { ...decision, state }, seen };
}

async function bookState(
  context: OpenContext,
  input: BookEffectsInput & { readonly now: string | null },
  state: SessionState,
): Promise<SessionState> {
  const { repo } = context;
  const { ledger } = state;
  const from = ledger?.tree ?? null;
  const { now } = input;
  if (ledger === undefined || from === null || now === null) return state;
  const found = await readHead(repo);
  const head = { branch: found.kind === "branch" ? found.branch : null, commit: found.commit };
  const isMoved = isOwnMove(input, ledger, head);
  const before = context.session.state.pending?.expected.head;
  const brought = !isMoved || before === undefined || head.commit === null
    ? []
    : (await diffTrees(repo, before, head.commit, { withoutRenames: true }))
      .map(({ path }) => path);
  const written = input.results.flatMap((result) => result.written ?? []);
  const paths = [...brought, ...written];
  const tree = await adoptPaths(repo, { onto: from, from: now, paths });
  return withLedger(state, {
    tree,
    ...(isMoved ? { head } : {}),
    ...readTaskTip(context, input, ledger),
    ...await hashBroughtTexts(context, input, ledger, paths),
  });
}

type LedgerHead = NonNullable<LedgerState["head"]>;

/**
 * Whether HEAD is where the effects left it, or, where none of them moved it, where it was before.
 */
function isOwnMove(input: BookEffectsInput, ledger: LedgerState, head: LedgerHead): boolean {
  const isElsewhere = ledger.head === null || ledger.head.branch !== head.branch;
  return input.results.some(({ kind }) => {
    const move = EFFECTS[kind].head;
    return move === "moves" || (move === "may_move" && isElsewhere);
  });
}

/**
 * A parked session remembers the tip of its branch, so that a commit made meanwhile is found at the
 * resume.
 */
function readTaskTip(
  { session }: OpenContext,
  input: BookEffectsInput,
  ledger: LedgerState,
): Partial<LedgerState> {
  const { taskBranch } = session.state.workspace;
  const isLeft = input.results.some(({ kind }) => EFFECTS[kind].isLeaving);
  const wasOnTask = taskBranch !== null && ledger.head?.branch === taskBranch;
  return isLeft && wasOnTask ? { taskTip: ledger.head?.commit ?? null } : {};
}

/** Protected texts that a merge or a restore brought hold from now on; other effects bring none. */
async function hashBroughtTexts(
  context: OpenContext,
  input: BookEffectsInput,
  ledger: LedgerState,
  paths: readonly TreePath[],
): Promise<Partial<LedgerState>> {
  const bringsFiles = input.results.some(({ kind }) => EFFECTS[kind].bringsFiles);
  if (ledger.texts === undefined || !bringsFiles) return {};
  const now = await context.deps.hashProtectedTexts(context.session.state.fixedVerify);
  return {
    texts: updateHashes(ledger.texts, now, paths.map((path) => context.paths.toProject(path))),
  };
}
