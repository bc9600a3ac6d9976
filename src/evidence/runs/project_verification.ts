/**
 * Everything about verification of one project in one place: its commands, whether they are
 * trusted, and the runner.
 */
import { delimiter, join } from "node:path";
import type { Answer, UserPrompt } from "../../base/asker.ts";
import { findProgram } from "../../base/processes/arguments.ts";
import { readRegularText } from "../../base/files/regular_file.ts";
import { LIMITS } from "../../base/settings/limits.ts";
import type { Seal } from "../../base/files/seal.ts";
import type { ContextSettings, ProjectConfig } from "../../base/settings/config_keys.ts";
import type { Problem } from "../../base/problem.ts";
import { makeProblem } from "../../base/problem.ts";
import type { Repository } from "../../git/repository.ts";
import type { FixedCoverage } from "../../phase/state.ts";
import type { Checkout, CheckoutInput } from "../checkout/with_checkout.ts";
import { withCheckout } from "../checkout/with_checkout.ts";
import type { EnforcementMode, TrustEntry, TrustSource, TrustStore } from "./trust.ts";
import { findRepositoryKey } from "./trust.ts";
import { compareRunEnvironments, readRunEnvironment } from "./run_environment.ts";
import type { CommandsUnderTrust } from "./trusted_commands.ts";
import { formatTrustText, loadCommandsUnderTrust } from "./trusted_commands.ts";
import type { UnrunCheck } from "./unrun_checks.ts";
import { CHECK_SOURCES, listUnrunChecks } from "./unrun_checks.ts";
import type { VerificationRunner } from "./verification_runner.ts";
import type { VerifyRow } from "./verify_commands.ts";
import { parseVerifyCommands } from "./verify_commands.ts";

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

/** What it is built from. */
export interface ProjectVerificationOptions {
  readonly projectRoot: string;
  readonly runner: VerificationRunner;
  readonly trust: TrustStore;
  readonly openRepo: () => Promise<Repository | null>;
  /** The user's state folder, in which checkouts are made; null without a home folder. */
  readonly stateDir: string | null;
  readonly seal: Seal;
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

/** The verification of one project, as the workflow and the command line use it; nothing is read before the first question. */
export class ProjectVerification {
  readonly #options: ProjectVerificationOptions;
  readonly runner: VerificationRunner;
  /** The user's state folder, in which runs have their folders; null without a home folder. */
  readonly stateDir: string | null;
  /** The user's decisions about all repositories. */
  readonly trust: TrustStore;

  constructor(options: ProjectVerificationOptions) {
    this.#options = options;
    this.runner = options.runner;
    this.stateDir = options.stateDir;
    this.trust = options.trust;
  }

  /** The key of this repository in the trust store. */
  async readRepositoryKey(): Promise<string> {
    const { projectRoot, openRepo } = this.#options;
    return await findRepositoryKey(projectRoot, await openRepo());
  }

  /** What the configuration says about verification now. */
  async readSettings(): Promise<VerifySettings> {
    const { loadConfig, loadCoverage } = this.#options;
    const [config, coverage] = await Promise.all([loadConfig(), loadCoverage()]);
    const { files, changed_lines: changedLines, node } = coverage;
    return {
      verify: config.verify,
      baseline: config.verify_baseline,
      checkout: config.verify_checkout,
      lend: config.verify_lend,
      coverage: { files, changedLines, node },
      faults: config.warnings.filter(isVerifyFault),
    };
  }

