/** Projects for sessions of the real server: a repository, sample files, a state folder of their own. */
import { FEATURES } from "../../../src/features/features.ts";
import { join } from "node:path";
import { SILENT_LOGGER } from "../../../src/base/logger.ts";
import { createServices } from "../../../src/services/services.ts";
import type { TempRepo, TempRepoOptions } from "../temp_repo.ts";
import { createTempRepo } from "../temp_repo.ts";
import { giveUp } from "../temp_folder.ts";
import { OWN_THREAD } from "../../../src/analysis/analysis_pool.ts";

/** What the agent writes: the new content by path; null deletes the file. */
export type Edits = Readonly<Record<string, string | null>>;

/** A repository with a state folder of its own, so that no test meets the keys of a person. */
export interface Project extends AsyncDisposable {
  readonly repo: TempRepo;
  readonly dir: string;
  readonly stateDir: string;
  /** Variables that every process of the program gets. */
  readonly env: Readonly<Record<string, string>>;
}

/** The files of a project that a driver's defaults fit. */
export const SAMPLE_FILES: Readonly<Record<string, string>> = {
  "README.md": "# Sample\n",
  "src/auth.ts":
    "import { hash } from './hash.ts';\n\nexport function login(name: string): string {\n  return hash(name);\n}\n",
  "src/hash.ts": "export function hash(text: string): string {\n  return text + '#';\n}\n",
  "src/view.ts": "import { login } from './auth.ts';\n\nexport const shown = login('a');\n",
};

/** The change that a session makes where a test names none. */
export const SAMPLE_EDITS: Edits = {
  "src/auth.ts":
    "import { hash } from './hash.ts';\n\nexport function login(name: string): string {\n  if (name === '') throw new Error('a name is needed');\n  return hash(name);\n}\n",
};

/** How a project is made. */
export interface ProjectOptions extends TempRepoOptions {
  /** Whether the index knows the contents of the sample already; default true, false with other files. */
  readonly isIndexed?: boolean;
}

/** Makes a project of {@link SAMPLE_FILES} or of other files. */
export async function createProject(options: ProjectOptions = {}): Promise<Project> {
  const { isIndexed = options.files === undefined, ...rest } = options;
  const repo = await createTempRepo({ files: SAMPLE_FILES, ...rest });
  if (isIndexed) {
    await repo.write({ [INDEX]: await (sampleIndex ??= buildSampleIndex()) });
  }
  return adoptProject(repo, await Deno.makeTempDir({ prefix: "code-intel-state-" }));
}

/** The project that is in a repository already, with its state folder; both are removed as of one that was made. */
export function adoptProject(repo: TempRepo, stateDir: string): Project {
  return {
    repo,
    dir: repo.dir,
    stateDir,
    env: {
      CODE_INTEL_STATE_DIR: stateDir,
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_CONFIG_NOSYSTEM: "1",
    },
    async [Symbol.asyncDispose]() {
      await repo[Symbol.asyncDispose]();
      await giveUp(stateDir);
    },
  };
}

const INDEX = ".git/code-intel/index.db";
let sampleIndex: Promise<Uint8Array> | undefined;

/**
 * The index of a worktree with the sample before and after its edits. One file of it serves all worktrees of a
 * repository, so that a server finds the contents known at paths of its own; else each would compile the patterns
 * of the grammar for four files.
 */
async function buildSampleIndex(): Promise<Uint8Array> {
  await using repo = await createTempRepo({ files: SAMPLE_FILES });
  const services = await createServices({
    features: FEATURES,
    projectDir: repo.dir,
    logger: SILENT_LOGGER,
    offered: [],
    analyser: OWN_THREAD,
    get: (name) =>
      ({ CODE_INTEL_STATE_DIR: join(repo.dir, ".git"), CODE_INTEL_EMBEDDING_MODEL: "none" })[name],
  });
  try {
    await services.index.sync();
    await repo.write(SAMPLE_EDITS as Readonly<Record<string, string>>);
    await services.index.sync();
  } finally {
    await services.close();
  }
  return await Deno.readFile(join(repo.dir, INDEX));
}

/** Installs a git hook written in shell. */
export async function installHook({ repo }: Project, name: string, script: string): Promise<void> {
  await repo.write({ [`.git/hooks/${name}`]: `#!/bin/sh\n${script}\n` });
  await Deno.chmod(join(repo.dir, ".git/hooks", name), 0o755);
}

/** Branches that sessions made and that still stand. */
export async function listTaskBranches({ repo }: Project): Promise<string> {
  return await repo.git("branch", "--list", "llm_task_*");
}

/** The lines of `after` that differ from `before`, as a range; removals give the place. */
export function toRange(before: string, after: string): string {
  const old = before.split("\n");
  const now = after.split("\n");
  let start = 0;
  while (start < now.length && start < old.length && now[start] === old[start]) start++;
  let same = 0;
  const most = Math.min(now.length, old.length) - start;
  while (same < most && now[now.length - 1 - same] === old[old.length - 1 - same]) same++;
  const total = after.endsWith("\n") ? now.length - 1 : now.length;
  const first = Math.min(start + 1, Math.max(total, 1));
  const last = Math.min(Math.max(now.length - same, first), Math.max(total, 1));
  return first === last ? `${first}` : `${first}-${last}`;
}
