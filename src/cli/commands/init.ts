/** The command `init`: shows what a set-up would do to each file, and then does it. */
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { makeProblem } from "../../base/problem.ts";
import type { Reply } from "../../base/reply.ts";
import { buildRefusal, refuse } from "../../base/reply.ts";
import type { ClientName, ProgramCommand } from "../../clients/setup.ts";
import { CONFIG_CLIENTS } from "../../clients/config_entries.ts";
import { detectInstallation } from "../../clients/installation.ts";
import { quoteShellWords } from "../../clients/setup.ts";
import { previewActive } from "../../hooks/active_session.ts";
import type { InitInput, InitPlan } from "../../project/setup/init.ts";
import type { PlannedFile } from "../../project/setup/init_plan.ts";
import { checkSetupFolder } from "../../place/project_root.ts";
import { applySetup, planSetup } from "../../project/setup/init.ts";
import { hasServer } from "../../project/setup/setup_check.ts";
import { findProgram } from "../../base/processes/arguments.ts";
import { formatCount } from "../../base/text/plain_text.ts";
import { PROGRAM_NAME } from "../../base/version.ts";
import { printReply } from "../answer.ts";
import { renderForUser } from "../user_words.ts";
import type { Command, ExitCode, Invocation, OptionRow, OptionValues } from "../command.ts";
import { fold, foldAfter } from "../fold.ts";
import { addChosenPlace, PROVE_OPTION } from "../proof_place.ts";
import {
  findFolder,
  findHome,
  findStartDir,
  makeSetupProblems,
  printConfig,
} from "../setup_target.ts";

/** The option by which a person names the clients. */
export const CLIENT_OPTION = {
  name: "client",
  kind: "text",
  value: "NAME",
  values: ["auto", "claude", "codex", "all"],
  summary: "Client to set up; auto takes those that left traces",
} as const satisfies OptionRow;

/** The option of those who want to be asked before each call of a tool. */
export const NO_PERMISSIONS_OPTION: OptionRow = {
  name: "no-permissions",
  kind: "flag",
  summary: "Leave it to the client to ask before it calls a tool",
};

/** Sets a project up for its clients; existing files are kept, a second run changes nothing. */
export const INIT: Command = {
  usage: "[DIR]",
  positionals: [0, 1],
  example: "code-intel init --client claude --include src,lib",
  options: [
    { ...CLIENT_OPTION, values: [...new Set([...CLIENT_OPTION.values, ...CONFIG_CLIENTS])] },
    {
      name: "include",
      kind: "text",
      value: "A,B",
      summary: "Folders with source (default: found)",
    },
    { name: "exclude", kind: "text", value: "A,B", summary: "Patterns that the index leaves out" },
    {
      name: "sync-ttl",
      kind: "number",
      value: "HOURS",
      summary: "How long an index counts as fresh",
    },
    NO_PERMISSIONS_OPTION,
    PROVE_OPTION,
    { name: "dry-run", kind: "flag", summary: "Only show what would be done" },
    {
      name: "minimal",
      kind: "flag",
      summary: "Only enter the server into files of this machine, as `code-intel try` does",
    },
    {
      name: "print-config",
      kind: "flag",
      summary: "Only print the server's entries for all clients, or that of --client",
    },
  ],
  async run(invocation) {
    const { options } = invocation;
    if (options["print-config"] === true) return await printConfig(invocation, listOwnWords());
    const client = String(options["client"] ?? "auto");
    if (!Object.hasOwn(CLIENTS, client)) return await refuseClient(invocation, client);
    if (options["minimal"] === true) return await enterServer(invocation);
    const root = await findFolder(invocation);
    checkSetupFolder(root);
    const startDir = await findStartDir(invocation, root);
    return await runSetup(invocation, { ...buildInput(root, options), startDir });
  },
};

