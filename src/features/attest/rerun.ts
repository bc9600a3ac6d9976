/**
 * Repeats the proof of a statement: the attested commands in a clean checkout of the commit's tree, compared by name.
 * What a note says is never run for its own sake: the commands are those of the commit's configuration, and a person
 * has to have allowed exactly them, with the texts behind them.
 */
import type { Clock } from "../../base/clock.ts";
import { checkConfigText } from "../../base/settings/config.ts";
import type { TreePath } from "../../base/paths.ts";
import type { ProjectVerification } from "../../evidence/runs/project_verification.ts";
import type { CommandResult } from "../../evidence/runs/run_command.ts";
import type { VerifyCommand } from "../../evidence/runs/verify_commands.ts";
import { runWithReport } from "../../evidence/runs/run_command.ts";
import { isPassed } from "../../evidence/runs/judge_run.ts";
import { formatCounts } from "../../evidence/runs/run_formats.ts";
import { parseVerifyCommands } from "../../evidence/runs/verify_commands.ts";
import type { Repository } from "../../git/repository.ts";
import { readBlobText } from "../../git/trees/changes.ts";
import { hashCommand } from "./statement.ts";
import type { AttestedCommand, AttestedRun, Statement } from "./statement_schema.ts";

/** What a proof is repeated with. */
export interface RerunOptions {
  readonly repo: Repository;
  readonly verification: Pick<
    ProjectVerification,
    "useCheckout" | "trust" | "readRepositoryKey" | "readSettings"
  >;
  /** Hashes of commands that the caller allows, at least their first 12 digits, beside those that the user trusts. */
  readonly allowed: readonly string[];
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** The tree has more than the attested one: a base that had moved. Other counts are no difference then. */
  readonly isMoved?: boolean;
  /** Called with each command before it starts. */
  readonly onCommand: (name: string) => void | Promise<void>;
}

/** A command then and now. */
export interface RerunCommand {
  readonly name: string;
  /** What differs, a sentence each; empty where nothing does. */
  readonly differences: readonly string[];
  /** What its test runner says now; null where none is known. */
  readonly counts: string | null;
}

/** What came of it. */
export type Rerun =
  | { readonly kind: "same" | "differs"; readonly commands: readonly RerunCommand[] }
  /** The statement has no run of the server, so there is nothing to repeat. */
  | { readonly kind: "nothing" }
  | {
    /** `commands_differ`: not the commands of the commit; `not_allowed`: nobody allowed them; `no_checkout`. */
    readonly kind: "commands_differ" | "not_allowed" | "no_checkout";
    readonly why: string;
    /** The hash to allow, with the commands that it stands for. */
    readonly hash: string;
    readonly commands: readonly VerifyCommand[];
  };

/** Fewer digits of a hash would be guessable. */
const LEAST_DIGITS = 12;

/**
 * Repeats the proof of a statement on a tree. The caller has checked that it is the attested tree,
 * or a merge of it.
 */
export async function rerun(
  statement: Statement,
  tree: string,
  options: RerunOptions,
): Promise<Rerun> {
  const { run } = statement.predicate;
  if (run === null || run.commands.length === 0) return { kind: "nothing" };
  const { verification } = options;
  const { commands: all, lend } = await readCommands(tree, options);
  const hash = run.commandsHash;
  const known = new Map(all.map((command) => [hashCommand(command), command]));
  const commands = run.commands.flatMap(({ hash: one }) => known.get(one) ?? []);
  const refuse = (kind: "commands_differ" | "not_allowed" | "no_checkout", why: string): Rerun => ({
    kind,
    why,
    hash,
    commands: all,
  });
  if (commands.length !== run.commands.length) {
    const strange = run.commands.filter((command) => !known.has(command.hash));
    return refuse("commands_differ", strange.map(({ name }) => name).join(", "));
  }
  const key = await verification.readRepositoryKey();
  const isAllowed = await verification.trust.isTrusted(key, hash) ||
    options.allowed.some((one) => one.length >= LEAST_DIGITS && hash.startsWith(one.toLowerCase()));
  if (!isAllowed) return refuse("not_allowed", commands.map(({ name }) => name).join(", "));
  // The checkout is refused where its commands and the texts behind them have another hash than the allowed one.
  const input = { tree, commands, allowed: { commands: all, hash }, lend };
  return await verification.useCheckout(input, async (checkout) => {
    if (typeof checkout === "string") return refuse("no_checkout", checkout);
    const results: CommandResult[] = [];
    for (const command of commands) {
      await options.onCommand(command.name);
      results.push(
        await runWithReport(command, {
          place: { checkout: checkout.root, worktree: checkout.worktree, stateDir: null },
          cwd: checkout.cwd,
          shown: { from: checkout.root, to: checkout.worktree },
          signal: options.signal,
          clock: options.clock,
        }),
      );
    }
    return compare(run, results, options);
  });
}

