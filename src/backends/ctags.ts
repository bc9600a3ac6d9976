/** Definitions by Universal Ctags: files in by standard input, one JSON object a definition out. */
import { CodeIntelError } from "../base/errors.ts";
import { runProcess } from "../base/processes/process.ts";
import type { BackendStatus } from "./detect.ts";
import type { Language, Tag } from "../language/mod.ts";
import { languageByName, languageOfPath, LANGUAGES, toKind } from "../language/mod.ts";
import { pickRegularFiles } from "./regular_files.ts";

/** How ctags is run. */
export interface CtagsOptions {
  /** Absolute path of the project. */
  readonly root: string;
  /** Limit of the run. */
  readonly timeoutMs: number;
  /** Ends the work when the client cancels. */
  readonly signal?: AbortSignal;
}

/** What ctags read before its end or its time limit. */
export interface CtagsResult {
  /** The definitions. */
  readonly tags: readonly Tag[];
  /** Whether the time limit ended it. */
  readonly timedOut: boolean;
}

interface CtagsLine {
  readonly _type: string;
  readonly name: string;
  readonly path: string;
  readonly line?: number;
  readonly kind?: string;
  readonly language?: string;
  readonly scope?: string;
  readonly signature?: string;
  readonly scopeKind?: string;
  /** The line as a search pattern: `/^class A:$/`. */
  readonly pattern?: string;
  readonly end?: number;
  /** Set where the name is brought in from elsewhere (`import x as y`). */
  readonly nameref?: string;
}

const MAPS = LANGUAGES.flatMap((language) =>
  language.ctags === undefined ? [] : language.extensions
    // Headers are C or C++; ctags has a rule of its own for them.
    .filter((ending) => !ending.includes(".") && ending !== "h" && !ending.includes("+"))
    .map((ending) => `--map-${language.ctags}=+.${ending}`)
);

/** Whether this ctags has a parser for the language. */
export function isReadByCtags(status: BackendStatus, language: Language): boolean {
  return status.available && language.ctags !== undefined &&
    (status.languages ?? []).includes(language.ctags);
}

/**
 * The definitions of the regular files among `files` (relative to the root). Option files of the project
 * and the person are not read.
 *
 * @throws {CodeIntelError} `backend_failed`, `backend_missing`, `cancelled`.
 */
export async function findTagsByCtags(
  ctagsPath: string,
  files: readonly string[],
  options: CtagsOptions,
): Promise<CtagsResult> {
  // A line break in a name cannot be written into the list.
  const listed = pickRegularFiles(options.root, files).files
    .filter((path) => !/[\r\n]/.test(path));
  if (listed.length === 0) return { tags: [], timedOut: false };
  const run = await runProcess(ctagsPath, [
    "--options=NONE",
    "--quiet",
    "--output-format=json",
    "--fields=+neKSslpP-t",
    "--sort=no",
    "--links=no",
    "--recurse=no",
    ...MAPS,
    "-f",
    "-",
    "-L",
    "-",
  ], {
    cwd: options.root,
    // A name that begins with "-" would be read as an option.
    stdin: listed.map((path) => `./${path}\n`).join(""),
    timeoutMs: options.timeoutMs,
    isReadOnly: true,
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  });
  const tags = new TextDecoder().decode(run.stdout).split("\n").flatMap(parseLine);
  if (run.code !== 0 && !run.timedOut && tags.length === 0) {
    throw new CodeIntelError(
      "backend_failed",
      "Cannot read definitions: ctags ended with an error",
      {
        hint: "Set CODE_INTEL_CTAGS=none to use the built-in patterns instead.",
        details: { exitStatus: run.code, stderr: run.stderr.slice(0, 2000) },
      },
    );
  }
  return { tags, timedOut: run.timedOut };
}

function parseLine(text: string): readonly Tag[] {
  if (!text.startsWith("{")) return [];
  let line: CtagsLine;
  try {
    line = JSON.parse(text) as CtagsLine;
  } catch {
    // The last line of a run that was stopped is cut.
    return [];
  }
  if (line._type !== "tag" || line.line === undefined || isMadeUp(line.name)) return [];
  if (line.nameref !== undefined || isLocal(line) || isImported(line)) return [];
  const path = line.path.startsWith("./") ? line.path.slice(2) : line.path;
  const language = languageOf(path, line.language);
  const scopeKind = line.scope === undefined ? undefined : line.scopeKind;
  return [{
    name: line.name,
    kind: toKind(line.kind ?? "symbol", language, scopeKind),
    path,
    line: line.line,
    language,
    ...(line.end === undefined ? {} : { endLine: line.end }),
    ...(line.scope === undefined ? {} : { scope: line.scope }),
    ...(scopeKind === undefined ? {} : { scopeKind }),
    ...(line.signature === undefined ? {} : { signature: line.signature }),
  }];
}

// What lives inside one function is no symbol of the project; functions inside functions are.
function isLocal(line: CtagsLine): boolean {
  return /^(?:function|method|func|member|generator|getter|setter)$/.test(line.scopeKind ?? "") &&
    /^(?:variable|constant|parameter|local|property)$/.test(line.kind ?? "");
}

// `import { type Options } from` is read by ctags as if it defined the type, `use A\B;` as an alias.
function isImported(line: CtagsLine): boolean {
  if (line.kind === "alias" && line.language === "PHP") return true;
  if (line.kind !== "alias" || line.pattern === undefined) return false;
  const at = line.pattern.indexOf(line.name);
  const after = line.pattern.slice(at + line.name.length);
  return /^\s*(?:,|\}|as\b)/.test(after) || (/^\$\/$/.test(after) && /^\/\^\s/.test(line.pattern));
}

function isMadeUp(name: string): boolean {
  return name === "" ||
    /^(?:__anon|anonymous(?:Function|Class|Object|Struct|Enum))[0-9a-f]+/i.test(name);
}

function languageOf(path: string, found: string | undefined): string {
  const byPath = languageOfPath(path);
  // A header that ctags has read as C++ is C++.
  if (byPath !== undefined && !path.endsWith(".h")) return byPath.name;
  return (found === undefined ? byPath?.name : languageByName(found)?.name ?? found) ?? "unknown";
}
