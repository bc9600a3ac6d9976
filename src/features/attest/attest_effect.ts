/**
 * Says what was verified of the commit that a session just made: keeps the statement with the session, and writes it as
 * a git note where the project wants that. A note that cannot be written stops nothing: it can be written later.
 */
import type { StatementInput } from "./mod.ts";
import { attestCommit, toStatement } from "./mod.ts";
import { CodeIntelError } from "../../base/errors.ts";
import type { VerificationRun } from "../../evidence/mod.ts";
import { readTree } from "../../git/mod.ts";
import type { SessionState, VerifiedTrailer } from "../../phase/mod.ts";
import { toCoverageLine } from "../../phase/mod.ts";
import { findBaseline } from "../../workflow/verify/judge_step.ts";
import type { EffectContext } from "../../workflow/effects/effect_context.ts";

/**
 * Fields of the reply: whether the commit has a note, and why not.
 *
 * @param verified the value of the commit's trailer.
 */
export async function attestMade(
  context: EffectContext,
  commit: string,
  verified: VerifiedTrailer,
): Promise<Readonly<Record<string, unknown>>> {
  const { repo, bench: { deps }, settings: { attest } } = context;
  try {
    const statement = toStatement(await toInput(context, commit, verified));
    await deps.statements.keep(statement);
    if (attest === "off") return {};
    const accepted = attest === "signed" ? "signed" : "any";
    const { kind, isSigned, why } = await attestCommit(repo, statement, accepted);
    return kind === "refused"
      ? { attested: "no", attest_note: toAdvice(why) }
      : { attested: isSigned ? "signed" : "unsigned", ...(toFailed(why)) };
  } catch (failure) {
    if (!(failure instanceof CodeIntelError)) throw failure;
    return { attested: "no", attest_note: toAdvice(failure.message) };
  }
}

/** That git has no key is how most projects are, and no news; that it could not sign with one is. */
function toFailed(why: string): Readonly<Record<string, unknown>> {
  return /^(?:$|git has no signing key)/.test(why) ? {} : { attest_note: toAdvice(why) };
}

function toAdvice(why: string): string {
  return `${why}. Once that is mended, \`code-intel attest\` writes the signed note.`;
}

/** Most commands whose run the commit tells. */
const MOST_RUN_LINES = 5;

/** What the trailers of a commit say of the server's run: a line for each command, and one for the changed lines. */
export function toRunLines(
  { verification }: Pick<SessionState, "verification">,
): readonly string[] {
  const { ran = [], coverage } = verification ?? {};
  const lines = coverage === undefined ? [] : [toCoverageLine(coverage)];
  return [...ran.slice(0, MOST_RUN_LINES), ...lines]
    .map((line) => line.replaceAll(/\s+/g, " ").trim());
}

async function toInput(
  context: EffectContext,
  commit: string,
  verified: VerifiedTrailer,
): Promise<StatementInput> {
  const { repo, state, session, expected: { head }, bench: { deps } } = context;
  const { mergeParent } = state.workspace;
  const run = await findRun(context);
  const [tree, baseline, key, { entries }] = await Promise.all([
    readTree(repo, commit),
    run === null ? undefined : findBaseline(deps, session.id, run.commandsHash),
    deps.verification.readRepositoryKey(),
    deps.verification.trust.list(),
  ]);
  const trust = entries.findLast(({ repository, hash }) =>
    repository === key && hash === run?.commandsHash
  );
  return {
    commit,
    verified,
    ran: toRunLines(state),
    parents: [head, mergeParent].flatMap((parent) => parent ?? []),
    tree,
    state,
    run,
    baseline: baseline ?? toUntouched(run, state),
    trust: trust ?? null,
    home: Deno.env.get("HOME") ?? null,
  };
}

/** What a red run did on the untouched tree, as a run of its own; null where it was not asked. */
function toUntouched(run: VerificationRun | null, state: SessionState): VerificationRun | null {
  const { cleanTree, baselineTree } = state.workspace;
  const tree = cleanTree ?? baselineTree;
  if (run?.untouched === undefined || tree === null) return null;
  const lent = run.place?.kind === "checkout" ? run.place.lent : [];
  const { proof: _proof, mutants: _mutants, untouched, ...shared } = run;
  return {
    ...shared,
    kind: "baseline",
    treeAtStart: tree,
    place: { kind: "checkout", tree, lent },
    results: untouched,
  };
}

/** The run by which the result of step 15 was judged. */
async function findRun({ state, session, bench }: EffectContext): Promise<VerificationRun | null> {
  const ranOn = state.verification?.ranOn ?? null;
  if (ranOn === null) return null;
  const runs = await bench.deps.verification.runner.read(session.id);
  return runs.findLast(({ kind, treeAtStart, wasCancelled, voided }) =>
    kind === "verify" && treeAtStart === ranOn && !wasCancelled && voided === null
  ) ?? null;
}
