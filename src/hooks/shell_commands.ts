/**
 * Takes a shell's command line apart: its commands with their words, the text that each reads, and
 * the folder in which it runs. Scripts that the line hands to another shell are taken apart too. No
 * whole shell: what needs variables or files to be known is not found here. Pure.
 */
import { posix, win32 } from "node:path";

/** Where a command line runs. */
export interface ShellContext {
  /** Absolute folder in which the line begins. */
  readonly cwd: string;
  /** Absolute path of the project, in the form of its system. */
  readonly root: string;
  /**
   * Follows the links of a folder's path, since a project may lie behind one. Default: the path
   * itself.
   */
  readonly toReal?: (path: string) => string;
}

/** One command of a line. */
export interface ShellCommand {
  /** Name of the program, without its folder. */
  readonly name: string;
  readonly args: readonly string[];
  /** Text of its here-documents and here-strings. */
  readonly input: string;
  /** Absolute folder in which it runs. */
  readonly folder: string;
}

/** The path rules of the system that a path comes from: a drive letter or a share means Windows. */
export function choosePathRules(path: string): typeof posix {
  return /^(?:[A-Za-z]:[\\/]|\\\\)/.test(path) ? win32 : posix;
}

/** Words such as `sudo` or `env` that stand before a command without changing what it does. */
const WRAPPERS: readonly string[] = [
  "sudo",
  "env",
  "command",
  "builtin",
  "time",
  "timeout",
  "nohup",
  "exec",
  "nice",
  "xargs",
  "if",
  "while",
  "until",
  "then",
  "do",
  "else",
  "elif",
  "!",
  "{",
];
const SHELLS: readonly string[] = ["sh", "bash", "zsh", "dash", "ksh"];
/** How many shells may start each other within one line. */
const MOST_NESTED = 8;

/** Every command of a line, in its order. */
export function parseCommands(
  line: string,
  { cwd, root }: Pick<ShellContext, "cwd" | "root">,
  depth = 0,
): readonly ShellCommand[] {
  const { resolve } = choosePathRules(root);
  const outer: string[] = [];
  let folder = cwd;
  return splitLine(line).flatMap(({ words, input }) => {
    if (words[0] === "(") outer.push(folder);
    if (words[0] === ")") folder = outer.pop() ?? folder;
    const [program = "", ...args] = unwrap(words);
    const name = program.split(/[\\/]/).at(-1)?.replace(/\.exe$/, "") ?? "";
    if (CHANGES_FOLDER.includes(name) && args[0] !== undefined) folder = resolve(folder, args[0]);
    const script = depth < MOST_NESTED ? findScript(name, args, input) : null;
    return script === null
      ? [{ name, args, input, folder }]
      : parseCommands(script, { cwd: folder, root }, depth + 1);
  });
}

const CHANGES_FOLDER: readonly string[] = ["cd", "pushd"];

/** The script that a shell is given by an option or its input; null where there is none. */
function findScript(name: string, args: readonly string[], input: string): string | null {
  if (name === "eval") return args.join(" ");
  if (!SHELLS.includes(name)) return null;
  const option = args.findIndex((arg) => /^-\w*c$/.test(arg));
  if (option >= 0) return args[option + 1] ?? null;
  // With a file named, the input is that script's and no script itself.
  return input === "" || args.some((arg) => !arg.startsWith("-")) ? null : input;
}

function unwrap(words: readonly string[]): readonly string[] {
  let at = 0;
  for (; at < words.length; at++) {
    const word = words[at] ?? "";
    const isAssignment = /^[A-Za-z_]\w*=/.test(word);
    const isOption = at > 0 && /^(?:-|\d+[smhd]?$)/.test(word);
    if (!isAssignment && !isOption && !WRAPPERS.includes(word)) break;
  }
  return words.slice(at);
}

/** The words of one command, and the text that it reads. A parenthesis is a command of its own. */
interface Piece {
  readonly words: readonly string[];
  readonly input: string;
}

/** A here-document whose text begins behind the present line. */
interface Pending {
  readonly delimiter: string;
  readonly hasTabs: boolean;
  readonly reader: { words: string[]; input: string };
}

