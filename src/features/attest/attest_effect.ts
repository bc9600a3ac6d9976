/**
 * Says what was verified of the commit that a session just made: keeps the statement with the session, and writes it as
 * a git note where the project wants that. A note that cannot be written stops nothing: it can be written later.
 */
import { CodeIntelError } from "../../base/errors.ts";
import type { VerificationRun } from "../../evidence/runs/verification.ts";
import { readTree } from "../../git/repository.ts";
import type { SessionState } from "../../phase/state.ts";
import { formatRunLines } from "../../phase/trailer.ts";
import type { Services } from "../../services/services_api.ts";
import type { MadeCommit } from "../../workflow/context/deps.ts";
import { findBaseline } from "../../workflow/verify/judge_step.ts";
import { attestCommit } from "./attest_commit.ts";
import type { StatementInput } from "./statement.ts";
import { buildStatement } from "./statement.ts";
import { createStatementStore } from "./statement_file.ts";

/** Fields of the reply: whether the commit has a note, and why not. */
export async function attestMade(
  services: Services,
  made: MadeCommit,
): Promise<Readonly<Record<string, unknown>>> {
  const { parts } = services;
  try {
    const statement = buildStatement(await gatherInput(services, made));
    await createStatementStore(parts).keep(statement);
    const { attest } = (await parts.settings.read()).config.values;
    if (attest === "off") return {};
    const accepted = attest === "signed" ? "signed" : "any";
    const { kind, isSigned, why } = await attestCommit(made.repo, statement, accepted);
    return kind === "refused"
      ? { attested: "no", attest_note: formatAdvice(why) }
      : { attested: isSigned ? "signed" : "unsigned", ...(describeFailure(why)) };
  } catch (failure) {
    if (!(failure instanceof CodeIntelError)) throw failure;
    return { attested: "no", attest_note: formatAdvice(failure.message) };
  }
}

/** That git has no key is how most projects are, and no news; that it could not sign with one is. */
function describeFailure(why: string): Readonly<Record<string, unknown>> {
  return /^(?:$|git has no signing key)/.test(why) ? {} : { attest_note: formatAdvice(why) };
}

function formatAdvice(why: string): string {
  return `${why}. Once that is mended, \`code-intel attest\` writes the signed note.`;
}

async function gatherInput(
  { verification, sessions: store }: Services,
  { repo, commit, parents, verified, state }: MadeCommit,
): Promise<StatementInput> {
  const { sessionId } = state;
  const run = await findRun(verification, state);
  const [tree, baseline, key, { entries }] = await Promise.all([
    readTree(repo, commit),
    run === null ? undefined : findBaseline({ verification, store }, sessionId, run.commandsHash),
    verification.readRepositoryKey(),
    verification.trust.list(),
  ]);
  const trust = entries.findLast(({ repository, hash }) =>
    repository === key && hash === run?.commandsHash
  );
  return {
    commit,
    verified,
    ran: formatRunLines(state),
    parents,
    tree,
    state,
    run,
    baseline: baseline ?? findUntouched(run, state),
    trust: trust ?? null,
    home: Deno.env.get("HOME") ?? null,
  };
}

/** What a red run did on the untouched tree, as a run of its own; null where it was not asked. */
function findUntouched(run: VerificationRun | null, state: SessionState): VerificationRun | null {
  const { cleanTree, baselineTree } = state.workspace;
  const tree = cleanTree ?? baselineTree;
  if (run?.untouched === undefined || run.isNearest === true || tree === null) return null;
  const lent = run.place?.kind === "checkout" ? run.place.lent : [];
  const { tests: _t, forms: _f, mutants: _m, said: _s, untouched, ...shared } = run;
  return {
    ...shared,
    kind: "baseline",
    treeAtStart: tree,
    place: { kind: "checkout", tree, lent },
    results: untouched,
  };
}

/** The run by which the result of step 15 was judged. */
async function findRun(
  { runner }: Services["verification"],
  { sessionId, verification }: SessionState,
): Promise<VerificationRun | null> {
  const ranOn = verification?.ranOn ?? null;
  if (ranOn === null) return null;
  const runs = await runner.read(sessionId);
  return runs.findLast(({ kind, treeAtStart, wasCancelled, voided }) =>
    kind === "verify" && treeAtStart === ranOn && !wasCancelled && voided === null
  ) ?? null;
}
