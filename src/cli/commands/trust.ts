/** The command `trust`: a person, at a terminal, allows what a repository may run, and which of its texts guide agents. Allowed commands are run once. */
import { SYSTEM_CLOCK } from "../../base/clock.ts";
import { LIMITS } from "../../base/settings/limits.ts";
import { formatDuration } from "../../base/text/plain_text.ts";
import type { CommandResult } from "../../evidence/runs/run_command.ts";
import { runCommand } from "../../evidence/runs/run_command.ts";
import type { VerifyCommand } from "../../evidence/runs/verify_commands.ts";
import type { Command, Invocation } from "../command.ts";
import type { OkReply, Reply } from "../../base/reply.ts";
import { buildRefusal, refuse } from "../../base/reply.ts";
import type { ProjectVerification } from "../../evidence/runs/project_verification.ts";
import type { EnforcementMode } from "../../evidence/runs/trust.ts";
import { formatTrustText } from "../../evidence/runs/trusted_commands.ts";
import { renderForUser } from "../user_words.ts";
import { openServices, printReply } from "../answer.ts";
import type { Terminal } from "../terminal.ts";
import { loadShownCommands } from "../../services/shown_commands.ts";
import type { Services } from "../../services/services_api.ts";

const SHOWN_LINES = 8;
const TRIAL_S = LIMITS.trialRunMs.value / 1_000;

/** Asks whether the commands are to be tried, runs them in the project, and says what became of each; nothing where not. */
export async function tryCommands(
  commands: readonly VerifyCommand[],
  cwd: string,
  { terminal, signal }: Pick<Invocation, "terminal" | "signal">,
): Promise<readonly string[]> {
  const question = `Try them now, up to ${formatDuration(TRIAL_S)} each?`;
  if (!await terminal.confirm(question)) return [];
  const told: string[] = [];
  for (const command of commands) {
    if (signal.aborted) break;
    const timeoutMs = Math.min(command.timeoutMs, LIMITS.trialRunMs.value);
    const result = await runCommand({ ...command, timeoutMs }, {
      cwd,
      signal,
      clock: SYSTEM_CLOCK,
      onProgress: ({ lastLine }) => void terminal.progress(`${command.name}: ${lastLine}`),
    });
    await terminal.progress("");
    await terminal.err(...listLastLines(result));
    told.push(formatTrialOutcome(result));
  }
  return told;
}

function listLastLines({ name, outputTail }: CommandResult): readonly string[] {
  const lines = outputTail.trimEnd().split("\n").filter((line) => line.trim() !== "");
  const last = lines.slice(-SHOWN_LINES).map((line) => `  ${line}`);
  return [lines.length > SHOWN_LINES ? `${name}, the last lines:` : `${name}:`, ...last];
}

/** What became of a command, in a line: `test: exit code 0 after 3.2 s`. */
export function formatTrialOutcome(result: CommandResult): string {
  const { name, exitCode, durationMs, timedOut, failure } = result;
  const took = formatDuration(durationMs / 1_000);
  if (timedOut) {
    return `${name}: still running after ${took}, so it was ended; with a change it may take its whole time`;
  }
  if (exitCode === null) return `${name}: ${failure ?? "ended"} after ${took}`;
  const cure = exitCode === 0
    ? ""
    : "; what fails here without a change is told apart from what a change breaks";
  return `${name}: exit code ${exitCode} after ${took}${cure}`;
}

const MODES: readonly EnforcementMode[] = ["strict", "warn", "off"];

/** Shows commands with the texts behind them, and texts for agents, and remembers that the user allowed them. */
export const TRUST: Command = {
  usage: "",
  positionals: [0, 0],
  example: "code-intel trust",
  options: [
    { name: "list", kind: "flag", summary: "Show what was allowed, and change nothing" },
    { name: "revoke", kind: "flag", summary: "Take back all that was allowed in this repository" },
    {
      name: "mode",
      kind: "text",
      value: "MODE",
      values: MODES,
      summary: "Let the mode that config.json names hold for the next session",
    },
  ],
  async run(invocation) {
    const reply = await answer(invocation);
    return await printReply("trust", invocation.isJson ? reply : withoutHashes(reply), invocation);
  },
};

/** A person knows commands and places by their names; hashes and keys are for programs. */
function withoutHashes(reply: Reply): Reply {
  if (!reply.ok) return reply;
  const { hash: _hash, repository: _key, ...rest } = reply as
    & OkReply
    & Readonly<Record<string, unknown>>;
  const { entries } = rest;
  if (!Array.isArray(entries)) return rest;
  return { ...rest, entries: entries.map(({ hash: _own, ...entry }) => entry) };
}

