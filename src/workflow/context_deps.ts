/** Gives the workflow what the project says about itself: settings, rules, documents. */
import { CodeIntelError } from "../base/errors.ts";
import type { Settings, SettingsReader } from "../context/mod.ts";
import {
  findDocuments,
  readDocumentSummaries,
  readProjectRules,
  updateContext,
} from "../context/mod.ts";
import type { Stage } from "../phase/mod.ts";
import { DEFAULT_VALVE_LIMITS } from "../phase/mod.ts";
import type { WorkflowDeps, WorkflowSettings } from "./deps.ts";

/**
 * What the workflow reads from the project's configuration and documents, always from the present
 * files.
 */
export function createContextDeps(
  place: { readonly projectRoot: string; readonly codeIntelDir: string },
  settings: SettingsReader,
): Pick<
  WorkflowDeps,
  "loadSettings" | "loadRules" | "loadSummaries" | "saveContext" | "listDocuments"
> {
  return {
    loadSettings: async () => toWorkflowSettings(await settings.read()),
    loadRules: async () => {
      const { context } = await settings.read();
      const rules = await readProjectRules(place.projectRoot, context.values.project_rules);
      return { ...rules, notes: rules.extraNotes };
    },
    loadSummaries: async () => {
      const { context } = await settings.read();
      return await readDocumentSummaries(place.projectRoot, context.values);
    },
    saveContext: async (update) => {
      const result = await updateContext(place, update);
      if (result.kind === "updated") return { path: result.path, updated: result.updated };
      const { message, hint = "" } = result.problem;
      throw new CodeIntelError("config_invalid", String(message), { hint });
    },
    listDocuments: async () => {
      const { context } = await settings.read();
      return (await findDocuments(place.projectRoot, context.values)).documents;
    },
  };
}

function toWorkflowSettings({ config, context }: Settings): WorkflowSettings {
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
    attest: config.values.attest,
    maxSnapshotMb: config.values.max_snapshot_mb,
    documentsEnabled: research.enabled,
    interventionsEnabled: interventions.enabled,
    prompts: {
      interventionsDir: interventions.prompts_dir,
      patterns: interventions.patterns,
      documentPrompts: research.default_prompts,
    },
    mutants,
    suggestionStages: asked.flatMap(([isAsked, stage]) => isAsked ? [stage] : []),
    overrides: config.overrides.map(({ variable, key }) => `${variable} (${key})`),
    warnings: [...config.warnings, ...context.warnings].map(({ message }) => String(message)),
  };
}
