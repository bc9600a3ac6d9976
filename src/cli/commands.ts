/** The table of the commands of the core, in the order of the help. Each is loaded only when it is called. */
import type { CommandEntry } from "./command.ts";
import type { Feature } from "./feature.ts";

const COMMANDS: readonly CommandEntry[] = [
  {
    name: "serve",
    summary: "Serve MCP over standard input and output, or over HTTP",
    load: async () => (await import("./commands/serve.ts")).SERVE,
  },
  twin("session start", "Begin a piece of work: step 1 of 19"),
  {
    name: "session submit",
    summary:
      "Hand in the payload of the present step, or in a list those of the next ones too (`then`)",
    load: async () => (await import("./commands/session.ts")).SUBMIT,
  },
  twin("session status", "Show where the work is and what comes next"),
  twin("session rules", "Store a summary of the project's rules where a reply asks for it"),
  twin("session explore", "Look at files or folders of any kind, so that they may be written"),
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
    load: async () => (await import("./commands/accept.ts")).ACCEPT,
  },
  twin("review", "Show the changes of the session (step 17)"),
  twin("check-write", "Ask whether files may be written now"),
  twin("text", "Search for text or a regular expression"),
  twin("files", "Find files by glob or by name"),
  twin("def", "Find where a symbol is defined"),
  twin("refs", "Find where a symbol is used"),
  twin("symbols", "List the symbols of a file or folder"),
  twin("structure", "Show what a file or folder is made of"),
  twin("function", "Show the function that a line is in"),
  twin("query", "Ask about the code in any words"),
  {
    name: "index",
    summary: "Build the code index, or bring it up to date",
    load: async () => (await import("./commands/build_index.ts")).INDEX,
  },
  twin("search", "Find code by what it does"),
  {
    name: "history",
    summary: "Show who changed a file or lines last and why, or which files change most",
    load: async () => (await import("./commands/history.ts")).HISTORY,
  },
  twin("impact", "Show what a change can break, and the tests to run"),
  twin("chunk", "Show whole chunks of a search"),
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
    name: "clean",
    summary: "Remove what earlier sessions left behind",
    load: async () => (await import("./commands/clean.ts")).CLEAN,
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
    load: async () => (await import("./commands/licenses.ts")).LICENSES,
  },
  {
    name: "help",
    summary: "Show this list, or the help of one command",
    load: async () => (await import("./commands/help.ts")).HELP,
  },
];

/** Every command of the program with these features. */
export function listCommands(features: readonly Feature[]): readonly CommandEntry[] {
  return [...COMMANDS, ...features.flatMap(({ commands }) => commands)];
}

/** The entry that the first words name, and the words after it; null for an unknown command. */
export function findCommand(
  words: readonly string[],
  commands: readonly CommandEntry[],
): { readonly entry: CommandEntry; readonly rest: readonly string[] } | null {
  for (const length of [2, 1]) {
    const name = words.slice(0, length).join(" ");
    const entry = commands.find((candidate) => candidate.name === name);
    if (words.length >= length && entry !== undefined) return { entry, rest: words.slice(length) };
  }
  return null;
}

function twin(name: string, summary: string): CommandEntry {
  return { name, summary, load: async () => (await import("./twins.ts")).toTwin(name) };
}
