/**
 * The parts of the services that do not depend on the project's code: folder, settings, sessions,
 * git and verification. Neither the index nor the protocol is loaded, so that a hook answers at
 * once.
 */
import type { RunnerOptions, VerificationRunner } from "../evidence/runs/verification_runner.ts";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { SYSTEM_CLOCK } from "../base/clock.ts";
import { readControlFile } from "../base/files/control_file.ts";
import { lazyObject, loadOnce } from "../base/lazy.ts";
import type { Logger } from "../base/logger.ts";
import type { Seal } from "../base/files/seal.ts";
import { createSeal } from "../base/files/seal.ts";
import { findStateDir } from "../base/files/user_folders.ts";
import { isText, languageOfPath } from "../language/languages.ts";
import type { SettingsReader } from "../context/settings.ts";
import { createSettingsReader } from "../context/settings.ts";
import type {
  ProjectVerification,
  ProjectVerificationOptions,
} from "../evidence/runs/project_verification.ts";
import type { OpenRepo, PrivateRepository } from "../git/private_repository.ts";
import {
  createPrivateRepository,
  createRepositoryOpener,
  nullWhereUnusable,
} from "../git/private_repository.ts";
import type { FixedVerify } from "../phase/state.ts";
import { findProjectRoot } from "../place/project_root.ts";
import type { SessionStore } from "../session/store_api.ts";
import { listSessionIds } from "../session/archive.ts";
import type { SessionStoreOptions } from "../session/store.ts";
import { toPlainIndexDir } from "./project_files.ts";
import type { SessionAnswers } from "./session_parts.ts";
import type { WorkflowDeps } from "../workflow/context/deps.ts";
import { createContextDeps } from "../workflow/context/context_deps.ts";

/** What a basis is made for. */
export interface BasisOptions {
  /** Any folder of the project, or with `isNamed` the project itself. */
  readonly projectDir: string;
  /** True where a person named the folder. Default false. */
  readonly isNamed?: boolean;
  readonly logger: Logger;
  /** Names of the tools that can be called. */
  readonly offered: readonly string[];
  /** Value of a variable of the environment; default the real one. */
  readonly get?: (name: string) => string | undefined;
}

/** The parts of the services that do not depend on the project's code. */
export interface ProjectBasis {
  readonly place: {
    readonly projectRoot: string;
    readonly codeIntelDir: string;
    /** Where the index lies without git: questions leave nothing in a folder that nobody set up. */
    readonly plainIndexDir: string;
  };
  readonly settings: SettingsReader;
  /** The user's state folder of the program; null without a home folder. */
  readonly stateDir: string | null;
  readonly seal: Seal;
  readonly store: SessionStore;
  readonly openRepo: OpenRepo;
  /** Like `openRepo`, but null where git cannot be used. */
  readonly openUsable: OpenRepo;
  /** The states of the files of sessions without git. */
  readonly states: PrivateRepository;
  readonly verification: ProjectVerification;
  /**
   * Hashes, by project path, of the files that must stay the same during a session even where git
   * ignores them.
   */
  readonly hashTexts: WorkflowDeps["hashProtectedTexts"];
  /** What a workflow needs, except lists of files, symbols, and what was learned. */
  readonly workflowDeps: Omit<
    WorkflowDeps,
    keyof SessionAnswers | "listFiles" | "attest" | "addition"
  >;
}

/**
 * Builds the parts. Nothing is opened yet, and of the project only its folder is looked up.
 *
 * @throws {CodeIntelError} `io_failed` when there is no such folder, `not_a_project`.
 */
