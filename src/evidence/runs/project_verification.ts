/**
 * Everything about verification of one project in one place: its commands, whether they are
 * trusted, and the runner.
 */
import { delimiter, join } from "node:path";
import { findProgram } from "../../base/processes/arguments.ts";
import { readRegularText } from "../../base/files/regular_file.ts";
import { LIMITS } from "../../base/settings/limits.ts";
import type { ContextSettings, ProjectConfig } from "../../base/settings/config.ts";
import type { Problem } from "../../base/problem.ts";
import { toProblem } from "../../base/problem.ts";
import type { Repository } from "../../git/repository.ts";
import type { FixedCoverage } from "../../phase/state.ts";
import type { Checkout, CheckoutInput } from "../checkout/with_checkout.ts";
import { withCheckout } from "../checkout/with_checkout.ts";
import type { TrustStore } from "./trust.ts";
import { toRepositoryKey } from "./trust.ts";
import type { EnforcementMode, TrustEntry, TrustSource } from "./trust_list.ts";
import { compareSurroundings, readSurroundings } from "./surroundings.ts";
import type { CommandsUnderTrust } from "./trusted_commands.ts";
import { loadCommandsUnderTrust } from "./trusted_commands.ts";
import type { UnrunCheck } from "./unrun_checks.ts";
import { CHECK_SOURCES, listUnrunChecks } from "./unrun_checks.ts";
import type { VerificationRunner } from "./verification.ts";
import type { VerifyRow } from "./verify_commands.ts";
import { toVerifyCommands } from "./verify_commands.ts";

/** The present commands of the project. */
export interface ProjectCommands extends CommandsUnderTrust {
  /** Whether a person allowed exactly these commands; true where there are none. */
  readonly isTrusted: boolean;
  /** Whether the commands run once on the untouched tree. */
  readonly baseline: "auto" | "off";
  /** Whether they run in a clean checkout, where that works. */
  readonly checkout: "auto" | "off";
  /** Names of ignored folders that are lent to the checkout. */
  readonly lend: readonly string[];
  /** What is asked of coverage; null for sessions of older versions. */
  readonly coverage: FixedCoverage | null;
  /** What is wrong with the configured rows. */
  readonly problems: readonly Problem[];
  /** Rows that cannot be run at all, so that what they would prove stays unknown. */
  readonly faults: readonly Problem[];
}

/** What the configuration says about verification. */
export interface VerifySettings {
  readonly verify: readonly VerifyRow[];
  readonly baseline: "auto" | "off";
  /** Absent in sessions of older versions, which go on in the worktree. */
  readonly checkout?: "auto" | "off";
  readonly lend?: readonly string[];
  readonly coverage?: FixedCoverage;
  /** Rows that could not be read. */
  readonly faults: readonly Problem[];
}

/** The verification of one project, as the workflow and the command line use it. */
export interface ProjectVerification {
  readonly runner: VerificationRunner;
  /** The user's state folder, in which runs have their folders; null without a home folder. */
  readonly stateDir: string | null;
  /** The user's decisions about all repositories. */
  readonly trust: TrustStore;
  /** The key of this repository in the trust store. */
  readRepositoryKey(): Promise<string>;
  /**
   * Reads the commands, the texts behind them, and whether they are trusted; with the given
   * settings, or else with those of the configuration.
   */
  loadCommands(fixed?: VerifySettings): Promise<ProjectCommands>;
  /** Checks that the project configures and that none of its present commands runs, and whether they can run here. */
  listUnrunChecks(): Promise<readonly FoundCheck[]>;
  /** What the configuration says about verification now. */
  readSettings(): Promise<VerifySettings>;
  /** Remembers that a person allowed the commands that they were shown. */
  trustCommands(shown: CommandsUnderTrust, by: TrustSource): Promise<TrustEntry>;
  /** What differs in programs and variables from the moment in which a person allowed the commands, a sentence each. */
  compareWithTrust(
    shown: Pick<CommandsUnderTrust, "hash" | "commands">,
  ): Promise<readonly string[]>;
  /**
   * Runs `action` with a clean checkout of a tree, or with the reason why there is none, as the end of a sentence.
   */
  useCheckout<T>(
    input: CheckoutInput,
    action: (checkout: Checkout | string) => Promise<T>,
  ): Promise<T>;
  /** The enforcement mode of the next session: another one than `strict` only when a person confirmed it. */
  readEnforcement(): Promise<EnforcementMode>;
  /** The mode of a session that begins; the person's word for it holds for this session alone. */
  takeEnforcement(): Promise<EnforcementMode>;
  /** What was allowed in the person's name since the last session began, a sentence each; it is told once. */
  takeWords(): Promise<readonly string[]>;
}

/** What it is built from. */
export interface ProjectVerificationOptions {
  readonly projectRoot: string;
  readonly runner: VerificationRunner;
  readonly trust: TrustStore;
  readonly openRepo: () => Promise<Repository | null>;
  /** The user's state folder, in which checkouts are made; null without a home folder. */
  readonly stateDir: string | null;
  readonly loadConfig: () => Promise<
    & Pick<
      ProjectConfig,
      "verify" | "verify_baseline" | "verify_checkout" | "verify_lend" | "enforcement"
    >
    & { readonly warnings: readonly Problem[] }
  >;
  /** What `context.yml` says about coverage. */
  readonly loadCoverage: () => Promise<ContextSettings["coverage"]>;
}

/** A check that no command runs, and whether its program is on this machine. */
export interface FoundCheck extends UnrunCheck {
  readonly isFound: boolean;
}

