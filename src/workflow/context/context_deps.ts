/** Gives the workflow what the project says about itself: settings, rules, documents. */
import { CodeIntelError } from "../../base/errors.ts";
import type { Problem } from "../../base/problem.ts";
import { parseRepoPath } from "../../base/repo_path.ts";
import type { ContextSettings } from "../../base/settings/config_keys.ts";
import type { DocumentSummary } from "../../context/doc_research.ts";
import type { Settings, SettingsReader } from "../../context/settings.ts";
import type { ContextUpdate } from "../../context/update_context.ts";
import { findDocuments, readDocumentSummaries } from "../../context/doc_research.ts";
import { readProjectRules } from "../../context/project_rules.ts";
import { listUnmet } from "../../context/settings.ts";
import { updateContext } from "../../context/update_context.ts";
import type { GuidingText } from "../../evidence/runs/trust.ts";
import type { Stage } from "../../phase/table/phases.ts";
import { DEFAULT_VALVE_LIMITS } from "../../phase/valves.ts";
import type { SummariesContext, WorkflowDeps, WorkflowSettings } from "./deps.ts";
import type { TextDeps } from "./guiding_texts.ts";
import { allowTexts, keepAllowed } from "./guiding_texts.ts";

/**
 * What the workflow reads from the project's configuration and documents, always from the present
 * files.
 */
export function createContextDeps(
  place: { readonly projectRoot: string; readonly codeIntelDir: string },
  settings: SettingsReader,
  texts: TextDeps,
): Pick<
  WorkflowDeps,
  | "loadSettings"
  | "loadRules"
  | "loadSummaries"
  | "saveContext"
  | "listDocuments"
  | "listContextTexts"
  | "listUnmetSettings"
> {
  return {
    loadSettings: async () => readWorkflowSettings(await settings.read()),
    listContextTexts: async () => {
      const { context } = await settings.read();
      const { current } = await readDocumentSummaries(place.projectRoot, context.values);
      return [...listRulesTexts(context.values.project_rules), ...listSummaryTexts(current)];
    },
    loadRules: async () => {
      const { context } = await settings.read();
      const rules = await readProjectRules(place.projectRoot, context.values.project_rules);
      const told = listRulesTexts(context.values.project_rules);
      const allowed = await keepAllowed(texts, told);
      const say = (name: string) => allowed.find((row) => row.name === name)?.text ?? null;
      return {
        ...rules,
        summary: say(SUMMARY),
        notes: say(NOTES),
        leftOut: told.length - allowed.length,
      };
    },
    loadSummaries: async () => {
      const { context } = await settings.read();
      const found = await readDocumentSummaries(place.projectRoot, context.values);
      return { ...found, ...await keepAllowedSummaries(texts, found.current) };
    },
    saveContext: async (update) => {
      const result = await updateContext(place, update);
      if (result.kind === "updated") {
        // Where nothing can be remembered, the texts wait for a person's word like those of a clone.
        await allowTexts(texts, listWrittenTexts(place.projectRoot, update), "update_context")
          .catch(() => {});
        return { path: result.path, updated: result.updated };
      }
      const { message, hint = "" } = result.problem;
      throw new CodeIntelError("config_invalid", String(message), { hint });
    },
    listDocuments: async () => {
      const { context } = await settings.read();
      return await findDocuments(place.projectRoot, context.values);
    },
    listUnmetSettings: async () => {
      const { context } = await settings.read();
      const problems = await listUnmet(place, context.values);
      return problems.map(({ at, message }) => `${at ?? "context.yml"}: ${message}`);
    },
  };
}

const SUMMARY = "project_rules.summary";
const NOTES = "project_rules.extra_notes";
const toDocumentKey = (path: string) => `doc_research.summaries: ${path}`;
const toDocumentNotesKey = (path: string) => `doc_research.summaries: ${path}, extra_notes`;