export async function createBasis(options: BasisOptions): Promise<ProjectBasis> {
  const { logger, offered, get = (name: string) => Deno.env.get(name) } = options;
  const projectRoot = await findProjectRoot(options.projectDir, options);
  const codeIntelDir = join(projectRoot, ".code-intel");
  const settings = createSettingsReader({ codeIntelDir, get });
  const stateDir = findStateDir({ os: Deno.build.os, get });
  const plainIndexDir = toPlainIndexDir(stateDir, projectRoot);
  const place = { projectRoot, codeIntelDir, plainIndexDir };
  const seal = createSeal(stateDir);
  const store = openSessions({ ...place, seal, stateDir, clock: SYSTEM_CLOCK, logger });
  const openRepo = createRepositoryOpener(projectRoot, SYSTEM_CLOCK);
  const openUsable = nullWhereUnusable(openRepo);
  const states = createPrivateRepository(place, SYSTEM_CLOCK);
  const verification = openVerification({
    projectRoot,
    runner: openRunner({ ...place, stateDir, seal, clock: SYSTEM_CLOCK, logger }),
    trust: lazyObject(
      loadOnce(async () => {
        const options = { stateDir, seal, clock: SYSTEM_CLOCK };
        return new (await import("../evidence/runs/trust.ts")).TrustStore(options);
      }),
      {},
    ),
    openRepo: openUsable,
    ...{ stateDir, seal },
    loadConfig: () => settings.read().then(({ config }) => ({ ...config.values, ...config })),
    loadCoverage: () => settings.read().then(({ context }) => context.values.coverage),
  });
  const hashTexts = (fixed?: FixedVerify) => hashProtectedTexts(codeIntelDir, verification, fixed);
  const workflowDeps = {
    ...place,
    openRepo,
    states,
    store,
    clock: SYSTEM_CLOCK,
    logger,
    offered,
    isSourceFile,
    verification,
    takeEnforcement: () => verification.takeEnforcement(),
    hashProtectedTexts: hashTexts,
    ...createContextDeps(place, settings, { verification }),
  };
  const parts = { place, settings, stateDir, seal, store, openRepo, openUsable, states };
  return { ...parts, verification, hashTexts, workflowDeps };
}

/** A project without a session is asked about its code without loading what checks a checkpoint. */
function openSessions(options: SessionStoreOptions): SessionStore {
  const load = loadOnce(async () =>
    (await import("../session/store.ts")).createSessionStore(options)
  );
  const sessionsDir = join(options.codeIntelDir, "sessions");
  // A store that was opened may know more than the disk shows: what it saved, and what it has to tell.
  const hasNone = async () =>
    load.started === undefined && (await listSessionIds(sessionsDir)).length === 0;
  return lazyObject(load, {
    loadAll: async () => await hasNone() ? [] : await (await load()).loadAll(),
    findActive: async () => await hasNone() ? null : await (await load()).findActive(),
    takeNotices: async (active) => {
      const isQuiet = active === null ? load.started === undefined : await hasNone();
      return isQuiet ? [] : await (await load()).takeNotices(active);
    },
  });
}

/** Questions about code run no commands, so verification is loaded when a session or a user asks for it. */
function openVerification(options: ProjectVerificationOptions): ProjectVerification {
  const load = loadOnce(async () =>
    new (await import("../evidence/runs/project_verification.ts")).ProjectVerification(options)
  );
  const { runner, trust, stateDir } = options;
  return lazyObject(load, { runner, trust, stateDir });
}

function openRunner(options: RunnerOptions): VerificationRunner {
  const load = loadOnce(async () =>
    new (await import("../evidence/runs/verification_runner.ts")).VerificationRunner(options)
  );
  // A runner that was never asked has nothing to cancel.
  return lazyObject(load, { close: async () => await (await load.started)?.close() });
}

/** A project that has only documents and data has no code to explore. */
function isSourceFile(path: string): boolean {
  const language = languageOfPath(path);
  return language !== undefined && !isText(language);
}

/**
 * Files whose text at the start of a session holds for all of it, whether git knows them or not.
 */
const RULE_FILES = ["config.json", "phase_contract.yml"] as const;

/** Hashes of the rules of a session and of the texts behind the verification commands, by path. */
async function hashProtectedTexts(
  codeIntelDir: string,
  verification: ProjectVerification,
  fixed: FixedVerify | undefined,
): Promise<Readonly<Record<string, string>>> {
  const { behind } = await verification.loadCommands(fixed);
  const rules = RULE_FILES.map((name) => readRules(join(codeIntelDir, name), name));
  const texts = new Map<string, (string | null)[]>();
  const add = (path: string, ...text: (string | null)[]) =>
    texts.set(path, [...texts.get(path) ?? [], ...text]);
  for (const { path, name, text } of behind) add(path, name, text);
  RULE_FILES.forEach((name, at) => add(`.code-intel/${name}`, rules[at] ?? null));
  return Object.fromEntries([...texts].map(([path, parts]) => [path, hashText(parts)]));
}

/** The text of a file; for an unusable file the reason, which counts as another text. */
function readRules(path: string, name: (typeof RULE_FILES)[number]): string | undefined {
  const reading = readControlFile(path, name === "config.json" ? "config" : "contract");
  if (reading.kind === "unusable") return String(reading.problem.message);
  return reading.kind === "text" ? reading.text : undefined;
}

function hashText(parts: readonly (string | null)[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 16);
}
