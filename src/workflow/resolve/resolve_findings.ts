/**
 * What happens to a submission before the engine: the disk is compared with the ledger, and
 * findings are resolved.
 */
import type { ProjectPath } from "../../base/paths.ts";
import type { Question } from "../../base/asker.ts";
import type { Reply } from "../../base/reply.ts";
import type { ObservedHead } from "../../ledger/ledger.ts";
import type { Looked } from "../../ledger/trees.ts";
import type { ChangeResolution } from "../../phase/payload/payloads.ts";
import type { Stage } from "../../phase/table/phases.ts";
import { parseResolutions } from "../../phase/payload/payloads.ts";
import type { PersonWord } from "./ask_resolutions.ts";
import { checkWord, toOverlapFields, toResolutionQuestion } from "./ask_resolutions.ts";
import { resolveChanges } from "./change_resolution.ts";
import { toStagedFields } from "../look/staged_fields.ts";
import { matchFindings } from "./check_resolutions.ts";
import type { Bench, Desk, OpenSession } from "../context/desk.ts";
import type { SessionSettings } from "../context/deps.ts";
import type { Inspection } from "../look/inspect.ts";
import { carryToOrigins, inspect, withLedger } from "../look/inspect.ts";
import { toOkReply, toRefusedReply } from "../context/replies.ts";

/** Either the submission may go on, or a reply stops it. */
export type ResolvedFindings =
  | {
    readonly kind: "clear";
    readonly session: OpenSession;
    /** The payload without its resolutions. */
    readonly data: unknown;
    /** What was seen of the files and judged; null without a ledger. */
    readonly looked: Looked | null;
    /** Where HEAD was at the judgement; null where it was not read. */
    readonly head: ObservedHead | null;
    /** Fields for the reply: what was resolved, and what is only warned about. */
    readonly fields: Readonly<Record<string, unknown>>;
  }
  | { readonly kind: "reply"; readonly reply: Reply }
  /** The person has to confirm the resolutions first; nothing was changed. */
  | { readonly kind: "ask"; readonly question: Question };

/** The submission, and who can answer for it. */
export interface ResolveFindingsInput {
  readonly session: OpenSession;
  readonly settings: SessionSettings;
  readonly data: unknown;
  /** The person's answer to the question of an earlier pass; null before it was asked. */
  readonly word: PersonWord | null;
  /** The look of the payload before this one in a row; null for a new one. */
  readonly looked: Looked | null;
}

/** Inspects the disk, carries out resolutions, and stops the submission where findings remain. */
export async function resolveFindings(
  desk: Desk,
  bench: Bench,
  input: ResolveFindingsInput,
): Promise<ResolvedFindings> {
  const { settings } = input;
  const sent = parseResolutions(input.data);
  const { data, isAlone } = toRest(input.data, input.session.state.stage);
  if (sent.problems.length > 0) {
    return await refuse(bench, input.session, {
      error: "payload_mismatch",
      problems: sent.problems,
    });
  }
  // What is resolved is looked at as it is now.
  const looked = sent.rows.length > 0 ? null : input.looked;
  let inspection = await inspect(desk, bench, { ...input, looked });
  let session = await keep(desk, input.session, inspection);
  let fields: Readonly<Record<string, unknown>> = {};
  if (sent.rows.length > 0) {
    const { rows } = sent;
    const overlapping = await findOverlapping(bench, inspection, rows);
    const ofTools = listFiles(bench, inspection, rows.filter(({ action }) => action === "tool"));
    const question = toResolutionQuestion(session, inspection, { rows, overlapping, ofTools });
    if (question !== null && input.word?.key !== question.key) return { kind: "ask", question };
    const refusal = question === null || input.word === null
      ? null
      : checkWord(input.word, "data.change_resolution");
    if (refusal !== null) {
      return await refuse(bench, session, { error: refusal.code, problems: [refusal] });
    }
    const resolved = await resolveChanges(desk, bench, {
      session,
      settings,
      inspection,
      rows,
      word: input.word?.answer === "confirmed" ? input.word.source : "relayed",
    });
    fields = {
      ...(resolved.done.length === 0 ? {} : { resolved: resolved.done }),
      ...(resolved.undo.length === 0 ? {} : {
        bring_back: resolved.undo,
        bring_back_note: "Tell the person: these lines bring back what was there.",
      }),
      ...toOverlapFields(overlapping),
      ...await toStagedFields(
        bench,
        rows.filter(({ action }) => action === "restore").flatMap(({ path }) =>
          matchFindings(bench, inspection.findings, path).map(({ change }) => change.path)
        ),
      ),
    };
    session = await desk.save(session, resolved.state);
    if (resolved.problems.length > 0) {
      const { problems } = resolved;
      return await refuse(bench, session, { error: "resolution_refused", problems });
    }
    inspection = await inspect(desk, bench, { session, settings });
    session = await keep(desk, session, inspection);
  }
  return await judge(desk, bench, { session, inspection, data, isAlone, fields });
}

