/**
 * The tool `query`: makes search questions from a question in any words, asks them, and merges what
 * they find.
 */
import * as z from "zod";
import type { Problem } from "../../base/problem.ts";
import { buildRefusal, refuse } from "../../base/reply.ts";
import type { PlanFound, PlanResult } from "../../question/plan_merge.ts";
import { clipAtName, runPlan } from "../../question/plan_merge.ts";
import type { Route } from "../../question/router.ts";
import { readTerms } from "../../question/terms.ts";
import type { Found } from "../../explore/explorer.ts";
import { toWire } from "../budget.ts";
import {
  buildOutcome,
  isForAll,
  lineField,
  listPageFields,
  textField,
  toOtherFields,
  withOtherNotices,
} from "../explore_fields.ts";
import type { PastInput } from "../past_reply.ts";
import { answerPast } from "../past_reply.ts";
import { joinLines, routeInSession } from "../session_route.ts";
import { addRunBy } from "../run_fields.ts";
import type { ToolContext, ToolRow } from "../tool.ts";
import { toPlaceLine, toRunText } from "../tool.ts";
import { NO_OTHERS } from "../../services/other_repositories.ts";

/** What helped an agent stood among the first; a page of the rest is a call away. */
const SHOWN_BY_DEFAULT = 8;
/** Signs of a place's text where the answer has no room for more. */
const SHRUNK_CHARS = 80;

function buildSchema() {
  const { path, offset, max_bytes } = listPageFields();
  return z.strictObject({
    question: textField("Any words; names and paths help"),
    intent: z.enum(["IMPLEMENT", "MODIFY", "INVESTIGATE", "QUESTION"]).optional()
      .describe("Default: the session's"),
    path,
    symbol: lineField(300).optional().describe("A name"),
    "file_path": lineField(4096).optional().describe("A file"),
    past: z.boolean().optional()
      .describe("From git: who changed file_path (a.ts:3-9), symbol or path, why; hot spots"),
    "show_plan": z.boolean().default(false).describe("Also what was asked"),
    "max_results": z.int().min(1).max(200).default(SHOWN_BY_DEFAULT).describe("Most results"),
    offset,
    max_bytes,
  });
}

type Input = z.output<ReturnType<typeof buildSchema>>;

interface PlanAnswer extends Found {
  readonly results: readonly PlanResult[];
}

/** A question in any words. */
export const queryTool: ToolRow<Input> = {
  name: "query",
  title: "Ask in any words",
  description:
    "Answers a question about the code in any words, best places first; begin here without a name. Uses the session's open slots too.",
  needs: "query",
  hints: { readOnly: true, destructive: false, idempotent: true },
  buildSchema,
  command: {
    name: "query",
    summary: "Ask about the code in any words",
    usage: "QUESTION",
    parameters: ["question"],
    example: `code-intel query "where is the login checked?"`,
  },
  print: {
    list: "results",
    toLine: (entry, paint) =>
      toPlaceLine(
        entry["line"] === 0 ? { path: entry["path"] } : entry,
        paint,
        `[${entry["role"]}] ${entry["text"]}${toRunText(entry)}`,
      ),
  },
  isFirst: true,
  example: { question: "Where is a login checked before the session starts?" },
  async run(input, context) {
    if (input.past === true) return await answerPast(buildPastInput(input), context);
    const wrong = await checkPaths(input, context);
    if (wrong.length > 0) return { reply: buildRefusal(wrong) };
    const { route, sessionTarget } = await routeInSession(context.services.sessions, {
      question: input.question,
      ...(input.intent === undefined ? {} : { intent: input.intent }),
      ...(input.symbol === undefined ? {} : { symbol: input.symbol }),
      ...(input.file_path === undefined ? {} : { filePath: input.file_path }),
    });
    if (route.plan.length === 0) {
      const hint = "Name what the question is about: a symbol, a file, or words of the code.";
      return {
        reply: refuse("nothing_to_look_for", "The question names nothing to look for", {
          at: "question",
          hint,
        }),
      };
    }
    const found = await runPlan(context.services.explorer, route.plan, {
      signal: context.signal,
      words: route.terms.words,
      symbols: route.terms.symbols,
      ranking: {
        meaning: context.services.meaning,
        question: joinLines(input.question),
        quoted: route.terms.quoted,
        ...(sessionTarget === undefined ? {} : { sessionTarget }),
      },
      ...(input.path === undefined ? {} : { path: input.path }),
    });
    const past = input.offset === 0 ? await context.services.past.recall(input.question) : {};
    const { services, signal } = context;
    const other = isForAll(input)
      ? await (await services.openOthers()).search(joinLines(input.question), { signal })
      : NO_OTHERS;
    const shown = found.results.slice(input.offset, input.offset + input.max_results);
    const page = await addRunBy(services, shown, { toNamed: findDefined });
    const answer = withOtherNotices<PlanAnswer>({
      kind: "found",
      results: page,
      total: found.results.length,
      source: found.source,
      freshness: found.freshness,
      shownFiles: [],
      shownSymbols: [],
      ...(found.notices.length === 0 ? {} : { notices: found.notices }),
    }, other);
    const outcome = buildOutcome<PlanAnswer, PlanResult>(answer, context, {
      tool: "query",
      input,
      listKey: "results",
      items: ({ results }) => results,
      ...(input.show_plan ? {} : { write: plainResult }),
      fields: () => ({
        ...buildPlanFields(route, { input, outcomes: found.outcomes }),
        ...past,
        ...toOtherFields(other),
      }),
      shrink: (result) => shrinkResult(result, route),
      files: ({ line, path }) => line > 0 ? path : undefined,
      symbols: ({ symbol, path }) => symbol ?? path,
      defines: ({ role, symbol }) => role === "definition" ? lastPart(symbol) : undefined,
      refers: ({ role, symbol }) => role === "reference" ? lastPart(symbol) : undefined,
    });
    return { ...outcome, ran: found.answered };
  },
};

