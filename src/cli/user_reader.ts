/**
 * How a person at a terminal is told of calls: each tool is the command line that does the same, each of its
 * parameters the option or the argument of that command.
 */
import { PROGRAM_NAME } from "../base/version.ts";
import type { NamedCall, TextReader } from "../base/text/words.ts";
import { ASKED } from "../base/text/words.ts";
import { KNOWN_TOOLS } from "../phase/table/tools.ts";
import { findTool } from "../tools/tools.ts";
import type { OptionBinding } from "./bindings.ts";
import { listBindings } from "./bindings.ts";

/** The command that does what a tool does; each tool that replies name has one. */
export const COMMANDS_OF_TOOLS: Readonly<Record<string, string>> = Object.fromEntries(
  KNOWN_TOOLS.map(({ name, command }) => [name, command]),
);

/** The command line that does what a tool does, for the fields of a reply that name a tool. */
export function findCommandLine(tool: string): string | undefined {
  const command = COMMANDS_OF_TOOLS[tool];
  return command === undefined ? undefined : `${PROGRAM_NAME} ${command}`;
}

/** How one command takes the parameters of its tool. */
interface CommandForm {
  /** The parameter that is given without an option, and what stands for it in the usage. */
  readonly plain: Readonly<Record<string, string>>;
  readonly bindings: readonly OptionBinding[];
}

/** Commands that call a tool in words of their own, and are not made from its row. */
const OTHER_FORMS: Readonly<Record<string, CommandForm>> = {
  "session resume": { plain: { session_id: "SESSION" }, bindings: [] },
  history: {
    plain: { file_path: "FILE" },
    bindings: [
      buildBinding("path", "under"),
      buildBinding("symbol", "symbol"),
      buildBinding("max_results", "max-results"),
    ],
  },
};

function buildBinding(parameter: string, option: string): OptionBinding {
  const row = { name: option, kind: "text", summary: "" } as const;
  return { option: row, path: [parameter], flagValue: true };
}

/**
 * The reader for the answer of a command.
 *
 * @param presentTool the tool that it called; null where it called none.
 * @param command the command as it was typed, since several may call one tool.
 */
export function createUserReader(
  presentTool: string | null,
  command?: string,
): TextReader {
  const known = new Map<string, CommandForm | undefined>(Object.entries(OTHER_FORMS));
  const toForm = (name: string) => {
    if (!known.has(name)) {
      known.set(name, createForm(name));
    }
    return known.get(name);
  };
  const own = command === undefined ? undefined : OTHER_FORMS[command];
  const present = () => own ?? (presentTool === null ? undefined : toForm(presentTool));
  return {
    ...(command === undefined ? {} : { toPresent: () => `\`${PROGRAM_NAME} ${command}\`` }),
    rewords: (name) => COMMANDS_OF_TOOLS[name] !== undefined,
    toCall: (call) => `\`${formatCall(call, toForm)}\``,
    toArgument: (name) => findOptionName(name, present()),
    toSending: (name, value) => formatSending(name, value, present()),
    verb: "run",
    choose: ({ person }) => person,
  };
}

function createForm(tool: string): CommandForm | undefined {
  const row = findTool(tool);
  if (row?.command.usage === undefined) return undefined;
  const { usage, parameters = [] } = row.command;
  const usages = usage.replaceAll(/[[\]]|\.\.\./g, "").split(" ");
  const plain = Object.fromEntries(parameters.map((name, at) => [name, usages[at] ?? ""]));
  return { plain, bindings: listBindings(row) };
}

const RESUME = "session resume";

/** A tool with a command of its own for one of its arguments. */
function isResume({ tool, arguments: args }: NamedCall): boolean {
  return tool === "get_session_status" && "session_id" in args;
}

/** The whole line, quoted for a shell; a tool that has no command keeps its name. */
export function formatCall(
  call: NamedCall,
  toForm: (tool: string) => CommandForm | undefined,
): string {
  const command = isResume(call) ? RESUME : COMMANDS_OF_TOOLS[call.tool];
  if (command === undefined) return call.tool;
  const form = toForm(isResume(call) ? RESUME : call.tool);
  const options: string[] = [];
  const last: string[] = [];
  for (const [name, value] of Object.entries(call.arguments)) {
    const usage = form?.plain[name];
    if (usage === undefined) options.push(...formatOptions(name, value, form));
    else if (value === ASKED) last.push(usage);
    else last.push(...listValues(value).map(quoteWord));
  }
  const dashes = last.some((word) => word.startsWith("-")) ? ["--"] : [];
  return [PROGRAM_NAME, command, ...options, ...dashes, ...last].join(" ");
}

function formatOptions(
  name: string,
  value: unknown,
  form: CommandForm | undefined,
): readonly string[] {
  if (form === undefined || value === undefined) return [];
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    return Object.entries(value).flatMap(([inner, one]) => formatOptions(inner, one, form));
  }
  const binding = findBinding(name, form);
  if (binding === undefined || value === binding.fallback) return [];
  const { option } = binding;
  if (option.kind === "flag") return value === !binding.flagValue ? [] : [`--${option.name}`];
  return value === ASKED
    ? [`--${option.name} ${option.name.toUpperCase()}`]
    : listValues(value).map((one) => `--${option.name} ${quoteWord(one)}`);
}

function findBinding(name: string, { bindings }: CommandForm): OptionBinding | undefined {
  return bindings.find(({ path }) => path.includes(name));
}

/** What a parameter is called at a terminal: `PATH`, `--max-results`. */
function findOptionName(at: string, form: CommandForm | undefined): string {
  // An entry of a list, or a field of an object, is given by the option of its own name.
  const name = at.replace(/\[\d+\]$/, "").split(".").at(-1) ?? at;
  const usage = form?.plain[name];
  if (form === undefined || usage !== undefined) return usage ?? name;
  const binding = findBinding(name, form);
  return binding === undefined ? name : `--${binding.option.name}`;
}

function formatSending(name: string, value: unknown, form: CommandForm | undefined): string {
  if (form === undefined) return `give ${name}`;
  const usage = form.plain[name];
  if (usage !== undefined) return `give ${value === ASKED ? usage : listValues(value).join(" ")}`;
  const binding = findBinding(name, form);
  if (binding === undefined) return `give ${name}`;
  const { option, flagValue } = binding;
  if (option.kind === "flag" && value !== flagValue) return `leave out \`--${option.name}\``;
  return `add \`${formatOptions(name, value, form).join(" ") || `--${option.name}`}\``;
}

function listValues(value: unknown): readonly string[] {
  return (Array.isArray(value) ? value : [value]).map(String);
}

/** A word as a shell takes it for one. */
function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