/** Of most clients only the server's entry is known, which the user puts into a file. */
async function refuseClient(invocation: Invocation, client: string): Promise<ExitCode> {
  const hint =
    `Print its entry and put it into the file by hand: code-intel init --print-config --client ${client}`;
  const problem = makeProblem("invalid_value", `init writes no files of ${client}`, {
    at: "client",
    hint,
  });
  return await printReply("init", buildRefusal([problem], "invalid_arguments"), invocation);
}

/** Options about the settings of a project, which a server's entry alone has not. */
const OF_SETTINGS = ["include", "exclude", "sync-ttl", "prove"] as const;

/** Lets the clients of this machine know the server, and writes nothing that has to be committed. */
export async function enterServer(invocation: Invocation): Promise<ExitCode> {
  const { options } = invocation;
  const given = OF_SETTINGS.filter((name) => options[name] !== undefined);
  if (given.length > 0) {
    const names = given.map((name) => `--${name}`).join(" and ");
    const hint = `Leave ${names} out, or leave --minimal out so that init writes the settings.`;
    const message = `--minimal writes no settings of the project, so it cannot take ${names}`;
    const problem = makeProblem("invalid_value", message, { at: "minimal", hint });
    return await printReply("init", buildRefusal([problem], "invalid_arguments"), invocation);
  }
  const root = await findFolder(invocation);
  checkSetupFolder(root);
  return await runSetup(invocation, {
    ...buildInput(root, options),
    startDir: await findStartDir(invocation, root),
    command: { words: listOwnWords(), isLocal: true },
    isEntryOnly: true,
  });
}

/** Plans a set-up, carries it out unless it is only to be shown, and prints what became of each file. */
async function runSetup(invocation: Invocation, input: InitInput): Promise<ExitCode> {
  const isDry = invocation.options["dry-run"] === true;
  const active = await previewActive(`${input.root}/.code-intel`);
  if (active !== null && !isDry) {
    return await printReply("init", refuseActiveSession(active.id), invocation);
  }
  const plan = await planSetup(input);
  const files = isDry ? plan.files : await applySetup(plan);
  const setup = { root: input.root, words: listOwnWords() };
  return await printResult(invocation, plan, await addChosenPlace(invocation, setup, files));
}

/** The refusal of a set-up that would change the rules of a running session. */
export function refuseActiveSession(sessionId: string): Reply {
  return refuse("session_unfinished", `${sessionId} is active in this project`, {
    hint:
      "Finish it, or set it aside with `code-intel session park`; the rules of a session do not change under it.",
  });
}

const CLIENTS: Readonly<Record<string, InitInput["clients"]>> = {
  auto: "auto",
  claude: ["claude"],
  codex: ["codex"],
  all: ["claude", "codex"],
};

/** What a set-up is told by the options of a command line. */
function buildInput(root: string, options: OptionValues): InitInput {
  const client = options["client"];
  const include = splitList(options["include"]);
  const exclude = splitList(options["exclude"]);
  const hours = options["sync-ttl"];
  return {
    root,
    home: findHome(),
    command: chooseProgramCommand(root),
    clients: CLIENTS[typeof client === "string" ? client : "auto"] ?? "auto",
    isAsking: options["no-permissions"] === true,
    choices: {
      ...(include === null ? {} : { include }),
      ...(exclude === null ? {} : { exclude }),
      ...(typeof hours === "number" ? { syncTtlHours: hours } : {}),
    },
  };
}

function splitList(value: OptionValues[string] | undefined): readonly string[] | null {
  if (typeof value !== "string") return null;
  return value.split(",").map((part) => part.trim()).filter((part) => part !== "");
}

/**
 * The command line that starts the runtime where `npx` started this process: npx fetches the
 * runtime again when its cache is empty.
 */
const NPX = ["npx", "-y", `deno@${Deno.version.deno}`];

/**
 * How clients call the program: as it was installed, or from source by paths of this machine.
 *
 * @param projectRoot the project that is set up, which may have brought the program along.
 */
function chooseProgramCommand(projectRoot: string): ProgramCommand {
  return Deno.build.standalone
    ? { words: detectInstallation(Deno.execPath(), projectRoot).shared, isLocal: false }
    : { words: listOwnWords(), isLocal: true };
}

