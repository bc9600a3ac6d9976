/**
 * What happens to a submission before the engine: the disk is compared with the ledger, and
 * findings are resolved.
 */
import type { ProjectPath } from "../../base/paths.ts";
import type { Question } from "../../base/asker.ts";
import type { Reply } from "../../base/reply.ts";
import type { ObservedHead } from "../../ledger/ledger.ts";
import type { WorktreeSnapshot } from "../../ledger/trees.ts";
import type { ChangeResolution } from "../../phase/payload/payloads.ts";
import type { Stage } from "../../phase/table/phases.ts";
import { parseResolutions } from "../../phase/payload/payloads.ts";
import type { UserAnswer } from "./ask_resolutions.ts";
import { buildOverlapFields, buildResolutionQuestion, checkAnswer } from "./ask_resolutions.ts";
import { resolveChanges } from "./change_resolution.ts";
import { buildStagedFields } from "../look/notices.ts";
import { matchFindings } from "./check_resolutions.ts";
import type { OpenContext, OpenSession, SessionContext } from "../context/sessions.ts";
import type { Inspection } from "../look/inspect.ts";
import { carryToOrigins, inspect, withLedger } from "../look/inspect.ts";
import { buildOkReply, buildRefusedReply } from "../context/replies.ts";

/** What the look at the disk means for the submission. */
export type SettledFindings =
  | {
    readonly kind: "clear";
    readonly session: OpenSession;
    /** What was seen of the files and judged; null without a ledger. */
    readonly looked: WorktreeSnapshot | null;
    /** Where HEAD was at the judgement; null where it was not read. */
    readonly head: ObservedHead | null;
    /** Fields for the reply: what is only warned about. */
    readonly fields: Fields;
  }
  | { readonly kind: "answer"; readonly reply: Reply }
  /** The user has to confirm the resolutions first; nothing was changed. */
  | { readonly kind: "ask"; readonly question: Question }
  /** Resolutions were carried out, so the disk has to be looked at again. */
  | {
    readonly kind: "look_again";
    readonly change: { readonly data: unknown; readonly isAlone: boolean; readonly fields: Fields };
  };

type Fields = Readonly<Record<string, unknown>>;

/** The submission, and who can answer for it. */
export interface SettleInput {
  readonly data: unknown;
  readonly isLeaving: boolean;
  readonly isAlone: boolean;
  /** Fields about what was resolved before. */
  readonly fields: Fields;
  /** The user's answer to the question of an earlier pass; null before it was asked. */
  readonly word: UserAnswer | null;
  /** The look of the payload before this one in the sequence; null for a new one. */
  readonly looked: WorktreeSnapshot | null;
}

/** Inspects the disk, carries out resolutions, and stops the submission where findings remain. */
export async function settleFindings(
  context: OpenContext,
  input: SettleInput,
): Promise<SettledFindings> {
  const { rows, problems } = parseResolutions(input.data);
  if (problems.length > 0) {
    return await refuse(context, { error: "payload_mismatch", problems });
  }
  // What is resolved is looked at as it is now.
  const looked = rows.length > 0 ? null : input.looked;
  const inspection = await inspect(context, { ...context, looked });
  const session = inspection.state === context.session.state
    ? context.session
    : await context.sessions.save(context.session, inspection.state);
  const seen = { ...context, session, inspection };
  return rows.length > 0 ? await resolveRows(seen, { ...input, rows }) : await judge(seen, input);
}

interface Seen extends OpenContext {
  readonly inspection: Inspection;
}

/** Carries out the rows, after the user confirmed those that need their answer. */
async function resolveRows(
  seen: Seen,
  { data, word, rows }: SettleInput & { readonly rows: readonly ChangeResolution[] },
): Promise<SettledFindings> {
  const { session, inspection } = seen;
  const overlapping = await findOverlapping(seen, inspection, rows);
  const ofTools = listFiles(seen, inspection, rows.filter(({ action }) => action === "tool"));
  const question = buildResolutionQuestion(session, inspection, { rows, overlapping, ofTools });
  if (question !== null && word?.key !== question.key) {
    return { kind: "ask", question };
  }
  const refusal = question === null || word === null
    ? null
    : checkAnswer(word, "data.change_resolution");
  if (refusal !== null) {
    return await refuse(seen, { error: refusal.code, problems: [refusal] });
  }
  const resolved = await resolveChanges(seen, {
    ...seen,
    rows,
    word: word?.answer === "confirmed" ? word.source : "relayed",
  });
  const saved = await seen.sessions.save(session, resolved.state);
  if (resolved.problems.length > 0) {
    const { problems } = resolved;
    return await refuse({ ...seen, session: saved }, {
      error: "resolution_refused",
      problems,
    });
  }
  const restored = rows.filter(({ action }) => action === "restore").flatMap(({ path }) =>
    matchFindings(seen, inspection.findings, path).map(({ change }) => change.path)
  );
  const fields = {
    ...(resolved.done.length === 0 ? {} : { resolved: resolved.done }),
    ...(resolved.undo.length === 0 ? {} : {
      bring_back: resolved.undo,
      bring_back_note: "Tell the person: these lines bring back what was there.",
    }),
    ...buildOverlapFields(overlapping),
    ...await buildStagedFields(seen, restored),
  };
  return {
    kind: "look_again",
    change: { ...removeResolutions(data, session.state.stage), fields },
  };
}

