/**
 * What a client can attach to a conversation without calling a tool: where the work stands, and
 * what each step asks for. Reading a resource changes nothing and is not recorded.
 */
import type { CompleteResult, ReadResourceResult } from "@modelcontextprotocol/server";
import { ResourceNotFoundError } from "@modelcontextprotocol/server";
import { LIMITS } from "../base/settings/limits.ts";
import type { Stage } from "../phase/table/phases.ts";
import { PHASES, STAGES } from "../phase/table/phases.ts";
import type { Services } from "../services/services_api.ts";

const MIME_TYPE = "application/json";
const CONTRACT = "code-intel://contract";
const BRIEF = "code-intel://brief";
const STAGE_TEMPLATE = `${CONTRACT}/{stage}`;

/** Stages that ask the agent for a payload. */
const ASKING = STAGES.filter((stage) => stage !== "SESSION_COMPLETE");

/** The resources as `resources/list` answers them. */
export const RESOURCES = [
  {
    uri: BRIEF,
    name: "brief",
    title: "Where the work stands",
    description:
      "The active session in about 2,500 tokens: request, rules, done steps, tasks with open items, explored files, next call.",
    mimeType: MIME_TYPE,
  },
  {
    uri: CONTRACT,
    name: "contract",
    title: "What each step asks for",
    description:
      "The contract in force here, by stage: instruction, expected_payload, required_tools. The project's phase_contract.yml lies over the built-in one.",
    mimeType: MIME_TYPE,
  },
] as const;

/** The templates as `resources/templates/list` answers them. */
export const RESOURCE_TEMPLATES = [{
  uriTemplate: STAGE_TEMPLATE,
  name: "contract of a stage",
  title: "What one step asks for",
  description: `One row of the contract; stages are ${ASKING.join(", ")}.`,
  mimeType: MIME_TYPE,
}] as const;

/**
 * The text of a resource, as compact JSON.
 *
 * @throws {ResourceNotFoundError} where nothing has that address.
 */
export async function readResource(
  uri: string,
  loadServices: () => Promise<Services>,
): Promise<ReadResourceResult> {
  const value = await readValue(uri, loadServices);
  if (value === null) throw new ResourceNotFoundError(uri);
  return { contents: [{ uri, mimeType: MIME_TYPE, text: JSON.stringify(value) }] };
}

async function readValue(uri: string, loadServices: () => Promise<Services>): Promise<unknown> {
  const stage = ASKING.find((name) => uri === `${CONTRACT}/${name}`);
  if (stage === undefined && uri !== CONTRACT && uri !== BRIEF) return null;
  const { workflow } = await loadServices();
  if (uri === BRIEF) {
    const brief = await workflow.hooks.brief(LIMITS.briefBytes.value);
    return brief === null ? NO_SESSION : JSON.parse(brief);
  }
  const { contract, warning } = await workflow.readContract();
  const toRow = (name: Stage) => {
    const { instruction, expectedPayload, requiredTools, minDistinctTools } = contract[name];
    return {
      step: PHASES[name].step,
      phase: PHASES[name].phase,
      instruction,
      expected_payload: expectedPayload,
      required_tools: requiredTools,
      min_distinct_tools: minDistinctTools,
    };
  };
  const told = warning === null ? {} : { contract_warning: warning };
  if (stage !== undefined) return { stage, ...toRow(stage), ...told };
  return { stages: Object.fromEntries(ASKING.map((name) => [name, toRow(name)])), ...told };
}

const NO_SESSION = {
  session_id: null,
  next: { call: "start_session", why: "no session is active in this project" },
};

/** Values of a template's argument that begin with what was typed; none for an unknown template. */
export function completeArgument(
  { ref, argument }: {
    readonly ref: { readonly type: string; readonly uri?: string };
    readonly argument: { readonly name: string; readonly value: string };
  },
): CompleteResult {
  const isStage = ref.uri === STAGE_TEMPLATE && argument.name === "stage";
  const typed = argument.value.toUpperCase();
  const values = isStage ? ASKING.filter((stage) => stage.startsWith(typed)) : [];
  return { completion: { values, total: values.length, hasMore: false } };
}