/** The files with findings that some rows take, by the agent's paths. */
function listFiles(
  bench: Bench,
  { findings }: Inspection,
  rows: readonly ChangeResolution[],
): readonly ProjectPath[] {
  const taken = rows.flatMap(({ path }) => matchFindings(bench, findings, path));
  return [...new Set(taken.map(({ change }) => bench.paths.toProject(change.path)))];
}

/**
 * Files, by the agent's paths, in which rows would book text to the person on lines of the session.
 */
async function findOverlapping(
  bench: Bench,
  { state, seen, findings }: Inspection,
  rows: readonly ChangeResolution[],
): Promise<readonly ProjectPath[]> {
  const from = state.ledger?.tree ?? null;
  const paths = rows.filter(({ action, path }) => action === "person" && path !== "HEAD")
    .flatMap(({ path }) => matchFindings(bench, findings, path))
    .map(({ change }) => change.path);
  if (from === null || seen === null || paths.length === 0) return [];
  const { personOverlaps = [] } = await carryToOrigins(bench, state, {
    from,
    to: seen.tree,
    paths,
  });
  return personOverlaps.filter(({ treePath }) => paths.includes(treePath))
    .map(({ treePath }) => bench.paths.toProject(treePath));
}

async function judge(
  desk: Desk,
  bench: Bench,
  input: {
    readonly session: OpenSession;
    readonly inspection: Inspection;
    readonly data: unknown;
    readonly isAlone: boolean;
    readonly fields: Readonly<Record<string, unknown>>;
  },
): Promise<ResolvedFindings> {
  const { session, inspection, data, fields } = input;
  const { problems } = inspection;
  const looked = inspection.seen;
  const head = looked?.head ?? null;
  const isStrict = session.state.ledger?.mode !== "warn";
  if (problems.length > 0 && isStrict && !isLeaving(data)) {
    return await refuse(bench, session, {
      error: problems[0]?.code ?? "unauthorized_change",
      problems,
      fields: { ...fields, unsettled_total: inspection.total },
    });
  }
  if (problems.length > 0 && !isStrict) {
    const saved = await passWithWarning(desk, session, inspection);
    const warnings = problems.map(({ message }) => message);
    return { kind: "clear", session: saved, data, looked, head, fields: { ...fields, warnings } };
  }
  if (input.isAlone) {
    const parts = { deps: desk.deps, contract: bench.contract, state: session.state, fields };
    return { kind: "reply", reply: await toOkReply(parts) };
  }
  return { kind: "clear", session, data, looked, head, fields };
}

/** In the mode `warn` a finding is told once and then becomes part of the ledger. */
async function passWithWarning(
  desk: Desk,
  session: OpenSession,
  inspection: Inspection,
): Promise<OpenSession> {
  const { seen, texts } = inspection;
  if (seen === null) return session;
  const known = session.state.ledger?.texts === undefined ? {} : { texts: texts.now };
  const { tree, head, odd, gitHashes: gitFiles } = seen;
  const change = { tree, head, odd, gitFiles, ...known };
  return await desk.save(session, withLedger(session.state, change));
}

async function keep(
  desk: Desk,
  session: OpenSession,
  inspection: Inspection,
): Promise<OpenSession> {
  return inspection.state === session.state ? session : await desk.save(session, inspection.state);
}

async function refuse(
  bench: Bench,
  session: OpenSession,
  options: {
    readonly error: string;
    readonly problems: Inspection["problems"];
    readonly fields?: Readonly<Record<string, unknown>>;
  },
): Promise<ResolvedFindings> {
  const reply = await toRefusedReply({
    deps: bench.deps,
    contract: bench.contract,
    state: session.state,
    ...options,
  });
  return { kind: "reply", reply };
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

function toRest(
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