/** Makes the verification of one project; nothing is read before the first question. */
export function createProjectVerification(
  options: ProjectVerificationOptions,
): ProjectVerification {
  const { projectRoot, runner, trust, openRepo, loadConfig, loadCoverage } = options;
  const readRepositoryKey = async () => await toRepositoryKey(projectRoot, await openRepo());
  const readSettings = async () => {
    const [config, { files, changed_lines: changedLines, node }] = await Promise.all([
      loadConfig(),
      loadCoverage(),
    ]);
    const { verify, verify_baseline: baseline, verify_checkout: checkout, warnings } = config;
    const faults = warnings.filter(isVerifyFault);
    const coverage = { files, changedLines, node };
    return { verify, baseline, checkout, lend: config.verify_lend, coverage, faults };
  };
  const readEnforcement = async () => {
    const { enforcement } = await loadConfig();
    if (enforcement === "strict") return "strict";
    const confirmed = await trust.readConfirmedMode(await readRepositoryKey());
    return confirmed === enforcement ? enforcement : "strict";
  };
  const loadOwn = async (settings: VerifySettings) => {
    const { commands, problems } = toVerifyCommands(settings.verify);
    return { problems, found: await loadCommandsUnderTrust(projectRoot, commands) };
  };
  return {
    runner,
    stateDir: options.stateDir,
    trust,
    readRepositoryKey,
    readSettings,
    loadCommands: async (fixed) => {
      const settings = fixed ?? await readSettings();
      const { baseline, checkout = "off", lend = [], coverage = null, faults } = settings;
      const { found, problems } = await loadOwn(settings);
      const isTrusted = found.commands.length === 0 ||
        await trust.isTrusted(await readRepositoryKey(), found.hash);
      return { ...found, isTrusted, baseline, checkout, lend, coverage, problems, faults };
    },
    listUnrunChecks: async () =>
      await listFoundChecks(projectRoot, (await loadOwn(await readSettings())).found),
    trustCommands: async (shown, by) => {
      const surroundings = await readSurroundings(projectRoot, shown.commands);
      return await trust.trust(await readRepositoryKey(), { ...shown, surroundings }, by);
    },
    compareWithTrust: async ({ hash, commands }) => {
      const [key, { entries }] = [await readRepositoryKey(), await trust.list()];
      const then = entries.findLast((entry) => entry.repository === key && entry.hash === hash);
      if (then?.surroundings === undefined) return [];
      return compareSurroundings(then.surroundings, await readSurroundings(projectRoot, commands));
    },
    useCheckout: async (input, action) => {
      const [repo, { stateDir }] = [await openRepo(), options];
      if (repo === null) return await action("there is no git repository");
      if (stateDir === null) return await action("there is no home folder to put it");
      return await withCheckout({ repo, stateDir }, input, action);
    },
    readEnforcement,
    takeEnforcement: async () => {
      const mode = await readEnforcement();
      if (mode !== "strict") await trust.useMode(await readRepositoryKey());
      return mode;
    },
    takeWords: async () => {
      const words = await trust.takeWords(await readRepositoryKey());
      return words.map(({ at, by, what }) => `${at} (${by}): ${what}`);
    },
  };
}

/** Looks for configured checks at the top of the project. */
function readUnrunChecks(
  projectRoot: string,
  { commands, behind }: CommandsUnderTrust,
): readonly UnrunCheck[] {
  const bounds = { within: projectRoot, maxBytes: LIMITS.documentBytes.value };
  const texts = CHECK_SOURCES.flatMap((name) => {
    const text = readRegularText(join(projectRoot, name), bounds);
    return text === undefined ? [] : [[name, text] as const];
  });
  return listUnrunChecks(Object.fromEntries(texts), [
    ...commands.map(({ run }) => run.join(" ")),
    ...behind.map(({ text }) => text ?? ""),
  ]);
}

/**
 * Whether a fault of the configuration keeps a command from running; a fault without a key concerns
 * the whole file.
 */
function isVerifyFault({ at = "verify" }: Problem): boolean {
  return at === "verify" || at.startsWith("verify.");
}

/** The refusal of commands that nobody allowed, with the ways to go on outside a session. */
export function toUntrusted(commands: CommandsUnderTrust): Problem {
  // A name of several words could be a sentence to the agent, and nobody has read it yet.
  const names = commands.commands.map(({ name }, at) =>
    /^[\w.:@/+-]{1,60}$/.test(name) ? name : `#${at + 1}`
  )
    .join(", ");
  return toProblem("verify_untrusted", `Nobody allowed these commands to run yet: ${names}`, {
    path: ".code-intel/config.json",
    hint: "The person looks at them and allows them with `code-intel trust` at a terminal.",
  });
}

/** Where the package managers of projects put programs that no `PATH` has. */
const PROJECT_PROGRAMS = ["node_modules/.bin", ".venv/bin", "venv/bin"];

async function listFoundChecks(
  cwd: string,
  commands: CommandsUnderTrust,
): Promise<readonly FoundCheck[]> {
  const path = [...PROJECT_PROGRAMS.map((folder) => join(cwd, folder)), Deno.env.get("PATH") ?? ""]
    .join(delimiter);
  return await Promise.all(
    readUnrunChecks(cwd, commands).map(async (check) => {
      const [first = ""] = check.run;
      // `npx` would fetch what the project does not have.
      const program = first === "npx" ? check.run[1] ?? first : first;
      return { ...check, isFound: await findProgram(program, { cwd, path }) !== null };
    }),
  );
}