/** The words for files of this machine, which may name a program that is on no PATH. */
export function listOwnWords(): readonly string[] {
  return Deno.build.standalone
    ? detectInstallation(Deno.execPath()).own
    : listSourceWords(Deno.execPath(), fileURLToPath(Deno.mainModule));
}

/**
 * The words that run the source. They begin with the absolute path of the runtime, or, where that
 * is in npx's cache and may be gone tomorrow, with `npx`; a client needs `node` on its PATH for
 * both.
 */
export function listSourceWords(runtime: string, mainModule: string): readonly string[] {
  const program = /[\\/]_npx[\\/]/.test(runtime) ? NPX : [runtime];
  const config = join(dirname(dirname(mainModule)), "deno.json");
  return [...program, "run", "-q", "--config", config, "-P", mainModule];
}

const DONE: Readonly<Record<PlannedFile["action"], string>> = {
  create: "created",
  edit: "edited",
  upgrade: "upgraded",
  unchanged: "unchanged",
  keep: "kept",
  refuse: "REFUSED",
};

const HINT_INDENT = " ".repeat(11);

async function printResult(
  invocation: Invocation,
  plan: InitPlan,
  files: readonly PlannedFile[],
): Promise<ExitCode> {
  const { terminal, isJson, options } = invocation;
  const { columns } = terminal;
  const isDry = options["dry-run"] === true;
  const problems = makeSetupProblems(files);
  const serverless = isDry ? [] : plan.clients.filter((client) => !hasServer(client, plan.input));
  const next = [...await listMissingProgram(plan), ...listNextSteps(plan, serverless)];
  if (isJson) {
    const rows = files.map(({ path, action, reason, hint }) => ({
      path,
      action,
      ...(reason === null ? {} : { reason }),
      ...(hint === null ? {} : { hint }),
    }));
    const head = { ok: problems.length === 0, dry_run: isDry, project: plan.input.root };
    const { verify, dependencies: lent, left: not_startable } = plan.facts;
    const rest = {
      clients: plan.clients,
      verify,
      lent,
      not_startable,
      files: rows,
      problems,
      next,
    };
    await terminal.data(`${JSON.stringify({ ...head, ...rest })}\n`);
    return problems.length === 0 ? 0 : 1;
  }
  await terminal.out(...fold(formatProjectLine(plan.input), columns));
  const place = { columns, indent: HINT_INDENT };
  const isNews = ({ action, reason }: PlannedFile) => action !== "unchanged" || reason !== null;
  for (const { path, action, reason, hint } of files.filter(isNews)) {
    const said = isDry ? action : DONE[action];
    const mark = terminal.paint(said.padEnd(9), action === "refuse" ? "problem" : "faint");
    await terminal.out(`${mark}  ${path}${reason === null ? "" : `: ${reason}`}`);
    if (hint !== null) {
      await terminal.out(...foldAfter(HINT_INDENT, await renderForUser(hint), place));
    }
  }
  const same = files.filter((file) => !isNews(file)).length;
  if (same > 0) {
    await terminal.out(`${terminal.paint("unchanged", "faint")}  ${formatCount(same, "file")}`);
  }
  if (isDry) await terminal.out("", "Nothing was written. Run it again without --dry-run.");
  else await terminal.out("", ...next.flatMap((line) => fold(line, columns)));
  return problems.length === 0 ? 0 : 1;
}

/**
 * Names the folder that is set up: in a repository of many packages it may not be the one that the
 * user meant.
 */
function formatProjectLine({ root, startDir = "" }: InitInput): string {
  return startDir === ""
    ? `Project: ${root}`
    : `Project: ${root}, of which ${startDir} is a part. To set up that folder alone: code-intel init .`;
}

const NEXT: Readonly<Record<ClientName, string>> = {
  claude: "Claude Code: start it here, allow the server code-intel, then type /code and a request.",
  codex:
    "Codex: trust this folder, open /hooks and trust the hooks of code-intel, then type $code and a request.",
};

