/** What tells a line that somebody left behind: output for debugging, secrets, commented-out code, open marks. Pure. */

import type { Language } from "../../language/languages.ts";
import { CACHE_FOLDERS } from "../../runners/runners.ts";

/** What was left behind. */
export type LeftoverKind =
  | "debug_output"
  | "commented_out"
  | "open_mark"
  | "secret"
  | "conflict_marker"
  | "stray_file";

/** What each means, for whoever has to answer. */
export const LEFTOVERS: Readonly<Record<LeftoverKind, string>> = {
  debug_output: "output for debugging",
  commented_out: "code in a comment",
  open_mark: "an open mark such as TODO",
  secret: "what looks like a secret",
  conflict_marker: "a marker of a merge conflict",
  stray_file: "a file that looks left behind",
};

/** Stops a program, or shows a value to whoever debugs it: no program needs it in its place. */
const STOPS =
  /(?<![.\w$])debugger\s*;?\s*(?:\}|$)|(?<![.\w])breakpoint\s*\(|\b(?:i?pdb|pudb|rpdb|ipdb)\.set_trace\s*\(|^\s*import\s+(?:i?pdb|pudb)\b|\bbinding\.(?:pry|irb)\b|^\s*byebug\b|\brequire\s*\(?\s*["'](?:pry|byebug)|(?<![.\w])dbg!\s*\(|(?<![.\w$>:])(?:var_dump|var_export|print_r|dd|xdebug_break)\s*\(|\bconsole\.(?:debug|trace|dir|table)\s*\(|\bDebug\.(?:Print|WriteLine|Write|Log)\s*\(|\bDebugger\.(?:Break|Launch)\s*\(|\bruntime\.Breakpoint\s*\(|\bspew\.(?:Dump|Printf)\s*\(|\bIO\.inspect\b|\bIEx\.pry\b|\bDebug\.Trace\b|\bstd\.debug\.print\s*\(|\b(?:icecream|ic)\s*\(\s*\w/;

/** Prints, by the names of languages; what a shell script prints is its work. */
const PRINTS: readonly (readonly [languages: RegExp, line: RegExp])[] = [
  [
    /^(?:JavaScript|TypeScript|JSX|TSX|Vue|Svelte|Astro)/,
    /\bconsole\.(?:log|info)\s*\(|(?<![.\w])alert\s*\(/,
  ],
  [
    /^(?:Python|Lua|Swift|Dart|R$|Julia|GDScript)/,
    /(?<![.\w])(?:print|pprint|NSLog|debugPrint)\s*\(|\bpprint\.pprint\s*\(/,
  ],
  [/^Go$/, /\bfmt\.Print(?:f|ln)?\s*\(|(?<![.\w])print(?:ln)?\s*\(|\blog\.Print(?:f|ln)?\s*\(/],
  [/^Rust/, /(?<![.\w])e?print(?:ln)?!\s*[([{]/],
  [
    /^(?:Java|Kotlin|Scala|Groovy)/,
    /\bSystem\.(?:out|err)\.print(?:ln|f)?\s*\(|(?<![.\w])print(?:ln)?\s*\(|\.printStackTrace\s*\(/,
  ],
  [/^(?:C#|F#|Visual Basic)/, /\bConsole\.(?:Error\.)?Write(?:Line)?\s*\(|(?<![.\w])printfn?\s/],
  [
    /^(?:C|C\+\+|CUDA|Objective-C)$/,
    /(?<![.\w])(?:f?printf|puts|NSLog)\s*\(|\bstd::(?:cout|cerr)\b|(?<![.\w:])(?:cout|cerr)\s*<</,
  ],
  [/^(?:Ruby|Crystal)/, /^\s*(?:puts|pp?|print)\s+\S|(?<![.\w])(?:puts|pp?)\s*\(/],
  [/^PHP/, /^\s*(?:echo|print)\b|\berror_log\s*\(/],
  [/^Elixir/, /\bIO\.(?:puts|write)\b/],
  [/^(?:Haskell|Elm)/, /(?<![.\w])(?:putStrLn|print)\s/],
  [/^Zig/, /\bstd\.log\.(?:debug|info)\s*\(/],
  [/^Perl/, /^\s*(?:print|say|warn)\s+\S|\bDumper\s*\(/],
];

/** Words that only stand in output of which nobody should see anything. */
const SAYS_DEBUG =
  /["'`](?:[^"'`]*\W)?(?:DEBUG|debug|XXX|HERE|here|>>>+|===+|\*\*\*+|###+)(?:\W[^"'`]*)?["'`]/;
const SENSITIVE =
  /\b\w*(?:passw(?:or)?d|passphrase|secret|api_?key|access_?token|private_?key|credential)\w*\b/i;

/** Writes to a log, a stream or, in a shell, to the terminal and nowhere else: work, unless it shows what nobody should see. */
const WRITES =
  /\b(?:console|\w*log(?:ger|ging)?|(?:sys|process)\.std(?:out|err)|Console\.Error)\s*\.\s*\w+\s*\(|\b(?:fputs|fwrite|Fprint(?:f|ln)?|syslog|error_log)\s*\(|^\s*(?:echo|printf)\s(?!.*[|>])/i;
/** Texts by which somebody finds their own output in a log. */
const BEGINS_DEBUG = /["'`]\W*(?:DEBUG\b|debug\s*[:=]|XXX|HERE\b|>>>+)/;
/** A shell that shows each line that it runs; `set -eux` is how a script is begun. */
const TRACES = /^\s*(?:set\s+-(?:x|xv|vx|o\s+xtrace)|setopt\s+xtrace)\s*(?:[;#&|].*)?$/;
/** A condition under which a program is asked to tell more. */
const SWITCH = /\b(?:if|test)\b.*(?:DEBUG|TRACE|VERBOSE)|\[.*(?:DEBUG|TRACE|VERBOSE)/i;

/** A line, and what is known of the file around it. */
export interface OutputLine {
  readonly line: string;
  /** The line of code before it. */
  readonly before?: string;
  /** Name of the language. */
  readonly language: string;
  /** Whether the program is there to print, so that only what nobody should see is for debugging. */
  readonly prints?: boolean;
}

/** How a line prints: for debugging for certain, somehow, or not at all. */
export function readOutput(
  { line, before = "", language, prints = false }: OutputLine,
): "debugging" | "printing" | null {
  if (STOPS.test(line)) return "debugging";
  if (TRACES.test(line)) return SWITCH.test(before) ? null : "debugging";
  const printed = PRINTS.find(([languages]) => languages.test(language))?.[1].exec(line) ?? null;
  if (printed === null && !WRITES.test(line)) return null;
  const says = printed === null || prints ? BEGINS_DEBUG : SAYS_DEBUG;
  const isShown = /\bDEBUG\b/.test(toExpressions(line.slice(printed?.index ?? line.length)));
  if (says.test(line) || isShown || SENSITIVE.test(toExpressions(line))) return "debugging";
  return printed === null ? null : "printing";
}

/** A line without its texts, of which only what is put into them is left: `$name`, `{name}`. */
function toExpressions(line: string): string {
  return line.replaceAll(
    /(["'`])(?:\\.|(?!\1).)*\1/g,
    (text) => ` ${(text.match(/[$#]?\{[^}]*\}|\$\w+/g) ?? []).join(" ")} `,
  );
}

/** Files whose work is to print, by their places: programs for a terminal, scripts, examples. */
const PRINTS_BY_TRADE =
  /(?:^|\/)(?:bin|cli|cmd|scripts?|tools?|examples?|samples?|demos?|bench(?:mark)?s?|commands?)\/|(?:^|\/)(?:[\w-]+[_-])?(?:cli|cmd|__main__|manage)\.\w+$/i;
/** What only a program does that somebody starts by itself: it reads its arguments, or asks whether it was started. */
const IS_STARTED =
  /\b__main__\b|\b__FILE__\b|\$PROGRAM_NAME|\bPROGRAM_FILE\b|\bARGV\b|\b(?:sys|process)\.argv\b|\bos\.Args\b|\benv::args\b|\bDeno\.args\b|\bBun\.argv\b|\bcommandArgs\b|\brequire\.main\b|\bimport\.meta\.main\b|\b(?:import|from)\s+(?:argparse|click|typer|optparse|docopt)\b|@main\b|\bextends\s+App\b/;
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

/** A mark as one is set: at the beginning of a comment, before a colon or a bracket, or at its end. */
const MARK =
  /^[^\p{L}\p{N}]*@?(?:TODO|FIXME|XXX|HACK)\b|\b(?:TODO|FIXME|XXX|HACK)\b\s*(?:[:([]|\W*$)|^[^\p{L}\p{N}]*(?:todo|fixme|hack)\s*[:(]/u;

/** Whether a comment has an open mark; one that only speaks of such marks has none. */
export function isOpenMark(comment: string): boolean {
  return MARK.test(comment);
}

/** What a comment is beside its text. */
const COMMENT_SIGNS = /^\s*(?:\/\/|#|--|;+|%|\/\*+|\*|<!--|\{\/\*)\s?|\s*(?:\*\/\}?|-->)\s*$/g;
const DOCUMENTS = /^\s*(?:\/\/[\/!]|\/\*\*|\*|#!|#\[|"""|''')/;
const CODE_FORMS: readonly RegExp[] = [
  // Statements that end or open as code does.
  /^[^.!?]*[\w)\]"'`]\s*;$/,
  /^(?:\}\s*)?(?:if|else if|elif|while|for|foreach|switch|catch|unless)\b\s*\(?.*(?:[{:]|\bthen|\bdo)$/,
  /^(?:\}|\]|\))[\s;,)}\]]*(?:else\s*\{)?$/,
  /^(?:export\s+|pub\s+|public\s+|private\s+|static\s+|async\s+)*(?:function|def|class|fn|func|fun|interface|struct|enum|impl|module|sub)\s+\w+\s*[(<{:\[]/,
  /^(?:const|let|var|val|final|auto|my|local|int|string|bool|float|double)\s+[\w${}\[\], ]+(?::\s*[\w<>\[\]|. ]+)?\s*=\s*\S/,
  /^(?:import|from|use|using|require(?:_relative)?|#?include)\b\s*[\w"'<{*@.(:\/-]+(?:\s+(?:import|as|from)\b.*)?;?$/,
  /^return\b\s*(?:[\w.]+\s*[([+\-*/%<>=!&|?]|[([{"'`\d!-]|[\w.]+;).*$/,
  /^(?:raise|throw|yield|await|del|assert)\s+[\w.]+\s*[(=.]/,
  // Assignments and calls.
  /^(?:self\.|this\.|\$)?\w[\w.]*(?:\[[^\]]*\])?\s*(?:[+\-*/%|&^]|:)?=\s*[^=\s>]\S*(?:\s*[+\-*/%.,([{<>=!&|?:"'`].*|;)?$/,
  /^(?:await\s+|self\.|this\.|\$)?\w+(?:(?:\.|->|::)\w+)*!?\s*\([^)]*[\w"'`\])]\s*\)(?:\s*[;{:]|\.\w+\(.*\))*$/,
  /^@\w+(?:\.\w+)*\(.*\)$/,
];
/** Words in a row, as a sentence has them and no code. */
const PROSE = /(?:^|\s)[A-Za-z][a-z']*,?(?:\s+[a-z']+,?){3,}/;

/** The text of a line that is a comment as a whole; null for documentation, and for what is too short to say anything. */
export function toCommentText(line: string): string | null {
  if (DOCUMENTS.test(line)) return null;
  const text = line.replaceAll(COMMENT_SIGNS, "").trim();
  return text.length < 4 ? null : text;
}

/** Whether a text has words in a row as a sentence has them. */
export function isSentence(text: string): boolean {
  return PROSE.test(text.replaceAll(/"[^"]*"|'[^']*'/g, '""'));
}

/** Whether a line that is a comment as a whole is code that somebody took out of use. */
export function isCommentedCode(line: string): boolean {
  const text = toCommentText(line);
  return text !== null && !isSentence(text) && CODE_FORMS.some((form) => form.test(text));
}

/** Forms of keys that services give out; each is a secret by its form. */
const KEY_FORMS =
  /\b(?:A(?:KIA|SIA)[0-9A-Z]{16}|gh[pousr]_[A-Za-z0-9]{36,}|github_pat_\w{30,}|glpat-[\w-]{20,}|xox[abeprs]-[\w-]{10,}|sk-(?:proj-|ant-[\w]+-)?[A-Za-z0-9_-]{24,}|[rs]k_live_\w{16,}|AIza[\w-]{35}|ya29\.[\w-]{20,}|npm_[A-Za-z0-9]{36}|pypi-[\w-]{40,}|SG\.[\w-]{16,}\.[\w-]{16,}|dop_v1_[0-9a-f]{40,}|hf_[A-Za-z0-9]{30,}|eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,})|-----BEGIN (?:[A-Z]+ )*PRIVATE KEY(?: BLOCK)?-----|\b[a-z][a-z+]*:\/\/[^\s:@/"'`{$<]+:[^\s:@/"'`{$<]{4,}@[\w.-]+/g;
/** Names that hold secrets. */
const SECRET_NAME =
  /\b[\w-]*(?:passw(?:or)?d|passphrase|secret(?:_?key)?|api_?-?key|access_?-?key|private_?-?key|auth_?-?token|access_?-?token|client_?-?secret|credentials?)/
    .source;
/** A value of such a name in quotes. */
const QUOTED_VALUE = new RegExp(
  `${SECRET_NAME}["']?\\s*(?::=|=>|[:=])\\s*["'\`]([^"'\`\\s]{8,})["'\`]`,
  "gi",
);
/** One without quotes, as shells, settings and images have it: to the end of the line or of the word. */
const BARE_VALUE = new RegExp(
  `(?:${SECRET_NAME}["']?\\s*[:=]|\\bENV\\s+${SECRET_NAME})\\s*([^"'\`\\s;,#$<>(){}[\\]/\\\\]{8,})(?=\\s|;|$)`,
  "gi",
);
/** Values that stand for one. */
const STAND_IN =
  /example|sample|change_?-?me|placeholder|dummy|fake|test|mock|redacted|your[-_]|xxx|\*\*\*|\.\.\.|<[^>]*>|\$\{|\{\{|%\w|^\$|^process\.|^env\.|^(.)\1*$|^(?:password|secret|passwd|api_?key|token)$|localhost|127\.0\.0\.1|:(?:user|pass|password|postgres|root)@/i;

/**
 * The secrets of a line.
 *
 * @param options `isBare` where values stand without quotes: in shells, settings, images.
 */
export function findSecrets(
  line: string,
  { isTest, isBare = false }: { readonly isTest: boolean; readonly isBare?: boolean },
): readonly string[] {
  const keys = [...line.matchAll(KEY_FORMS)].map(([key]) => key)
    .filter((key) => !STAND_IN.test(key));
  if (isTest) return keys;
  const quoted = [...line.matchAll(QUOTED_VALUE)].map(([, value = ""]) => value)
    .filter((value) => /[0-9\W_]|[a-z][A-Z]/.test(value));
  // Without quotes it may as well be the name of something.
  const bare = !isBare ? [] : [...line.matchAll(BARE_VALUE)].map(([, value = ""]) => value)
    .filter((value) => /[A-Za-z]/.test(value) && /\d.*\d/.test(value));
  return [...new Set([...keys, ...[...quoted, ...bare].filter((one) => !STAND_IN.test(one))])];
}

/** New files by name that tools, editors and trials leave. */
const STRAY = new RegExp(
  String
    .raw`(?:^|\/)(?:[^/]+\.(?:orig|rej|bak|swp|swo|tmp|temp|log|pyc|class|o|dump|heapsnapshot|prof|pid)|[^/]+~|\.DS_Store|Thumbs\.db|desktop\.ini|nohup\.out|a\.out|core\.\d+|(?:debug|scratch|tmp|temp|foo|untitled|junk|output)(?:[-_.]?\d*)?\.\w+|\.coverage|\.env(?:\.(?:local|production|development))?|id_(?:rsa|dsa|ecdsa|ed25519)|[^/]+\.(?:pem|p12|pfx|keystore|jks))$|(?:^|\/)(?:node_modules|__pycache__|\.idea|${CACHE_FOLDERS}|\.mypy_cache|\.venv)\/`,
);

/** Whether a new file looks left behind; data of tests may be called as they like. */
export function isStray(path: string, { isTest }: { readonly isTest: boolean }): boolean {
  return STRAY.test(path) &&
    !(isTest && !/(?:\.pyc|~|\.swp|\.DS_Store|__pycache__\/.*)$/.test(path));
}

/** A line between the sides of a conflict; the one in the middle also underlines headings, and says nothing. */
export const CONFLICT_MARKER = /^(?:<{7}|>{7}|\|{7})(?:\s|$)/;