/** What the past is asked about: the arguments, else what the question names itself. */
function buildPastInput(input: Input): PastInput {
  const { question, symbol, file_path: file, path, max_results: maxResults, offset } = input;
  const { symbols, paths } = readTerms(question);
  const isNamed = symbol === undefined && file === undefined && path === undefined;
  const asked = isNamed ? { file: paths[0], symbol: symbols[0], path } : { file, symbol, path };
  const { max_bytes: maxBytes } = input;
  return {
    maxResults,
    offset,
    arguments: {
      question,
      past: true,
      ...(path === undefined ? {} : { path }),
      ...(maxResults === SHOWN_BY_DEFAULT ? {} : { max_results: maxResults }),
      ...(maxBytes === undefined ? {} : { max_bytes: maxBytes }),
    },
    ...(asked.file === undefined ? {} : { file: asked.file }),
    ...(asked.symbol === undefined ? {} : { symbol: asked.symbol }),
    ...(asked.path === undefined ? {} : { path: asked.path }),
  };
}

/**
 * Refuses paths of the arguments that do not exist. Paths in the question's text are not checked,
 * because they may be anything.
 */
async function checkPaths(
  input: Input,
  { services, signal }: ToolContext,
): Promise<readonly Problem[]> {
  const problems: Problem[] = [];
  for (const at of ["path", "file_path"] as const) {
    const path = input[at];
    if (path === undefined) continue;
    for (const problem of await services.explorer.checkPath(path, { signal })) {
      problems.push({ ...problem, at });
    }
  }
  return problems;
}

function buildPlanFields(
  { plan, missingSlots, risk }: Route,
  { input, outcomes }: {
    readonly input: Input;
    readonly outcomes: PlanFound["outcomes"];
  },
) {
  if (!input.show_plan) return {};
  return {
    riskLevel: risk,
    missingSlots,
    plan: plan.flatMap(({ purpose, priority }, at) =>
      (outcomes[at] ?? []).map(({ tool, params, total }) => ({
        tool,
        purpose,
        priority,
        params,
        found: total,
      }))
    ),
  };
}

function shrinkResult(result: PlanResult, { terms }: Route): PlanResult {
  return { ...result, text: clipAtName(result.text, terms.symbols, SHRUNK_CHARS) };
}

/** What a place defines or lies in. */
function findDefined({ role, path, symbol: name }: PlanResult) {
  return role === "reference" || name === undefined ? undefined : { path, name };
}

/** What found a place, and the figure of its order, belong to the plan. */
function plainResult({ tools: _tools, score: _score, ...result }: PlanResult): unknown {
  return toWire(result);
}

function lastPart(symbol: string | undefined): string | undefined {
  return symbol?.split(".").at(-1);
}
