/** Compares the evidence of a report with what the session changed on the disk. */
import type { ProjectPath, TreePath } from "../base/paths.ts";
import { LIMITS } from "../base/settings/limits.ts";
import type { Problem } from "../base/problem.ts";
import { makeProblem } from "../base/problem.ts";
import type { ItemTopic } from "./item_topic.ts";
import { findNamedFiles, mentionsFile, readAbout } from "./item_topic.ts";
import { checkBounds, checkWork } from "./claimed_work.ts";
import type { ComparedStates, KnownFile } from "./file_facts.ts";
import { readFileFacts } from "./file_facts.ts";
import type { Location } from "./location.ts";
import { checkDistinct, checkLocation, parseLocations, proposeEvidence } from "./location.ts";

/** What evidence is compared with. */
export interface EvidenceInput extends ComparedStates {
  readonly toWorktree: (
    path: ProjectPath,
  ) => { readonly kind: "path"; readonly path: TreePath } | {
    readonly kind: "refused";
    readonly problem: Problem;
  };
  /** What the project asks of every piece of work; default nothing. */
  readonly rules?: readonly string[];
}

/** What a new report is compared with beside the files. */
export interface ReportInput extends EvidenceInput {
  readonly task: { readonly description: string; readonly items: readonly string[] };
  /** The files of the project; asked only where an item names a file. */
  readonly listFiles: () => Promise<readonly ProjectPath[]>;
}

/** The evidence of one item of a report. */
export interface ReportedItem {
  readonly item: string;
  readonly status: string;
  readonly evidence?: string | null | undefined;
  /** What the agent says about the evidence. */
  readonly reason?: string | null | undefined;
}

/** A piece of evidence on its own, and what it is about. */
export interface JudgedEvidence {
  readonly evidence: string;
  /** The item, the description of its task, and the reason of its report. */
  readonly words: readonly string[];
}

interface Claim {
  readonly at: string;
  readonly location: Location;
  readonly path: TreePath;
  readonly about: ItemTopic;
}

/** All problems with the evidence of a report, at once. */
export async function checkEvidence(
  input: ReportInput,
  checklist: readonly ReportedItem[],
): Promise<readonly Problem[]> {
  const judged = checklist.map(({ item, status, evidence, reason }) => ({
    evidence: status === "done" ? (evidence ?? "").trim() : "",
    words: [item, input.task.description, reason ?? ""],
  }));
  const { problems, claims } = listClaims(input, judged);
  const facts = await readClaimFacts(input, claims);
  const found = [
    ...problems,
    ...checkDistinct(claims, facts),
    ...await checkNamed(input, checklist, claims),
    ...await checkClaims(claims, facts, { isBounded: true }),
  ];
  return await Promise.all(found.map(async (problem) => {
    if (!UNPLACED.includes(problem.code)) return problem;
    const text = judged.find((_, index) => formatPointer(index) === problem.at)?.evidence ?? "";
    return { ...problem, ...await proposeForm(input, /^[^\s,;:]*/.exec(text)?.[0] ?? "") };
  }));
}

/** What no file of this repository is named by: words without a place, and files inside a submodule. */
const UNPLACED = ["checklist_evidence_format_invalid", "checklist_evidence_file_not_found"];

/** The form that fits where a path is of a file or a submodule that the session changed, or of something inside it. */
async function proposeForm(
  input: EvidenceInput,
  path: ProjectPath,
): Promise<Pick<Problem, "path" | "hint">> {
  const parts = path.split("/").filter((part) => part !== "");
  const known = parts.flatMap((_, at) => {
    const shown = parts.slice(0, parts.length - at).join("/");
    const resolved = input.toWorktree(shown);
    return resolved.kind === "path" ? [{ shown, treePath: resolved.path }] : [];
  });
  const facts = await readFileFacts(input, known.map(({ treePath }) => treePath));
  for (const { shown, treePath } of known) {
    const file = facts.get(treePath);
    if (file !== undefined && file.change !== null) {
      return { path: shown, hint: proposeEvidence(shown, file) };
    }
  }
  return {};
}