/** The files with findings that some rows take, by the agent's paths. */
function listFiles(
  context: SessionContext,
  { findings }: Inspection,
  rows: readonly ChangeResolution[],
): readonly ProjectPath[] {
  const taken = rows.flatMap(({ path }) => matchFindings(context, findings, path));
  return [...new Set(taken.map(({ change }) => context.paths.toProject(change.path)))];
}

/**
 * Files, by the agent's paths, in which rows would book text to the user on lines of the session.
 */
async function findOverlapping(
  context: SessionContext,
  { state, seen, findings }: Inspection,
  rows: readonly ChangeResolution[],
): Promise<readonly ProjectPath[]> {
  const from = state.ledger?.tree ?? null;
  const paths = rows.filter(({ action, path }) => action === "person" && path !== "HEAD")
    .flatMap(({ path }) => matchFindings(context, findings, path))
    .map(({ change }) => change.path);
  if (from === null || seen === null || paths.length === 0) return [];
  const { personOverlaps = [] } = await carryToOrigins(context, state, {
    from,
    to: seen.tree,
    paths,
  });
  return personOverlaps.filter(({ treePath }) => paths.includes(treePath))
    .map(({ treePath }) => context.paths.toProject(treePath));
}

async function judge(
  seen: Seen,
  { isAlone, isLeaving, fields }: SettleInput,
): Promise<SettledFindings> {
  const { session, inspection } = seen;
  const { problems, seen: looked } = inspection;
  const clear = { kind: "clear", looked, head: looked?.head ?? null } as const;
  const isStrict = session.state.ledger?.mode !== "warn";
  if (problems.length > 0 && isStrict && !isLeaving) {
    return await refuse(seen, {
      error: problems[0]?.code ?? "unauthorized_change",
      problems,
      fields: { ...fields, unsettled_total: inspection.total },
    });
  }
  if (problems.length > 0 && !isStrict) {
    const saved = await passWithWarning(seen);
    return {
      ...clear,
      session: saved,
      fields: { warnings: problems.map(({ message }) => message) },
    };
  }
  if (isAlone) {
    return { kind: "answer", reply: await buildOkReply({ ...seen, state: session.state, fields }) };
  }
  return { ...clear, session, fields: {} };
}

/** In the mode `warn` a finding is reported once and then becomes part of the ledger. */
async function passWithWarning({ sessions, session, inspection }: Seen): Promise<OpenSession> {
  const { seen, texts } = inspection;
  if (seen === null) return session;
  const known = session.state.ledger?.texts === undefined ? {} : { texts: texts.now };
  const { tree, head, odd, gitHashes: gitFiles } = seen;
  const change = { tree, head, odd, gitFiles, ...known };
  return await sessions.save(session, withLedger(session.state, change));
}

async function refuse(
  context: OpenContext,
  options: Pick<Parameters<typeof buildRefusedReply>[0], "error" | "problems" | "fields">,
): Promise<SettledFindings> {
  const reply = await buildRefusedReply({ ...context, state: context.session.state, ...options });
  return { kind: "answer", reply };
}

/** Parking and abandoning are possible in spite of findings and of effects that fail. */
export function isLeaving(data: unknown): boolean {
  const sent = (data ?? {}) as Readonly<Record<string, unknown>>;
  return sent.park === true || sent.abandon === true || sent.user_decision === "park" ||
    sent.user_decision === "abandon";
}

/** Fields that are no payload on their own, except in the steps that want only a summary. */
const FRAME_FIELDS: readonly string[] = ["compaction_count", "summary", "tools_used"];
const SUMMARY_IS_PAYLOAD: readonly Stage[] = ["READY_COMPLETE", "MERGE"];

function removeResolutions(
  data: unknown,
  stage: Stage,
): { readonly data: unknown; readonly isAlone: boolean } {
  if (typeof data !== "object" || data === null || Array.isArray(data)) {
    return { data, isAlone: false };
  }
  const rest = Object.fromEntries(
    Object.entries(data).filter(([key]) => key !== "change_resolution"),
  );
  const frame = SUMMARY_IS_PAYLOAD.includes(stage) ? ["compaction_count"] : FRAME_FIELDS;
  const isAlone = Object.keys(rest).every((key) => frame.includes(key));
  return { data: rest, isAlone: isAlone && "change_resolution" in data };
}
