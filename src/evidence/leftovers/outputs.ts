/** Finds where a program prints or stops for whoever debugs it, by what its code calls. */
import { anyOf } from "../../base/text/any_of.ts";
import type { Language } from "../../language/languages.ts";
import type { CodePart } from "../../syntax/code_parts.ts";

/** How a part of code prints: for debugging for certain, somehow, or not at all. */
export type Output = "debugging" | "printing" | null;

/** Stops a program, or shows a value to whoever debugs it: no program needs it in its place. */
const STOPS = anyOf(
  /^(?:debugger|breakpoint|byebug|dbg!|ic|icecream|var_dump|var_export|print_r|dd|xdebug_break)$/,
  /(?:^|\.)(?:(?:i?pdb|pudb|rpdb)\.set_trace|binding\.(?:pry|irb)|console\.(?:debug|trace|dir|table))$/,
  /(?:^|\.)(?:Debug\.(?:Print|WriteLine|Write|Log)|Debugger\.(?:Break|Launch)|runtime\.Breakpoint)$/,
  /(?:^|\.)(?:spew\.(?:Dump|Printf)|IO\.inspect|IEx\.pry|std\.debug\.print)$/,
);
const DEBUGGERS = /\b(?:i?pdb|pudb|pry|byebug|Debug\.Trace)\b/;
/** Writes to a log, a stream or the terminal: work, unless it shows what nobody should see. */
const WRITES = anyOf(
  /(?:^|\.)(?:console|\w*log(?:ger|ging)?|(?:sys|process)\.std(?:out|err)|Console\.Error)\.\w+$/i,
  /(?:^|\.)(?:fputs|fwrite|Fprint(?:f|ln)?|syslog|error_log|echo|printf)$/,
);
/** Texts that only stand in output of which nobody should see anything; those by which somebody finds it in a log. */
const SAYS_DEBUG =
  /["'`](?:[^"'`]*\W)?(?:DEBUG|debug|XXX|HERE|here|>>>+|===+|\*\*\*+|###+)(?:\W[^"'`]*)?["'`]/;
const BEGINS_DEBUG = /["'`]\W*(?:DEBUG\b|debug\s*[:=]|XXX|HERE\b|>>>+)/;
const SENSITIVE =
  /\b\w*(?:passw(?:or)?d|passphrase|secret|api_?key|access_?token|private_?key|credential)\w*\b/i;
/** A condition under which a shell is asked to tell more. */
const ASKED = /^(?:if|test|\[).*(?:DEBUG|TRACE|VERBOSE)/i;

/** How a part of code prints; where a program `prints` as its work, only what nobody should see is for debugging. */
export function readOutput(
  { kind, head, args, statement }: CodePart,
  language: Language,
  { line, prints }: { readonly line: string; readonly prints: boolean },
): Output {
  const given = args.join(", ");
  if (kind === "import") return DEBUGGERS.test(head) ? "debugging" : null;
  if (kind !== "call") return null;
  if (STOPS.test(head) || (head === "require" && DEBUGGERS.test(given))) return "debugging";
  // `set -eux` is how a script is begun.
  const traces = /^set -(?:xv?|vx|o xtrace)$|^setopt xtrace$/.test(`${head} ${args.join(" ")}`);
  if (traces) return ASKED.test(statement) ? null : "debugging";
  const isPrint = language.prints?.test(head) ?? false;
  const isPiped = /^(?:echo|printf)$/.test(head) && /[|>]/.test(line);
  if (!isPrint && (isPiped || !WRITES.test(head))) return null;
  const shown = removeStringLiterals(given);
  const says = isPrint && !prints ? SAYS_DEBUG : BEGINS_DEBUG;
  if (says.test(given) || SENSITIVE.test(shown)) return "debugging";
  if (isPrint && /\bDEBUG\b/.test(shown)) return "debugging";
  return isPrint ? "printing" : null;
}

/** Code without its texts, of which only what is put into them is left: `$name`, `{name}`. */
function removeStringLiterals(code: string): string {
  return code.replaceAll(
    /(["'`])(?:\\.|(?!\1).)*\1/g,
    (text) => ` ${(text.match(/[$#]?\{[^}]*\}|\$\w+/g) ?? []).join(" ")} `,
  );
}

/** Files whose work is to print, by their places: programs for a terminal, scripts, examples. */
const PRINTS_BY_TRADE = anyOf(
  /(?:^|\/)(?:bin|cli|cmd|scripts?|tools?|examples?|samples?|demos?|bench(?:mark)?s?|commands?)\//i,
  /(?:^|\/)(?:[\w-]+[_-])?(?:cli|cmd|__main__|manage)\.\w+$/,
);
/** What only a program does that somebody starts by itself: it reads its arguments, or asks whether it was started. */
const IS_STARTED = anyOf(
  /\b(?:__main__|__FILE__|PROGRAM_FILE|ARGV|(?:sys|process|Bun)\.argv|os\.Args|env::args)\b|\$PROGRAM_NAME/,
  /\b(?:Deno\.args|commandArgs|require\.main|import\.meta\.main)\b|@main\b|\bextends\s+App\b/,
  /\b(?:import|from)\s+(?:argparse|click|typer|optparse|docopt)\b/,
);
/** A page is sent by printing it: text between its scripts, or nothing in it that another file could call. */
const IS_PAGE = /\?>|^\s*<[a-z!]/mi;

/** Whether a file is there to print: by its place, or by what its code does. */
export function isPrinter(path: string, text: string, code: string, language: Language): boolean {
  if (PRINTS_BY_TRADE.test(path) || text.startsWith("#!")) return true;
  if (IS_STARTED.test(code) || namesDefinition(code, language, /^main$/i)) return true;
  return language.name === "PHP" && (IS_PAGE.test(text) || !namesDefinition(code, language, /./));
}

/** Whether a line of code defines something of such a name. */
function namesDefinition(code: string, { definitions }: Language, name: RegExp): boolean {
  const lines = code.split("\n");
  return definitions.some(({ pattern }) =>
    lines.some((line) => name.test(line.match(pattern)?.groups?.["name"] ?? ""))
  );
}