  /**
   * Reads the commands, the texts behind them, and whether they are trusted; with the given
   * settings, or else with those of the configuration.
   */
  async loadCommands(fixed?: VerifySettings): Promise<ProjectCommands> {
    const settings = fixed ?? await this.readSettings();
    const { baseline, checkout = "off", lend = [], coverage = null, faults } = settings;
    const { commands, problems } = parseVerifyCommands(settings.verify);
    const found = await loadCommandsUnderTrust(this.#options.projectRoot, commands);
    const isTrusted = found.commands.length === 0 ||
      await this.trust.isTrusted(await this.readRepositoryKey(), found.hash);
    return { ...found, isTrusted, baseline, checkout, lend, coverage, problems, faults };
  }

  /** Checks that the project configures and that none of its present commands runs, and whether they can run here. */
  async listUnrunChecks(): Promise<readonly FoundCheck[]> {
    const { projectRoot } = this.#options;
    const { commands } = parseVerifyCommands((await this.readSettings()).verify);
    return await listFoundChecks(projectRoot, await loadCommandsUnderTrust(projectRoot, commands));
  }

  /** Remembers that a person allowed the commands that they were shown. */
  async trustCommands(shown: CommandsUnderTrust, by: TrustSource): Promise<TrustEntry> {
    const surroundings = await readRunEnvironment(this.#options.projectRoot, shown.commands);
    return await this.trust.trust(await this.readRepositoryKey(), { ...shown, surroundings }, by);
  }

  /** Asks a person to allow the commands; what became of the question, `answered` once they are allowed. */
  async askToAllow(
    found: CommandsUnderTrust,
    { asker, signal, about }: {
      readonly asker: UserPrompt;
      readonly signal: AbortSignal;
      /** What the commands are to run for: a session, or a proof. */
      readonly about: string;
    },
  ): Promise<Answer["kind"]> {
    const answer = await asker.ask({
      key: `trust ${about} ${found.hash}`,
      message: formatTrustText(found, { maxLines: 40 }),
      fields: [{
        name: "allow",
        title: "Allow these commands to run in this project",
        type: "boolean",
        required: true,
      }],
    }, signal);
    if (answer.kind !== "answered") return answer.kind;
    if (answer.values.allow !== true) return "declined";
    await this.trustCommands(found, asker.source ?? "asked");
    return "answered";
  }

  /** What differs in programs and variables from the moment in which a person allowed the commands, a sentence each. */
  async compareWithTrust(
    { hash, commands }: Pick<CommandsUnderTrust, "hash" | "commands">,
  ): Promise<readonly string[]> {
    const [key, { entries }] = [await this.readRepositoryKey(), await this.trust.list()];
    const then = entries.findLast((entry) => entry.repository === key && entry.hash === hash);
    if (then?.surroundings === undefined) return [];
    const now = await readRunEnvironment(this.#options.projectRoot, commands);
    return compareRunEnvironments(then.surroundings, now);
  }

  /** Runs `action` with a clean checkout of a tree, or with the reason why there is none, as the end of a sentence. */
  async useCheckout<T>(
    input: CheckoutInput,
    action: (checkout: Checkout | string) => Promise<T>,
  ): Promise<T> {
    const [repo, { stateDir }, { seal }] = [await this.#options.openRepo(), this, this.#options];
    if (repo === null) return await action("there is no git repository");
    if (stateDir === null) return await action("there is no home folder to put it");
    return await withCheckout({ repo, stateDir, seal }, input, action);
  }

  /** The enforcement mode of the next session: another one than `strict` only when a person confirmed it. */
  async readEnforcement(): Promise<EnforcementMode> {
    const { enforcement } = await this.#options.loadConfig();
    if (enforcement === "strict") return "strict";
    const confirmed = await this.trust.readConfirmedMode(await this.readRepositoryKey());
    return confirmed === enforcement ? enforcement : "strict";
  }

  /** The mode of a session that begins; the user's word for it holds for this session alone. */
  async takeEnforcement(): Promise<EnforcementMode> {
    const mode = await this.readEnforcement();
    if (mode !== "strict") await this.trust.useMode(await this.readRepositoryKey());
    return mode;
  }

  /** What was allowed in the user's name since the last session began, a sentence each; it is reported once. */
  async takeWords(): Promise<readonly string[]> {
    const words = await this.trust.takeWords(await this.readRepositoryKey());
    return words.map(({ at, by, what }) => `${at} (${by}): ${what}`);
  }
}

/**
 * Whether a fault of the configuration keeps a command from running; a fault without a key concerns
 * the whole file.
 */
function isVerifyFault({ at = "verify" }: Problem): boolean {
  return at === "verify" || at.startsWith("verify.");
}

/** The refusal of commands that nobody allowed, with the ways to go on outside a session. */
export function makeUntrustedProblem(commands: CommandsUnderTrust): Problem {
  // A name of several words could be a sentence to the agent, and nobody has read it yet.
  const names = commands.commands.map(({ name }, at) =>
    /^[\w.:@/+-]{1,60}$/.test(name) ? name : `#${at + 1}`
  )
    .join(", ");
  return makeProblem("verify_untrusted", `Nobody allowed these commands to run yet: ${names}`, {
    path: ".code-intel/config.json",
    hint: "The person looks at them and allows them with `code-intel trust` at a terminal.",
  });
}

/** Where the package managers of projects put programs that no `PATH` has. */
const PROJECT_PROGRAMS = ["node_modules/.bin", ".venv/bin", "venv/bin"];

/** The configured checks at the top of the project that no command runs. */
async function listFoundChecks(
  cwd: string,
  { commands, behind }: CommandsUnderTrust,
): Promise<readonly FoundCheck[]> {
  const bounds = { within: cwd, maxBytes: LIMITS.fileBytes.value };
  const texts = CHECK_SOURCES.flatMap((name) => {
    const text = readRegularText(join(cwd, name), bounds);
    return text === undefined ? [] : [[name, text] as const];
  });
  const checks = listUnrunChecks(Object.fromEntries(texts), [
    ...commands.map(({ run }) => run.join(" ")),
    ...behind.map(({ text }) => text ?? ""),
  ]);
  const path = [...PROJECT_PROGRAMS.map((folder) => join(cwd, folder)), Deno.env.get("PATH") ?? ""]
    .join(delimiter);
  return await Promise.all(checks.map(async (check) => {
    const [first = ""] = check.run;
    // `npx` would fetch what the project does not have.
    const program = first === "npx" ? check.run[1] ?? first : first;
    return { ...check, isFound: await findProgram(program, { cwd, path }) !== null };
  }));
}
