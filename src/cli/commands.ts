/** The table of the commands of the core, in the order of the help. Each is loaded only when it is called. */
import type { CommandEntry, Feature } from "./command.ts";
import type { KnownTool } from "../phase/table/tools.ts";
import { formatCommandName, isSameCommand, KNOWN_TOOLS } from "../phase/table/tools.ts";

/** Commands that stand for a tool and are not made from its row. */
const OF_TOOLS: Readonly<Record<string, CommandEntry["load"]>> = {
  submit_phase: async () => (await import("./commands/session.ts")).SUBMIT,
  sync_index: async () => (await import("./commands/build_index.ts")).INDEX,
  cleanup_stale_branches: async () => (await import("./commands/clean.ts")).CLEAN,
  prove: async () => (await import("./commands/prove.ts")).PROVE,
};

/** A tool's own name is a command too, but for one that does more. */
function buildEntry(known: KnownTool): CommandEntry {
  const { name: tool, command: name, summary } = known;
  return {
    name,
    summary,
    ...(isSameCommand(known) ? { alias: formatCommandName(tool) } : {}),
    load: OF_TOOLS[tool] ??
      (async () => (await import("./tool_command.ts")).createToolCommand(tool)),
  };
}

const COMMANDS: readonly CommandEntry[] = [
  {
    name: "serve",
    summary: "Serve MCP over standard input and output, or over HTTP",
    load: async () => (await import("./commands/serve.ts")).SERVE,
  },
  ...KNOWN_TOOLS.map(buildEntry),
  {
    name: "session park",
    summary: "Set the work aside; nothing is changed",
    load: async () => (await import("./commands/session.ts")).PARK,
  },
  {
    name: "session resume",
    summary: "Go on with a parked piece of work",
    load: async () => (await import("./commands/session.ts")).RESUME,
  },
  {
    name: "session abandon",
    summary: "End the work without merging it",
    load: async () => (await import("./commands/session.ts")).ABANDON,
  },
  {
    name: "session accept",
    summary: "Accept a session file whose seal does not fit (a person, at a terminal)",
    load: async () => (await import("./commands/session.ts")).ACCEPT,
  },
  {
    name: "history",
    summary: "Show who changed a file or lines last and why, or which files change most",
    load: async () => (await import("./commands/history.ts")).HISTORY,
  },
  {
    name: "verify",
    summary: "Run the project's verification commands now",
    load: async () => (await import("./commands/verify.ts")).VERIFY,
  },
  {
    name: "trust",
    summary: "Allow what this repository runs, and its texts for agents (a person, at a terminal)",
    load: async () => (await import("./commands/trust.ts")).TRUST,
  },
  {
    name: "snapshots",
    summary: "List the states of the files that can be brought back",
    load: async () => (await import("./commands/snapshots.ts")).SNAPSHOTS,
  },
  {
    name: "restore",
    summary: "Bring files back from a snapshot (a person, at a terminal)",
    load: async () => (await import("./commands/restore.ts")).RESTORE,
  },
  {
    name: "try",
    summary: "Let the clients of this machine know the server, with nothing to commit",
    load: async () => (await import("./commands/try.ts")).TRY,
  },
  {
    name: "init",
    summary: "Set a project up: configuration, prompts, clients, hooks",
    load: async () => (await import("./commands/init.ts")).INIT,
  },
  {
    name: "uninstall",
    summary: "Take out exactly what init put in",
    load: async () => (await import("./commands/uninstall.ts")).UNINSTALL,
  },
  {
    name: "doctor",
    summary: "Check everything that the program needs",
    load: async () => (await import("./commands/doctor.ts")).DOCTOR,
  },
  {
    name: "hook",
    summary: "Answer an event of a client (clients call it)",
    load: async () => (await import("./commands/hook.ts")).HOOK,
  },
  {
    name: "completions",
    summary: "Print the script by which a shell completes commands, options, symbols and sessions",
    load: async () => (await import("./commands/completions.ts")).COMPLETIONS,
  },
  {
    name: "licenses",
    summary: "Show the licences of everything inside",
    load: async () => (await import("./commands/help.ts")).LICENSES,
  },
  {
    name: "help",
    summary: "Show this list, or the help of one command",
    load: async () => (await import("./commands/help.ts")).HELP,
  },
];

/** Every command of the program with these features; those that begin with the same word stand together. */
export function listCommands(features: readonly Feature[]): readonly CommandEntry[] {
  const all = [...COMMANDS, ...features.flatMap(({ commands }) => commands)];
  return [...Map.groupBy(all, ({ name }) => name.split(" ", 1)[0]).values()].flat();
}

/** The entry that the first words name, and the words after it; null for an unknown command. */
export function findCommand(
  words: readonly string[],
  commands: readonly CommandEntry[],
): { readonly entry: CommandEntry; readonly rest: readonly string[] } | null {
  for (const length of [2, 1]) {
    const name = words.slice(0, length).join(" ");
    const entry = commands.find((one) =>
      one.name === name || one.alias === formatCommandName(name)
    );
    if (words.length >= length && entry !== undefined) return { entry, rest: words.slice(length) };
  }
  return null;
}