const COMMENT = /#[^\n]*/y;
const HERE_STRING = /<<<[ \t]*/y;
const HEREDOC = /<<(-?)[ \t]*((?:"[^"\n]*"|'[^'\n]*'|\\.|[^\s"'\\;|&()<>`])+)/y;
const REDIRECT = /&>>?|[<>]&[\d-]*/y;
const TEXT =
  /\$?"((?:[^"\\]|\\[^])*)"|\$'((?:[^'\\]|\\[^])*)'|'([^']*)'|\\(\r?\n|[^])|([^\s"'\\;|&()`$<>#]+|[$<>#])/y;
const SEPARATOR = /&&|\|\||[;|&`\n]|\$?\(|\)/y;

/** Splits a line into commands; quoted text stays one word. */
class LineSplitter {
  readonly #line: string;
  #at = 0;
  #command = { words: [] as string[], input: "" };
  #word: string | null = null;
  /** True while the next word is the text of a here-string. */
  #isInput = false;
  #pending: Pending[] = [];
  readonly #done: Piece[] = [];

  constructor(line: string) {
    this.#line = line;
  }

  split(): readonly Piece[] {
    while (this.#at < this.#line.length) this.#step();
    this.#endCommand();
    return this.#done.filter(({ words, input }) => words.length > 0 || input !== "");
  }

  #step(): void {
    if (this.#word === null && this.#take(COMMENT) !== null) return;
    if (this.#take(HERE_STRING) !== null) {
      this.#endWord();
      this.#isInput = true;
      return;
    }
    const heredoc = this.#take(HEREDOC);
    if (heredoc !== null) return this.#expect(heredoc);
    if (this.#take(REDIRECT) !== null) return;
    const text = this.#take(TEXT);
    if (text !== null) return this.#append(text);
    const separator = this.#take(SEPARATOR);
    if (separator === null) {
      this.#endWord();
      this.#at++;
      return;
    }
    this.#endCommand();
    const [sign] = separator;
    if (sign.endsWith("(") || sign === ")") {
      this.#done.push({ words: [sign === ")" ? ")" : "("], input: "" });
    }
    if (sign === "\n") this.#readPending();
  }

  #take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#line);
    if (found !== null) this.#at = pattern.lastIndex;
    return found;
  }

  #append([, double, ansi, single, escaped, bare]: RegExpExecArray): void {
    const text = double?.replaceAll(/\\(?:\r?\n|([$`"\\]))/g, "$1") ??
      ansi?.replaceAll(/\\([^])/g, (_, sign) => ANSI[sign] ?? sign) ?? single ??
      (escaped?.endsWith("\n") ? "" : escaped) ?? bare ?? "";
    this.#word = (this.#word ?? "") + text;
  }

  #expect([, dash, delimiter = ""]: RegExpExecArray): void {
    this.#endWord();
    this.#pending.push({
      delimiter: delimiter.replaceAll(/["'\\]/g, ""),
      hasTabs: dash === "-",
      reader: this.#command,
    });
  }

  /** Gives the lines that follow to the commands that wait for them. */
  #readPending(): void {
    for (const { delimiter, hasTabs, reader } of this.#pending) {
      while (this.#at < this.#line.length) {
        const found = this.#line.indexOf("\n", this.#at);
        const end = found < 0 ? this.#line.length : found;
        const whole = this.#line.slice(this.#at, end).replace(/\r$/, "");
        const row = hasTabs ? whole.replace(/^\t+/, "") : whole;
        this.#at = end + 1;
        if (row === delimiter) break;
        reader.input += `${row}\n`;
      }
    }
    this.#pending = [];
  }

  #endWord(): void {
    if (this.#word === null) return;
    if (this.#isInput) this.#command.input += `${this.#word}\n`;
    else this.#command.words.push(this.#word);
    this.#isInput = false;
    this.#word = null;
  }

  #endCommand(): void {
    this.#endWord();
    // A here-document is read into its command after the line, so the object itself is kept.
    this.#done.push(this.#command);
    this.#command = { words: [], input: "" };
  }
}

const ANSI: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r" };

function splitLine(line: string): readonly Piece[] {
  return new LineSplitter(line).split();
}
