/** Asks a run for the coverage of the session's changed files, and reads which of the changed lines ran. */
import type { TreePath } from "../../../base/paths.ts";
import type { RunCover } from "../../../evidence/runs/run_command.ts";
import type { VerificationRun } from "../../../evidence/runs/verification.ts";
import { parseLocations } from "../../../evidence/location.ts";
import { isTestSide } from "../../../language/test_names.ts";
import type { ServerRun } from "../../../phase/facts.ts";
import type { SessionState } from "../../../phase/state.ts";
import type {
  CoveragePlanInput,
  CoveredProject,
  RanLinesInput,
} from "../../../workflow/context/run_additions.ts";
import {
  addUpCoverage,
  findCodeLines,
  judgeChangedLines,
  judgeRanItems,
} from "./changed_lines_run.ts";
import { createRunCover } from "./cover_run.ts";
import { isNodeAsked } from "./coverage_places.ts";

/** Most changed files whose lines are looked for (guessed). */
const MOST_FILES = 200;

/** What is asked of the coverage of a run; the untouched tree has the same variables, so that nothing fails by them alone. */
export async function planCoverage(
  input: CoveragePlanInput,
): Promise<{ readonly coverage?: RunCover }> {
  const usual = await planLines(input);
  const isUntouched = input.changed.length === 0;
  if (!isUntouched || !(await input.project.deps.loadSettings()).recordsRuns) return usual;
  const { planRecord } = await import("../record/record_base.ts");
  return await planRecord(input, usual);
}

async function planLines(
  { project, found, commands, changed }: CoveragePlanInput,
): Promise<{ readonly coverage?: RunCover }> {
  if (found.coverage === null) return {};
  const { files: declared, node } = found.coverage;
  const behind = found.behind.flatMap(({ text }) => text ?? []);
  const asked = commands.filter((command) => node && isNodeAsked(command, behind));
  return {
    coverage: createRunCover({
      worktree: await Deno.realPath(project.repo?.worktree ?? project.deps.projectRoot),
      project: project.repo?.openedFor ?? "",
      files: pickCode(project, changed),
      declared,
      asksNode: asked.map(({ name }) => name),
    }),
  };
}

/** Changed files with code that is no test. */
function pickCode(
  { deps, paths }: CoveredProject,
  changed: readonly TreePath[],
): readonly TreePath[] {
  return changed.filter((path) => !isTestSide(path) && deps.isSourceFile(paths.toProject(path)))
    .slice(0, MOST_FILES);
}

/** What a finished run says of the changed lines, and of the evidence of the tasks; nothing where it says nothing. */
export async function readRanLines(
  { project, run, state, changed, found }: RanLinesInput,
): Promise<Pick<ServerRun, "coverage" | "ranItems">> {
  const { trees, paths } = project;
  const { baselineTree } = state.workspace;
  const bound = found.coverage?.changedLines ?? null;
  const known = addUpCoverage(run.results);
  const isSilent = known.read.length === 0 && known.why.length === 0 && bound === null;
  const files = pickCode(project, changed);
  if (baselineTree === null || isSilent || files.length === 0) return {};
  const ranOn = run.place?.kind === "checkout" ? run.place.tree : run.treeAtStart;
  const lines = await trees.changedLines(baselineTree, run.treeAtStart, files);
  const mixed = await listDiffering(project, ranOn, run.treeAtStart);
  const code = await Promise.all(files.map(async (path) => {
    const shown = paths.toProject(path);
    const ranges = lines.get(path)?.ranges ?? [];
    if (ranges.length === 0) return { path, shown, lines: [] };
    if (mixed.has(path)) return { path, shown, lines: null };
    const text = await trees.readText(run.treeAtStart, path);
    const codeLines = text === null ? [] : [...await findCodeLines(path, text)];
    const isChanged = (line: number) =>
      ranges.some(({ start, end }) => start <= line && line <= end);
    return { path, shown, lines: codeLines.filter(isChanged) };
  }));
  const coverage = judgeChangedLines(code, known, bound);
  if (coverage === null) return {};
  const ranItems = judgeRanItems(await listEvidence(project, run, state), coverage);
  return { coverage, ...(ranItems.length === 0 ? {} : { ranItems }) };
}

/** Evidence whose lines are those of the text that ran. */
async function listEvidence(
  project: CoveredProject,
  run: VerificationRun,
  { tasks }: SessionState,
): Promise<Parameters<typeof judgeRanItems>[0]> {
  const found = await Promise.all(tasks.map(async ({ id: task, checklist, evidenceTree }) => {
    if (evidenceTree === null) return [];
    const moved = await listDiffering(project, evidenceTree, run.treeAtStart);
    return checklist.flatMap(({ status, evidence = "" }, index) => {
      return (status === "done" ? parseLocations(evidence) : []).flatMap((location) => {
        if (location.kind !== "lines") return [];
        const resolved = project.paths.toWorktree(location.path);
        const isSame = resolved.kind === "path" && !moved.has(resolved.path);
        const { path, start, end } = location;
        return isSame ? [{ task, index, path, start, end }] : [];
      });
    });
  }));
  return found.flat();
}

async function listDiffering(
  { trees }: CoveredProject,
  from: string,
  to: string,
): Promise<ReadonlySet<TreePath>> {
  if (from === to) return new Set();
  return new Set((await trees.diff(from, to)).map(({ path }) => path));
}
