/**
 * A real project with the real workflow over it, in this process: real git, real store. It walks a
 * session quickly to a stage, and can "kill" the program between an effect and its checkpoint.
 */
import { FEATURES } from "../../src/features/features.ts";
import { join } from "node:path";
import { strictEqual as equal } from "node:assert/strict";
import { SILENT_LOGGER } from "../../src/base/logger.ts";
import type { SessionState } from "../../src/phase/state.ts";
import type { SessionStore } from "../../src/session/store_api.ts";
import type { Extension } from "../../src/services/extension.ts";
import type { Services } from "../../src/services/services_api.ts";
import { createServices } from "../../src/services/services.ts";
import type { StartInput } from "../../src/workflow/calls/start.ts";
import type { Workflow } from "../../src/workflow/workflow_api.ts";
import { speakToAgents } from "../support/session/agent_words.ts";
import type { TempRepo, TempRepoOptions } from "../support/temp_repo.ts";
import type { Stage } from "../support/session/stage_copy.ts";
import { keepStage, placeStage } from "../support/session/stage_copy.ts";
import { adoptRepo, createTempRepo } from "../support/temp_repo.ts";
import { giveUp } from "../support/temp_folder.ts";
import { OWN_THREAD } from "../../src/analysis/analysis_pool.ts";

/** A reply as tests read it. */
// deno-lint-ignore no-explicit-any -- tests read replies freely
export type Answer = any;

/** How the project is made. */
export interface ProjectOptions extends TempRepoOptions {
  /** Folder of the repository that is the project; default the whole of it. */
  readonly subfolder?: string;
  /** A mode that the configuration names and the person confirmed. */
  readonly enforcement?: "warn" | "off";
  /** What the program has beside its core; default all features. */
  readonly features?: readonly Extension[];
  /** Tools that the server offers; default none, so that no step asks for a call. */
  readonly offered?: readonly string[];
  /**
   * What is to have happened already. It is done once for all projects of a test file that are made alike, and
   * each gets a copy of where that ended: name a function of the file, since one made anew is done anew.
   */
  readonly after?: Walk;
}

/** Leads a new project to where tests begin. */
export type Walk = (project: Project) => Promise<unknown>;

/** Walks to the first step of a fast session. */
export async function started(project: Project): Promise<void> {
  expectOk(await project.start());
}

const plans = new Map<string, Walk>();

/** Walks to READY implement of a fast session, with a task for each item. */
export function planned(...items: readonly string[]): Walk {
  const key = JSON.stringify(items);
  const walk = plans.get(key) ?? (async (project: Project) => {
    await started(project);
    await project.plan(...items);
  });
  plans.set(key, walk);
  return walk;
}

/** A project, its workflow, and what tests do with them. */
export interface Project extends AsyncDisposable {
  readonly repo: TempRepo;
  /** Absolute path of the project. */
  readonly root: string;
  /** The folder that takes the place of the person's own. */
  readonly stateDir: string;
  readonly workflow: Workflow;
  readonly store: SessionStore;
  /** The verification commands of the project, and who allowed them. */
  readonly verification: Services["verification"];
  /** Everything else that was built for the project. */
  readonly services: Services;
  /** Starts a session, by default one that goes to READY at once, with a branch. */
  start(input?: Partial<StartInput>): Promise<Answer>;
  submit(data: unknown): Promise<Answer>;
  /** The same; fails the test when the payload is refused. */
  must(data: unknown): Promise<Answer>;
  /** The frame of a fast session and a plan of one more task an item; leads to READY implement. */
  plan(...items: readonly string[]): Promise<Answer>;
  clear(...paths: readonly string[]): Promise<Answer>;
  /** Books files as explored, clears and writes them, then reports the next task. */
  work(edits: Readonly<Record<string, string>>, evidence: readonly string[]): Promise<Answer>;
  /** The state on disk of the session that is not over, or of a given one. */
  state(id?: string): Promise<SessionState>;
  /** A workflow of another process on the same project. */
  reopen(): Promise<Workflow>;
  /** From now on the checkpoint after an effect is not written: the program dies there. */
  killAfterEffects(): { restore(): void };
  /** The next checkpoint with an intent is saved, and nothing is done of it. */
  killBeforeEffects(): { restore(): void };
}

