/** What people are told of the record of runs: its runs, its size, and a check of doctor. */
import { statIfThere } from "../../../base/files/file_stamp.ts";
import { PARTS, UnusableDatabase } from "../../../index/store/database.ts";
import { formatExtent } from "../../../index/seen_runs.ts";
import type { DoctorFinding } from "../../../project/finding.ts";
import { ok, warn } from "../../../project/finding.ts";
import type { Services } from "../../../services/services_api.ts";
import type { RunPlace } from "./run_file.ts";
import { findProject, findRunFile, readRunFile } from "./run_file.ts";
import type { KeptRun } from "./save_run.ts";
import { listKeptRuns } from "./save_run.ts";

/** The runs of a project, the newest first, and the bytes of the file with those of all projects. */
export async function describeRuns(
  place: RunPlace,
): Promise<{ readonly runs: readonly KeptRun[]; readonly sizeBytes: number }> {
  const path = await findRunFile(place);
  if (path === null) return { runs: [], sizeBytes: 0 };
  const project = await findProject(place);
  const sizes = PARTS.map((part) => statIfThere(path + part)?.size ?? 0);
  const runs = readRunFile(path, (db) => listKeptRuns(db, project)) ?? [];
  return { runs, sizeBytes: sizes.reduce((sum, size) => sum + size, 0) };
}

/** Files that changed since the last whole record, from which on a new one is proposed (guessed). */
const MANY_CHANGED = 200;

/** Says whether runs are recorded, how old the record is, and how large. */
export async function checkRuns(
  { parts, openRuns }: Pick<Services, "parts" | "openRuns">,
): Promise<readonly DoctorFinding[]> {
  try {
    const { runs, sizeBytes } = await describeRuns(parts);
    const state = runs.length === 0 ? null : await (await openRuns()).load();
    if (state === null) {
      return [ok("None: tests are found by names alone (`code-intel runs record` records them)")];
    }
    const megabytes = (sizeBytes / 1024 / 1024).toFixed(1);
    const detail = `${formatExtent(state.extent)}; ${megabytes} MB`;
    const isOld = state.extent.changed.length > MANY_CHANGED;
    return [isOld ? warn(detail, "Run `code-intel runs record` again.") : ok(detail)];
  } catch (error) {
    if (!(error instanceof UnusableDatabase)) throw error;
    const fix = "`code-intel runs record` sets it aside and begins anew.";
    return [warn(`The record of runs is ${error.state}, and is not used`, fix)];
  }
}