const TRY_NEXT: Readonly<Record<ClientName, string>> = {
  claude:
    "Claude Code: start it here and ask about the code. For a piece of work type /mcp__code-intel__code and a request.",
  codex:
    "Codex: start it here and ask about the code. For a piece of work ask it to use code-intel for your request.",
};

/** What it means, by client, that the file with the server's entry was left alone. */
const NO_SERVER: Readonly<Record<ClientName, string>> = {
  claude:
    "Claude Code does not know the server code-intel yet: mend the file that was refused, then run init again.",
  codex:
    "Codex does not know the server code-intel yet: mend the file that was refused, then run init again.",
};

const LOCAL =
  "The program runs from source: its paths went into files of this machine; keep settings.local.json out of git.";

const COMMIT =
  "Commit what was written: the team shares it, and it is not in the way of the first session.";

function formatSlowStart(words: readonly string[]): string {
  return `Clients start the program by \`${
    words.join(" ")
  }\`, which takes up to a second each time: installed for good (npm install -g, uv tool install) hooks answer at once; then run init again.`;
}

/** A team's files call the program by its name, which has to lead somewhere. */
async function listMissingProgram({ input }: InitPlan): Promise<readonly string[]> {
  const { words: [program = ""], isLocal } = input.command;
  if (isLocal || program !== PROGRAM_NAME) return [];
  const path = Deno.env.get("PATH") ?? "";
  if (await findProgram(program, { cwd: input.root, path }) !== null) return [];
  return [
    `Clients look for ${program} on their PATH, and it is not there: put ${Deno.execPath()} into a folder that is.`,
  ];
}

const MOST_NAMED = 6;

function formatFew(names: readonly string[]): string {
  const more = names.length - MOST_NAMED;
  return names.slice(0, MOST_NAMED).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

/** The settings are written once, so what can be started later is put into them by the user. */
function formatNoVerify({ left }: InitPlan["facts"]): string {
  const first = left.find(({ run }) => run.includes("test")) ?? left[0];
  if (first === undefined) {
    return "No way to verify was found: add one to `verify` in .code-intel/config.json.";
  }
  const row = JSON.stringify({
    name: first.run.includes("test") ? "test" : "check",
    run: first.run,
  });
  return `No way to verify can start here yet: install what is missing, then add it to \`verify\` in .code-intel/config.json, such as ${row}.`;
}

function listNextSteps(
  { clients, facts, input }: InitPlan,
  serverless: readonly ClientName[],
): readonly string[] {
  const { isLocal, words } = input.command;
  if (input.isEntryOnly === true) {
    return [
      ...clients.map((client) =>
        serverless.includes(client)
          ? NO_SERVER[client].replace("init again", "try again")
          : TRY_NEXT[client]
      ),
      "After each turn of an agent its change can be proven: code-intel init --prove stop.",
      "Nothing has to be committed. `code-intel uninstall` takes it out again; `code-intel init` sets the project up for a team.",
    ];
  }
  const left = facts.left.map(({ run, fault }) =>
    `Not proposed, because it cannot start here: ${run.join(" ")} (${fault}).`
  );
  const lent = facts.verify.length === 0 || facts.dependencies.length === 0 ? [] : [
    `Lent to the clean checkout in which they run (verify_lend): ${formatFew(facts.dependencies)}.`,
  ];
  const verify = facts.verify.length === 0
    ? formatNoVerify(facts)
    : "Allow the commands that verify changes: code-intel trust";
  return [
    ...(isLocal ? [LOCAL] : []),
    ...(!isLocal && words.length > 1 ? [formatSlowStart(words)] : []),
    COMMIT,
    ...clients.map((client) => serverless.includes(client) ? NO_SERVER[client] : NEXT[client]),
    ...left,
    verify,
    ...lent,
    "Check the set-up: code-intel doctor",
    ...(isLocal ? [`Here code-intel stands for: ${quoteShellWords(words)}`] : []),
  ];
}
