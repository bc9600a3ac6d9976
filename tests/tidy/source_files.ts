/** What the tidy tests read: the project's own files, their imports, and their text without comments. */
import { fail } from "node:assert/strict";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

/** Absolute path of the repository. */
export const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..", "..");

/** A file of the project. */
export interface SourceFile {
  /** Path from the repository's root, with `/`. */
  readonly path: string;
  readonly text: string;
}

/** One `import` or re-export. */
export interface Import {
  readonly specifier: string;
  /** True when only types are taken, so that nothing of the module runs. */
  readonly isTypeOnly: boolean;
  /** True where the module is loaded only when the line is reached. */
  readonly isLazy: boolean;
}

/** Every TypeScript file below the folders, in a fixed order; fixtures and samples are left out. */
export async function readSourceFiles(...folders: readonly string[]): Promise<SourceFile[]> {
  const files: SourceFile[] = [];
  for (const folder of folders) {
    for await (const path of walk(join(ROOT, folder))) {
      const text = await Deno.readTextFile(path);
      files.push({ path: relative(ROOT, path).replaceAll("\\", "/"), text });
    }
  }
  return files.sort((left, right) => left.path < right.path ? -1 : 1);
}

const LEFT_OUT = new Set(["fixtures", "sample", "node_modules"]);

async function* walk(folder: string): AsyncGenerator<string> {
  for await (const entry of Deno.readDir(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory && !LEFT_OUT.has(entry.name)) yield* walk(path);
    if (entry.isFile && entry.name.endsWith(".ts")) yield path;
  }
}

/**
 * Fails with every offence on a line of its own; none is cut.
 *
 * @param hint what to do about one: which file, which table, which row.
 */
export function expectNone(offences: readonly string[], hint: string): void {
  if (offences.length > 0) fail(`${offences.length} offences:\n${offences.join("\n")}\n${hint}`);
}

/** The imports and re-exports of a module, dynamic ones with a literal included. */
export function toImports(text: string): Import[] {
  const code = toCode(text, { keepStrings: true });
  const found: Import[] = [];
  const statement = /^(?:import|export)\s+(type\s+)?(?:[^"';]*?\sfrom\s*)?["']([^"']+)["']/gm;
  for (const match of code.matchAll(statement)) {
    found.push({ specifier: match[2] ?? "", isTypeOnly: match[1] !== undefined, isLazy: false });
  }
  for (const match of code.matchAll(/\bimport\(\s*["']([^"']+)["']/g)) {
    found.push({ specifier: match[1] ?? "", isTypeOnly: false, isLazy: true });
  }
  return found;
}

/** A place in a text that is not code, and what ends it. */
const NOT_CODE =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|(?<=[(,=>:[!&|?{};\n]\s*|return\s+)\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*|`(?:\\.|[^`\\])*`/g;

/**
 * The text with comments, strings and regular expressions blanked; line numbers stay. Code inside the
 * `${}` of a template is kept, because it runs.
 */
export function toCode(text: string, options: { readonly keepStrings?: boolean } = {}): string {
  return text.replaceAll(NOT_CODE, (part) => {
    const isString = part.startsWith('"') || part.startsWith("'");
    if (isString && options.keepStrings === true) return part;
    if (part.startsWith("`")) return toTemplateCode(part);
    return part.replaceAll(/[^\n]/g, " ");
  });
}

function toTemplateCode(template: string): string {
  const inside = [...template.matchAll(/\$\{([^}]*)\}/g)].map((match) => match[1]).join(" ; ");
  return ` (${inside.replaceAll("\n", " ")}) ` + template.replaceAll(/[^\n]/g, "");
}