/**
 * Judges each piece of evidence (`path:start-end` and the like) on its own, as one that was accepted before.
 *
 * @returns the positions of those that do not stand.
 */
export async function judgeEvidence(
  input: EvidenceInput,
  judged: readonly JudgedEvidence[],
): Promise<ReadonlySet<number>> {
  if (judged.length === 0) return new Set();
  const { problems, claims } = listClaims(input, judged);
  const facts = await readClaimFacts(input, claims);
  const problemsOfClaims = await checkClaims(claims, facts, { isBounded: false });
  const found = [...problems, ...problemsOfClaims].map(({ at }) => at);
  return new Set([...judged.keys()].filter((index) => found.includes(formatPointer(index))));
}

function formatPointer(index: number): string {
  return `data.checklist[${index}].evidence`;
}

/** The claims of evidence, one for each place that it names: all of them have to stand. An empty text is no claim. */
function listClaims(
  input: EvidenceInput,
  judged: readonly JudgedEvidence[],
): { readonly problems: readonly Problem[]; readonly claims: readonly Claim[] } {
  const problems: Problem[] = [];
  const claims: Claim[] = [];
  for (const [index, { evidence, words }] of judged.entries()) {
    const [at, places] = [formatPointer(index), parseLocations(evidence)];
    const about = readAbout(words, input.rules);
    if (evidence !== "" && places.length === 0) {
      problems.push(makeProblem(
        "checklist_evidence_format_invalid",
        `"${evidence.slice(0, 120)}" names no place`,
        {
          at,
          hint:
            "Give path:line, path:start-end, several as path:1-5,20-30, or path:deleted, :renamed, :mode, :binary.",
        },
      ));
    }
    for (const location of places) {
      const resolved = input.toWorktree(location.path);
      if (resolved.kind === "refused") problems.push({ ...resolved.problem, at });
      else claims.push({ at, location, path: resolved.path, about });
    }
  }
  return { problems, claims };
}

async function readClaimFacts(
  input: EvidenceInput,
  claims: readonly Claim[],
): Promise<ReadonlyMap<TreePath, KnownFile>> {
  return await readFileFacts(input, [...new Set(claims.map(({ path }) => path))]);
}

async function checkClaims(
  claims: readonly Claim[],
  facts: ReadonlyMap<TreePath, KnownFile>,
  { isBounded }: { readonly isBounded: boolean },
): Promise<readonly Problem[]> {
  const problems = await Promise.all(claims.map(async (claim) => {
    const file = facts.get(claim.path);
    if (file === undefined) return [];
    const wrong = checkLocation(claim.location, file, claim.at);
    if (wrong.length > 0 || claim.location.kind !== "lines") return wrong;
    const { at, path, about, location: { path: shown, start, end } } = claim;
    const lines = { at, path, about, shown, start, end };
    const wide = isBounded ? await checkBounds(lines, file) : [];
    return wide.length > 0 ? wide : await checkWork(lines, file);
  }));
  return problems.flat();
}

/** Asks for a reason where an item names a file and its evidence lies in one that the task never mentions. */
async function checkNamed(
  { task, listFiles }: ReportInput,
  checklist: readonly ReportedItem[],
  claims: readonly Claim[],
): Promise<readonly Problem[]> {
  const words = [task.description, ...task.items].join("\n");
  const strange = claims.flatMap((claim) => {
    const index = checklist.findIndex((_, at) => formatPointer(at) === claim.at);
    const { item = "", reason } = checklist[index] ?? {};
    const { path } = claim.location;
    const isSaid = (reason ?? "").trim().length >= LIMITS.reasonMinChars.value;
    return isSaid || mentionsFile(words, path) ? [] : [{ at: claim.at, item, path }];
  });
  if (strange.length === 0) return [];
  const files = await listFiles();
  return strange.flatMap(({ at, item, path }) => {
    const named = findNamedFiles(item, files).slice(0, 3);
    return named.length === 0 ? [] : [makeProblem(
      "checklist_evidence_elsewhere",
      `The item names ${named.join(", ")}, and its evidence is in ${path}`,
      { at, path, hint: 'Name the lines in that file, or send with the item "reason": why here.' },
    )];
  });
}