/** The keys of `context.yml` with a text, as texts that guide agents. */
function listGuidingTexts(
  entries: readonly (readonly [name: string, text: string | null | undefined])[],
): readonly GuidingText[] {
  return entries.flatMap(([name, text]) => {
    const isEmpty = (text ?? "").trim() === "";
    return isEmpty ? [] : [{ path: ".code-intel/context.yml", name, text: text ?? "" }];
  });
}

function listRulesTexts(
  { summary, extra_notes: notes }: ContextSettings["project_rules"],
): readonly GuidingText[] {
  return listGuidingTexts([[SUMMARY, summary], [NOTES, notes]]);
}

function listSummaryTexts(rows: readonly DocumentSummary[]): readonly GuidingText[] {
  return listGuidingTexts(
    rows.flatMap(({ path, summary, notes }) => [
      [toDocumentKey(path), summary],
      [toDocumentNotesKey(path), notes],
    ]),
  );
}

/** What a call of `update_context` stored: an agent of this machine wrote it, so it came with no clone. */
function listWrittenTexts(projectRoot: string, update: ContextUpdate): readonly GuidingText[] {
  const documents = update.documentSummaries ?? [];
  return listGuidingTexts([
    [SUMMARY, update.projectRulesSummary],
    [NOTES, update.extraNotes],
    ...documents.flatMap(({ path, summary }) => {
      const parsed = parseRepoPath(projectRoot, path);
      return parsed.kind === "refused" ? [] : [[toDocumentKey(parsed.path), summary] as const];
    }),
  ]);
}

/** The summaries without the parts that nobody allowed, and how many were left out. */
async function keepAllowedSummaries(
  texts: TextDeps,
  rows: readonly DocumentSummary[],
): Promise<Pick<SummariesContext, "current" | "leftOut">> {
  const told = listSummaryTexts(rows);
  const names = new Set((await keepAllowed(texts, told)).map(({ name }) => name));
  const current = rows.filter(({ path }) => names.has(toDocumentKey(path))).map((row) =>
    names.has(toDocumentNotesKey(row.path)) ? row : { ...row, notes: null }
  );
  return { current, leftOut: told.length - names.size };
}

function readWorkflowSettings({ config, context }: Settings): WorkflowSettings {
  const { interventions, doc_research: research, verifiers, mutants } = context.values;
  const asked: readonly (readonly [isAsked: boolean, stage: Stage])[] = [
    [interventions.suggest_new_prompts, "VERIFY_INTERVENTION"],
    [verifiers.suggest_improvements, "POST_IMPL_VERIFY"],
  ];
  return {
    limits: {
      ...DEFAULT_VALVE_LIMITS,
      verificationFailures: interventions.threshold,
      interventions: interventions.force_escalation_after,
    },
    maxSnapshotMb: config.values.max_snapshot_mb,
    documentsEnabled: research.enabled,
    interventionsEnabled: interventions.enabled,
    prompts: {
      interventionsDir: interventions.prompts_dir,
      patterns: interventions.patterns,
      documentPrompts: research.default_prompts,
    },
    mutants,
    recordsRuns: context.values.runs === "on",
    suggestionStages: asked.flatMap(([isAsked, stage]) => isAsked ? [stage] : []),
    overrides: config.overrides.map(({ variable, key }) => `${variable} (${key})`),
    warnings: [...config.warnings, ...context.warnings].map(formatWarning),
  };
}

/** A fault of a configuration file for agents: one that quotes words of the file is reported by its place alone. */
function formatWarning({ message, at = "", path = "The configuration" }: Problem): string {
  const text = String(message);
  const quotes = text.match(/["'`][^"'`]*["'`]?/g) ?? [];
  const isPlain = /^[\w.-]{0,80}$/.test(at) && quotes.every((quote) => /^.[\w./-]*.$/.test(quote));
  if (isPlain) return text;
  const place = /line \d+, column \d+/.exec(text)?.[0];
  return `${path} has a fault${
    place === undefined ? "" : ` (${place})`
  }, which \`code-intel doctor\` names`;
}