/** What a killed process would have said. */
export const KILLED = "killed before the checkpoint";

/** A start that reaches READY in two payloads. */
export const FAST_START: StartInput = {
  intent: "MODIFY",
  query: "add a login form",
  gateLevel: "auto",
  flags: { fast: true, no_doc: true, no_verify: true },
  docResearchPrompts: [],
};

/** The fields that every payload has. */
export const COMMON = { summary: "what was done", tools_used: [] } as const;

/** An empty query frame. */
export const FRAME = {
  ...COMMON,
  action_type: "modify",
  slots: {},
  target_symbols: [],
  scope: "",
  constraints: [],
} as const;

const SIGNAL = new AbortController().signal;

/** Makes a git project. */
export async function createProject(options: ProjectOptions = {}): Promise<Project> {
  const { after, ...rest } = options;
  if (after === undefined) return await makeProject(rest);
  const stages = stagesOf.get(after) ?? new Map<string, Promise<Stage>>();
  stagesOf.set(after, stages);
  const key = JSON.stringify(rest);
  const stage = stages.get(key) ?? walkOnce(after, rest);
  stages.set(key, stage);
  const { dir, stateDir } = await placeStage(await stage);
  return await openProject(await adoptRepo(dir), { ...rest, stateDir });
}

/** Where walks ended, by their projects. */
const stagesOf = new Map<Walk, Map<string, Promise<Stage>>>();

async function walkOnce(walk: Walk, options: ProjectOptions): Promise<Stage> {
  await using project = await makeProject(options);
  await walk(project);
  return keepStage({ dir: project.repo.dir, stateDir: project.stateDir });
}

async function makeProject(options: ProjectOptions): Promise<Project> {
  const repo = await createTempRepo({
    files: { "README.md": "# Test\n", "src/a.ts": toLines(10), "src/b.ts": toLines(5) },
    ...options,
  });
  const project = await openProject(repo, options);
  if (options.enforcement !== undefined) await confirmMode(project, options.enforcement);
  return project;
}

async function confirmMode({ repo, verification }: Project, mode: "warn" | "off"): Promise<void> {
  const text = JSON.stringify({ enforcement: mode });
  await repo.commit("Configure", { ".code-intel/config.json": text });
  await verification.trust.confirmMode(await verification.readRepositoryKey(), mode, "terminal");
}

/** The words `line 1` to `line <count>`, each on its line. */
export function toLines(count: number): string {
  return Array.from({ length: count }, (_, at) => `line ${at + 1}\n`).join("");
}

/** Makes a project in no repository. */
export async function createPlainProject(
  files: Readonly<Record<string, string>>,
): Promise<Project> {
  const repo = await createTempRepo({ files: null });
  await Deno.remove(join(repo.dir, ".git"), { recursive: true });
  await repo.write(files);
  return await openProject(repo, {});
}

