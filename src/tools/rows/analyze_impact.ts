/** The tool `analyze_impact`. */
import { STEP_FIRST } from "../../base/steps.ts";
import * as z from "zod";
import { LIMITS } from "../../base/settings/limits.ts";
import { buildRefusal } from "../../base/reply.ts";
import type { ImpactFound } from "../../impact/analyze.ts";
import { PHASES } from "../../phase/table/phases.ts";
import type { Services } from "../../services/services_api.ts";
import {
  lineField,
  listPageFields,
  pathField,
  toUsualBytes,
  withOtherNotices,
} from "../explore_fields.ts";
import { buildImpactReply, groupByRepository } from "../impact_reply.ts";
import type { ToolOutcome, ToolRow } from "../tool.ts";
import { NO_OTHERS } from "../../services/other_repositories.ts";

const MAX_TARGETS = 200;
const MAX_SYMBOLS = 50;
/** Most files of one page; mostly the budget of bytes ends a page before. */
const PAGE_FILES = 400;

function buildSchema() {
  const { offset, max_bytes } = listPageFields();
  return z.strictObject({
    "target_files": z.array(pathField()).max(MAX_TARGETS).default([])
      .describe("Files to change"),
    symbols: z.array(lineField(300)).max(MAX_SYMBOLS).default([])
      .describe("Such as A.b"),
    diff: z.boolean().default(false).describe("The working diff"),
    "change_description": z.string().max(LIMITS.textFieldChars.value).optional()
      .describe("Finds documents"),
    depth: z.int().min(1).max(3).default(2).describe("1-3"),
    offset,
    max_bytes,
  }).refine(
    ({ target_files, symbols, diff }) => target_files.length + symbols.length > 0 || diff,
    {
      message: "Give target files, symbols or the working diff",
      params: { code: "missing_field" },
      path: ["target_files"],
      when: ({ value }) => {
        // An input with other faults gets those reported first.
        const sent = value as Readonly<Record<string, unknown>> | null;
        return typeof sent === "object" && Array.isArray(sent?.["target_files"]) &&
          Array.isArray(sent["symbols"]);
      },
    },
  );
}

type Input = z.output<ReturnType<typeof buildSchema>>;

/** What a change can break. */
export const analyzeImpactTool: ToolRow<Input> = {
  name: "analyze_impact",
  title: "Analyze impact",
  description:
    `What a change of files, symbols or the working diff can break: must_verify, should_verify, affected_tests. ${STEP_FIRST.IMPACT_ANALYSIS} wants a decision for each must_verify.`,
  needs: "impact",
  hints: { readOnly: true, destructive: false, idempotent: true },
  buildSchema,
  command: {
    name: "impact",
    summary: "Show what a change can break, and the tests to run",
    usage: "[FILE...]",
    parameters: ["target_files"],
    example: "code-intel impact --diff",
  },
  hub: {
    asks: "changing",
    description:
      "What a change of files or symbols can break: must_verify, should_verify, affected_tests; other_repositories: who uses them elsewhere, by name.",
  },
  example: { "target_files": ["src/auth.ts"] },
  async run(input, context) {
    const { services, signal } = context;
    const own = await services.impact.analyze({
      targetFiles: input.target_files,
      symbols: input.symbols,
      isDiff: input.diff,
      changeDescription: input.change_description ?? "",
      depth: input.depth,
    }, { signal });
    if (own.kind === "refused") return { reply: buildRefusal(own.problems) };
    // What others use is reported; the decisions of step 11 are about this repository alone.
    const other = input.offset === 0
      ? await (await services.openOthers()).findUsers(own.seeds, { signal })
      : NO_OTHERS;
    const found = withOtherNotices(own, other);
    const { fields, isEnforced } = await readSession(services);
    const { reply, shown } = buildImpactReply(found, {
      maxBytes: toUsualBytes(context, input, LIMITS.answerBytes.value),
      arguments: listArguments(input),
      offset: input.offset,
      maxResults: PAGE_FILES,
      depth: input.depth,
      other,
      session: fields,
      isEnforced,
    });
    return { ...buildOutcome(found, shown), reply };
  },
};

/** The session's fields of the answer; empty outside a session. */
async function readSession(
  { sessions }: Services,
): Promise<{ readonly fields: Readonly<Record<string, unknown>>; readonly isEnforced: boolean }> {
  const active = await sessions.findActive();
  if (active?.kind !== "loaded") return { fields: {}, isEnforced: false };
  const { sessionId, stage } = active.checkpoint.state;
  return {
    fields: {
      session_id: sessionId,
      current_phase: PHASES[stage].phase,
    },
    isEnforced: stage === "IMPACT_ANALYSIS",
  };
}

function buildOutcome(
  found: ImpactFound,
  shown: ReturnType<typeof buildImpactReply>["shown"],
): Omit<ToolOutcome, "reply"> {
  const limit = LIMITS.listItems.value;
  const take = (isMust: boolean) =>
    found.files.filter((file) => file.isMust === isMust && file.group === undefined)
      .map(({ path }) => path).slice(0, limit);
  const groups = groupByRepository(found.files).map(({ name, files }) => ({
    name,
    files: files.slice(0, limit),
  }));
  return {
    shownFiles: shown.map(({ path }) => path),
    shownSymbols: [...new Set(shown.flatMap(({ symbols }) => symbols))],
    refers: Object.fromEntries(shown.map(({ path, symbols }) => [path, symbols])),
    impact: {
      targets: found.targets.map(({ path }) => path),
      mustVerify: take(true),
      shouldVerify: take(false),
      ...(groups.length === 0 ? {} : { groups }),
    },
  };
}

function listArguments(input: Input): Readonly<Record<string, unknown>> {
  const { target_files, symbols, diff, change_description, depth, max_bytes } = input;
  return {
    ...(target_files.length === 0 ? {} : { target_files }),
    ...(symbols.length === 0 ? {} : { symbols }),
    ...(diff ? { diff } : {}),
    ...(change_description === undefined ? {} : { change_description }),
    ...(depth === 2 ? {} : { depth }),
    ...(max_bytes === undefined ? {} : { max_bytes }),
  };
}