/** The commands of the commit's own configuration; where the commit has none, those of the project. */
async function readCommands(
  tree: string,
  { repo, verification }: RerunOptions,
): Promise<{ readonly commands: readonly VerifyCommand[]; readonly lend: readonly string[] }> {
  const folder = repo.openedFor === "" ? "" : `${repo.openedFor}/`;
  const text = await readBlobText(repo, tree, `${folder}.code-intel/config.json` as TreePath);
  if (text !== null) {
    const { values } = checkConfigText(text);
    return { commands: parseVerifyCommands(values.verify).commands, lend: values.verify_lend };
  }
  const { verify, lend = [] } = await verification.readSettings();
  return { commands: parseVerifyCommands(verify).commands, lend };
}

function compare(
  run: AttestedRun,
  results: readonly CommandResult[],
  options: Pick<RerunOptions, "isMoved">,
): Rerun {
  const commands = results.map((result, at): RerunCommand => {
    const then = run.commands[at];
    return {
      name: result.name,
      differences: then === undefined ? [] : compareCommand(then, result, options),
      counts: result.report ? formatCounts(result.report) : null,
    };
  });
  const isSame = commands.every(({ differences }) => differences.length === 0);
  return { kind: isSame ? "same" : "differs", commands };
}

/** What differs between a command of a statement and the same one now, a sentence each. */
export function compareCommand(
  then: AttestedCommand,
  now: Pick<CommandResult, "exitCode" | "timedOut" | "cancelled" | "failure" | "report" | "name">,
  { isMoved = false }: Pick<RerunOptions, "isMoved"> = {},
): readonly string[] {
  const was = then.exitCode === 0;
  const is = isPassed(now);
  const how = now.failure ?? `exit code ${now.exitCode}`;
  const ended = was === is ? [] : [is ? "it passes now, and failed then" : `it fails now (${how})`];
  const { tests } = then;
  const report = now.report ?? null;
  if (tests === null || report === null) {
    if ((tests === null) === (report === null)) return ended;
    return [...ended, report === null ? "its output names no test" : "its output names tests now"];
  }
  const counts = COUNTED.flatMap((key) =>
    tests[key] === report[key] || isMoved && !isWorse(key, tests, report)
      ? []
      : [`${report[key]} ${key}, ${tests[key]} then`]
  );
  const [before, after] = [tests.failures, report.failures]
    .map((failures) => new Set(failures.map(({ name }) => name)));
  const isWhole = tests.isComplete && report.isComplete && tests.failuresLeftOut === 0;
  if (before === undefined || after === undefined || !isWhole) return [...ended, ...counts];
  const fresh = [...after].filter((name) => !before.has(name));
  const mended = isMoved ? [] : [...before].filter((name) => !after.has(name));
  return [
    ...ended,
    ...counts,
    ...(fresh.length === 0 ? [] : [`failed newly: ${fresh.slice(0, MOST_NAMES).join(", ")}`]),
    ...(mended.length === 0
      ? []
      : [`does not fail any more: ${mended.slice(0, MOST_NAMES).join(", ")}`]),
  ];
}

const MOST_NAMES = 10;
const COUNTED = ["passed", "failed", "skipped", "errors"] as const;

type Counts = Readonly<Record<typeof COUNTED[number], number>>;

/** Whether a count says more than that a base brought or took tests: something fails, or nothing runs any more. */
function isWorse(key: typeof COUNTED[number], then: Counts, now: Counts): boolean {
  if (key === "passed") return now.passed === 0;
  return key !== "skipped" && now[key] > then[key];
}
