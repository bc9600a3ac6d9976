/**
 * What each stage asks for: the contract built into the program, with the project's overrides.
 * Pure: the caller reads the file and passes the parsed value.
 */
import * as z from "zod";
import { isRecord } from "../../base/text/json_record.ts";
import { findSameName } from "../../base/text/near_key.ts";
import type { Problem } from "../../base/problem.ts";
import { makeProblem } from "../../base/problem.ts";
import { parseWords } from "../../base/text/words.ts";
import type { ContractRow } from "../table/stage.ts";
import type { Stage } from "../table/phases.ts";
import { PHASES, STAGES } from "../table/phases.ts";

/** The contract of a session. */
export type Contract = Readonly<Record<Stage, ContractRow>>;

/** The contract for projects without rows of their own. */
export const BUILT_IN_CONTRACT = Object.fromEntries(
  STAGES.map((stage) => [stage, PHASES[stage].asks]),
) as Contract;

/** Sections of older contract files whose texts this program does not use. */
const IGNORED_SECTIONS = [
  "common_failures",
  "failures",
  "success",
  "tool_errors",
  "session_messages",
  "hints",
  "query_frame_hints",
  "warnings",
] as const;
const HEADER_KEYS = ["version", "description", "$schema"] as const;

const ROW = z.strictObject({
  instruction: z.string().min(1).max(4000).optional(),
  expected_payload: z.record(z.string(), z.unknown()).optional(),
  required_tools: z.array(z.string().min(1).max(100)).max(20).optional(),
  min_distinct_tools: z.number().int().min(0).max(12).optional(),
});

/** Gives the position of a value in the file, for messages. */
export type Locate = (path: readonly PropertyKey[]) => string;

/** The contract of a project, and what is to be reported about its file. */
export interface ContractResult {
  readonly contract: Contract;
  /** Faults of the file; if there are any, the built-in contract is used unchanged. */
  readonly problems: readonly Problem[];
  readonly notices: readonly string[];
}

/**
 * Overrides the built-in contract with the project's file, key by key.
 *
 * @param value The parsed YAML.
 * @param locate Gives "line 3, column 5" of a path in the file.
 */
export function mergeContract(value: unknown, locate: Locate): ContractResult {
  const problems: Problem[] = [];
  const fault = (path: readonly PropertyKey[], message: string, hint: string) =>
    problems.push(makeProblem("contract_invalid", `${message} (${locate(path)})`, {
      at: path.map(String).join("."),
      hint,
    }));
  if (!isRecord(value)) {
    fault([], "The contract is not a mapping", "Begin the file with `phases:`.");
    return { contract: BUILT_IN_CONTRACT, problems, notices: [] };
  }
  const ignored: string[] = [];
  for (const key of Object.keys(value)) {
    if (key === "phases" || HEADER_KEYS.some((known) => known === key)) continue;
    if (IGNORED_SECTIONS.some((known) => known === key)) ignored.push(key);
    else fault([key], `Unknown key "${key}"`, "Only `phases` is read; remove the key.");
  }
  const rows = readRows(value.phases, fault);
  const notices = ignored.length === 0
    ? []
    : [`phase_contract.yml: message sections are ignored (${ignored.join(", ")})`];
  if (problems.length > 0) return { contract: BUILT_IN_CONTRACT, problems, notices };
  return { contract: { ...BUILT_IN_CONTRACT, ...rows }, problems, notices };
}

function readRows(
  phases: unknown,
  fault: (path: readonly PropertyKey[], message: string, hint: string) => void,
): Partial<Record<Stage, ContractRow>> {
  const rows: Partial<Record<Stage, ContractRow>> = {};
  if (phases === undefined || phases === null) return rows;
  if (!isRecord(phases)) {
    fault(["phases"], "`phases` is not a mapping", "Write one key per phase below it.");
    return rows;
  }
  for (const [name, row] of Object.entries(phases)) {
    const stage = STAGES.find((candidate) => candidate === name);
    if (stage === undefined || stage === "SESSION_COMPLETE") {
      const known = STAGES.filter((candidate) => candidate !== "SESSION_COMPLETE").join(", ");
      fault(["phases", name], `Unknown phase "${name}"`, `Use one of: ${known}.`);
      continue;
    }
    const parsed = ROW.safeParse(row ?? {});
    if (!parsed.success) {
      for (const issue of parsed.error.issues) {
        // Each unknown key is reported with its own line in the file.
        const keys = issue.code === "unrecognized_keys" ? issue.keys : [];
        const paths = keys.length === 0 ? [issue.path] : keys.map((key) => [...issue.path, key]);
        for (const path of paths) {
          const what = keys.length === 0 ? issue.message : `Unknown key "${String(path.at(-1))}"`;
          fault(
            ["phases", name, ...path],
            `${name}: ${what}`,
            `Allowed keys: ${Object.keys(ROW.shape).join(", ")}.`,
          );
        }
      }
      continue;
    }
    rows[stage] = mergeRow(BUILT_IN_CONTRACT[stage], parsed.data);
  }
  return rows;
}

/**
 * A project may ask for more and use its own words; fields that transitions depend on cannot be
 * changed.
 */
function mergeRow(base: ContractRow, own: z.infer<typeof ROW>): ContractRow {
  return {
    instruction: own.instruction === undefined ? base.instruction : parseWords(own.instruction),
    expectedPayload: { ...base.expectedPayload, ...own.expected_payload },
    requiredTools: [...new Set([...base.requiredTools, ...own.required_tools ?? []])],
    minDistinctTools: Math.max(base.minDistinctTools, own.min_distinct_tools ?? 0),
  };
}

/**
 * What of a project's contract holds before anybody allowed its words: more tools that have to be called, by names that
 * the program itself gave. Whatever the contract says in words is the built-in text.
 */
export function keepStricterRules(contract: Contract, offered: readonly string[]): Contract {
  const rows = STAGES.map((stage) => {
    const [own, base] = [contract[stage], BUILT_IN_CONTRACT[stage]];
    const added = own.requiredTools.filter((tool) =>
      offered.includes(tool) && !base.requiredTools.includes(tool)
    );
    const requiredTools = [...base.requiredTools, ...added];
    return [stage, { ...base, requiredTools, minDistinctTools: own.minDistinctTools }];
  });
  return Object.fromEntries(rows);
}

/**
 * The fields that the project's contract adds and marks `required`, and that the payload lacks.
 *
 * @example
 * ```ts
 * import { strictEqual as equal } from "node:assert/strict";
 * import { checkAddedFields, BUILT_IN_CONTRACT } from "./contract.ts";
 * const row = { ...BUILT_IN_CONTRACT.MERGE, expectedPayload: { ticket: "string, required" } };
 * equal(checkAddedFields(row, {})[0]?.code, "missing_field");
 * equal(checkAddedFields(row, { ticket: "A-1" }).length, 0);
 * ```
 */
export function checkAddedFields(
  row: ContractRow,
  data: Readonly<Record<string, unknown>>,
): readonly Problem[] {
  return Object.entries(row.expectedPayload).flatMap(([key, type]) => {
    if (typeof type !== "string" || !/\brequired\b/i.test(type)) return [];
    const name = findSameName(key, Object.keys(data));
    const value = name === undefined ? undefined : data[name];
    const isEmpty = value === undefined || value === null ||
      (typeof value === "string" && value.trim() === "");
    return isEmpty
      ? [makeProblem("missing_field", `${key} is missing; this project's contract requires it`, {
        at: `data.${key}`,
        hint: `Add ${key} (${type}).`,
      })]
      : [];
  });
}