async function openProject(
  repo: TempRepo,
  options: ProjectOptions & { readonly stateDir?: string },
): Promise<Project> {
  const stateDir = options.stateDir ??
    await Deno.makeTempDir({ prefix: "code-intel-state-" });
  const root = join(repo.dir, options.subfolder ?? "");
  const isNamed = options.subfolder !== undefined;
  if (isNamed) await Deno.mkdir(root, { recursive: true });
  const open = () =>
    createServices({
      features: options.features ?? FEATURES,
      projectDir: root,
      isNamed,
      logger: SILENT_LOGGER,
      offered: options.offered ?? [],
      analyser: OWN_THREAD,
      get: (name) => name === "CODE_INTEL_STATE_DIR" ? stateDir : Deno.env.get(name),
    });
  const opened = await open();
  const { sessions: store, verification } = opened;
  const workflow = speakToAgents(opened.workflow);
  const submit = (data: unknown): Promise<Answer> => workflow.submitPhase(data, SIGNAL);
  const must = async (data: unknown) => expectOk(await submit(data));
  const clear = (...paths: readonly string[]): Promise<Answer> =>
    workflow.checkWriteTarget({ paths, allowNewFiles: true });
  return {
    repo,
    root,
    stateDir,
    workflow,
    store,
    verification,
    services: opened,
    submit,
    must,
    clear,
    start: (input = {}) => workflow.startSession({ ...FAST_START, ...input }, SIGNAL),
    async plan(...items) {
      const { phase } = await workflow.getStatus({}) as Answer;
      if (phase === "QUERY_FRAME") await must(FRAME);
      const { tasks } = await readState(store);
      const kept = tasks.map(({ id, description, status, checklist }) => ({
        id,
        description,
        status,
        checklist,
      }));
      return await must({ ...COMMON, tasks: [...kept, ...toTasks(items, kept.length)] });
    },
    async work(edits, evidence) {
      const paths = Object.keys(edits);
      expectOk(await workflow.addExploredFiles(paths));
      expectOk(await clear(...paths));
      for (const [path, text] of Object.entries(edits)) {
        await Deno.writeTextFile(join(root, path), text);
      }
      const task = (await readState(store)).tasks.find(({ status }) => status !== "completed");
      return await submit({
        ...COMMON,
        task_id: task?.id,
        checklist: task?.checklist.map(({ item }, index) => ({
          item,
          status: "done",
          evidence: evidence[index] ?? "",
        })),
      });
    },
    state: (id) => readState(store, id),
    reopen: async () => speakToAgents((await open()).workflow),
    killAfterEffects: () => armKill(store),
    killBeforeEffects: () => armEarlyKill(store),
    async [Symbol.asyncDispose]() {
      await repo[Symbol.asyncDispose]();
      await giveUp(stateDir);
    },
  };
}

function toTasks(items: readonly string[], before: number) {
  return items.map((item, index) => ({
    id: `task_${before + index + 1}`,
    description: item,
    status: "pending",
    checklist: [{ item, status: "pending" }],
  }));
}

async function readState(store: SessionStore, id?: string): Promise<SessionState> {
  const all = id === undefined ? await store.loadAll() : [await store.load(id)];
  const wanted = ["active", ...(id === undefined ? ["parked"] : ["parked", "ended"])];
  const [found] = wanted.flatMap((status) =>
    all.filter((outcome) => outcome.kind === "loaded" && outcome.checkpoint.state.status === status)
  );
  if (found?.kind !== "loaded") throw new Error(`No session: ${JSON.stringify(all)}`);
  return found.checkpoint.state;
}

/** The first save keeps the intent; the one that would close it never happens. */
function armKill(store: SessionStore) {
  const target = store as { save: SessionStore["save"] };
  const save = target.save.bind(store);
  let isPending = false;
  target.save = async (body, options) => {
    if (isPending && body.state.pending === null) throw new Error(KILLED);
    isPending = body.state.pending !== null;
    return await save(body, options);
  };
  return { restore: () => void (target.save = save) };
}

function armEarlyKill(store: SessionStore) {
  const target = store as { save: SessionStore["save"] };
  const save = target.save.bind(store);
  target.save = async (body, options) => {
    const saved = await save(body, options);
    if (body.state.pending !== null) throw new Error(KILLED);
    return saved;
  };
  return { restore: () => void (target.save = save) };
}

/** Fails the test with the whole reply when a call was refused. */
export function expectOk(reply: Answer): Answer {
  if (reply.ok !== true) throw new Error(JSON.stringify(reply, null, 1));
  return reply;
}

/** Codes of the problems of a reply. */
export function codesOf(reply: Answer): readonly string[] {
  return (reply.problems ?? []).map(({ code }: Answer) => code);
}

/** A refusal with exactly these codes, and a hint for each. */
export function expectRefused(reply: Answer, ...codes: readonly string[]): Answer {
  equal(reply.ok, false, JSON.stringify(reply));
  equal(codesOf(reply).join(), codes.join(), JSON.stringify(reply.problems));
  for (const problem of reply.problems) equal(typeof problem.hint, "string", problem.code);
  equal(typeof reply.call, "string", "a refusal names the next call");
  return reply;
}