async function answer(invocation: Invocation): Promise<Reply> {
  const { options, terminal } = invocation;
  const isListing = options["list"] === true;
  if (!isListing && !terminal.isInteractive) {
    return refuse("terminal_needed", "Only a person at a terminal can decide about trust", {
      hint: "Ask the person to run `code-intel trust` in a terminal of their own.",
    });
  }
  const services = await openServices(invocation);
  const { verification: desk } = services;
  if (isListing) return await list(services);
  if (options["revoke"] === true) {
    const revoked = await desk.trust.revoke(await desk.readRepositoryKey());
    return { ok: true, revoked };
  }
  const mode = MODES.find((known) => known === options["mode"]);
  return mode === undefined
    ? await trust(services, invocation)
    : await confirm(desk, mode, invocation);
}

async function list({ verification: desk, workflow, parts }: Services): Promise<Reply> {
  const [{ entries, texts = [], modes }, closed] = await Promise.all([
    desk.trust.list(),
    workflow.listClosedTexts(),
  ]);
  const repository = await desk.readRepositoryKey();
  const { isTrusted, commands } = await loadShownCommands({ verification: desk, parts });
  const isOwn = (entry: { readonly repository: string }) => entry.repository === repository;
  return {
    ok: true,
    repository,
    commands: commands.length,
    trusted: isTrusted,
    entries: entries.filter(isOwn).map(({ commands: shown, ...entry }) => ({
      ...entry,
      hash: entry.hash.slice(0, 12),
      commands: shown.map(({ name, run }) => `${name}: ${run.join(" ")}`),
    })),
    texts: texts.filter(isOwn).map(({ by, at, ...text }) => ({
      text: formatTextName(text),
      by,
      at,
    })),
    texts_not_allowed: closed.map(formatTextName),
    modes: modes.filter(isOwn),
  };
}

async function trust(services: Services, invocation: Invocation): Promise<Reply> {
  const { terminal } = invocation;
  const commands = await trustCommands(services, invocation);
  if (!commands.ok) return commands;
  const texts = await trustTexts(services, terminal);
  return texts === null || !texts.ok ? texts ?? commands : { ...commands, ...texts };
}

const NO_COMMANDS =
  "config.json names no verification commands, and the project shows none that run its tests";

async function trustCommands(
  { verification: desk, sessions, parts }: Services,
  invocation: Invocation,
): Promise<Reply> {
  const { terminal } = invocation;
  const found = await loadShownCommands({ verification: desk, parts });
  const { problems, faults, commands, hash, isTrusted } = found;
  // A command that could not be read must not pass for one that nobody named.
  if (faults.length > 0) return buildRefusal([...faults]);
  for (const { message } of problems) await terminal.err(await renderForUser(message));
  if (commands.length === 0) {
    return { ok: true, trusted: false, message: NO_COMMANDS };
  }
  if (isTrusted) return { ok: true, trusted: true, message: "These commands are allowed already" };
  await terminal.err(...formatTrustText(found).split("\n"), "");
  if (!await terminal.confirm("May these commands run in this repository?")) {
    return refuse("not_trusted", "The commands were not allowed; nothing was changed", {
      hint: "Correct them in .code-intel/config.json, or run `code-intel trust` again.",
    });
  }
  await desk.trustCommands(found, "terminal");
  const names = commands.map(({ name }) => name);
  // What a run leaves behind would be changes that nobody made in the session.
  const isFree = await sessions.findActive() === null;
  const tried = isFree ? await tryCommands(commands, parts.projectRoot, invocation) : [];
  return {
    ok: true,
    trusted: true,
    commands: names,
    hash,
    ...(tried.length === 0 ? {} : { tried }),
  };
}

/** Shows the texts that would guide agents; null where none waits for a word. */
async function trustTexts({ workflow }: Services, terminal: Terminal): Promise<Reply | null> {
  const texts = await workflow.listClosedTexts();
  if (texts.length === 0) return null;
  await terminal.err(...formatTrustText({ commands: [], behind: texts }).trim().split("\n"), "");
  if (!await terminal.confirm("May these texts guide agents in this repository?")) {
    return refuse("not_trusted", "The texts were not allowed: agents get the built-in ones", {
      hint: "Correct them below .code-intel/, or run `code-intel trust` again.",
    });
  }
  await workflow.allowTexts(texts, "terminal");
  return { ok: true, texts: texts.map(formatTextName) };
}

function formatTextName({ path, name }: { readonly path: string; readonly name: string }): string {
  return name === "" ? path : `${path}: ${name}`;
}

async function confirm(
  desk: ProjectVerification,
  mode: EnforcementMode,
  { terminal }: Invocation,
): Promise<Reply> {
  if (
    !await terminal.confirm(
      `Let the enforcement mode "${mode}" hold for the next session in this repository?`,
    )
  ) {
    return refuse("not_confirmed", "The mode was not confirmed; nothing was changed", {
      hint: "Without it the mode strict holds.",
    });
  }
  await desk.trust.confirmMode(await desk.readRepositoryKey(), mode, "terminal");
  const holds = await desk.readEnforcement();
  const message = holds === mode
    ? `The mode ${mode} holds for the next session alone`
    : `Set "enforcement": "${mode}" in .code-intel/config.json to make it hold`;
  return { ok: true, confirmed: mode, holds, message };
}
