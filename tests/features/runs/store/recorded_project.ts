/** A real repository whose runs are recorded by hand, and the services that answer from them. */
import { join } from "node:path";
import { SILENT_LOGGER } from "../../../../src/base/logger.ts";
import { RUNS_FEATURE } from "../../../../src/features/runs/feature.ts";
import { readContents } from "../../../../src/features/runs/store/open_runs.ts";
import type { RunBounds } from "../../../../src/features/runs/store/run_folder.ts";
import { saveRun } from "../../../../src/features/runs/store/run_folder.ts";
import type { RunRecord } from "../../../../src/features/runs/store/run_record.ts";
import type { SeenState } from "../../../../src/index/seen_runs.ts";
import type { Services } from "../../../../src/services/services_api.ts";
import { createServices } from "../../../../src/services/services.ts";
import type { TempRepo } from "../../../support/temp_repo.ts";
import { createTempRepo } from "../../../support/temp_repo.ts";

/** What a run says in short: by test, as `file name`, the functions that it ran, as `path name`. */
export interface ShortRun {
  readonly tests: Readonly<Record<string, readonly string[]>>;
  readonly loaded?: readonly string[];
  /** Caller, callee, line. */
  readonly calls?: readonly (readonly [string, string, number])[];
  readonly more?: Partial<RunRecord>;
  readonly bounds?: RunBounds;
}

/** The project. */
export interface RecordedProject extends AsyncDisposable {
  readonly repo: TempRepo;
  readonly services: Services;
  /** Path of the folder of runs. */
  readonly path: string;
  /** Brings the index up to date and saves a run on the present contents. */
  record(run: ShortRun): Promise<void>;
  /** What is known of the files as they are now. */
  load(): Promise<SeenState | null>;
}

/** A record on given contents. */
export function buildRecord(files: ReadonlyMap<string, string>, run: ShortRun): RunRecord {
  const names = [
    ...new Set([
      ...Object.values(run.tests).flat(),
      ...run.loaded ?? [],
      ...(run.calls ?? []).flatMap(([from, to]) => [from, to]),
    ]),
  ];
  const split = (text: string) => {
    const [path = "", name = ""] = text.split(" ");
    return { path, name };
  };
  const at = (name: string) => names.indexOf(name);
  return {
    project: "",
    batch: crypto.randomUUID(),
    at: new Date().toISOString(),
    head: null,
    runner: "unittest",
    command: ["python", "-m", "unittest"],
    counted: Object.keys(run.tests).length,
    commands: 1,
    isWhole: true,
    notes: [],
    files,
    functions: names.map(split),
    tests: Object.entries(run.tests).map(([test, ran]) => {
      const { path: file, name } = split(test);
      return { file, name, unit: "test", ms: ran.length, ran: ran.map(at) };
    }),
    loaded: (run.loaded ?? []).map(at),
    calls: (run.calls ?? []).map(([from, to, line]) => [at(from), at(to), line]),
    ...run.more,
  };
}

/** Makes it. */
export async function createRecordedProject(
  files: Readonly<Record<string, string>>,
): Promise<RecordedProject> {
  const repo = await createTempRepo({ files: { ...files } });
  const services = await createServices({
    projectDir: repo.dir,
    logger: SILENT_LOGGER,
    offered: [],
    features: [RUNS_FEATURE],
    get: (name) => ({ CODE_INTEL_STATE_DIR: join(repo.dir, ".git") })[name],
  });
  return {
    repo,
    services,
    path: join(repo.repo.commonDir, "code-intel/runs"),
    async record(run) {
      await services.index.sync();
      const contents = await services.index.read(readContents);
      await saveRun(services.parts, buildRecord(contents, run), run.bounds);
    },
    async load() {
      await services.index.sync();
      return await (await services.openRuns()).load();
    },
    async [Symbol.asyncDispose]() {
      await services.close();
      await repo[Symbol.asyncDispose]();
    },
  };
}
