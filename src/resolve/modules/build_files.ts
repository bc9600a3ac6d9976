/**
 * What the build files of a project say about its modules: aliases of tsconfig, packages of a workspace with what they export,
 * module paths of Go, prefixes of Composer, crates. Only texts are read, nothing is run. Pure.
 */
import { dirname, join } from "node:path/posix";
import { asRecord } from "../../base/text/json_record.ts";
import { parseJsonc } from "../../base/text/jsonc.ts";

/**
 * The targets of a name, likeliest first: sources before what is built, whatever the condition.
 *
 * @example
 * ```ts
 * import { deepStrictEqual as deepEqual } from "node:assert/strict";
 * import { findExport } from "./build_files.ts";
 * const exports = { ".": { types: "./dist/a.d.ts", source: "./src/a.ts" }, "./x/*": "./src/x/*.ts" };
 * deepEqual(findExport(exports, "."), ["./src/a.ts", "./dist/a.d.ts"]);
 * deepEqual(findExport(exports, "./x/y"), ["./src/x/y.ts"]);
 * ```
 */
export function findExport(table: unknown, name: string): readonly string[] {
  if (typeof table === "string" || Array.isArray(table)) {
    return name === "." ? listTargets(table) : [];
  }
  if (typeof table !== "object" || table === null) return [];
  const rows = Object.entries(table);
  const isByCondition = rows.every(([key]) => !key.startsWith(".") && !key.startsWith("#"));
  if (isByCondition) return name === "." ? listTargets(table) : [];
  const exact = rows.find(([key]) => key === name);
  if (exact !== undefined) return listTargets(exact[1]);
  const toHead = (key: string) => key.slice(0, key.indexOf("*"));
  for (const [key, value] of rows.toSorted(([a], [b]) => toHead(b).length - toHead(a).length)) {
    const star = key.indexOf("*");
    if (star < 0) continue;
    const [head, tail] = [key.slice(0, star), key.slice(star + 1)];
    if (!name.startsWith(head) || !name.endsWith(tail) || name.length < key.length) continue;
    const rest = name.slice(head.length, name.length - tail.length);
    return listTargets(value).map((target) => target.replaceAll("*", rest));
  }
  return [];
}

/** Conditions that hold elsewhere than where a script imports by `import`: what they name comes after the rest. */
const ELSEWHERE = new Set(
  "require browser worker workerd edge-light react-native react-server electron deno bun".split(
    " ",
  ),
);

/** Every path in a tree of conditions, sources first. */
function listTargets(value: unknown): string[] {
  const [here, elsewhere]: [string[], string[]] = [[], []];
  const visit = (one: unknown, list: string[]) => {
    if (typeof one === "string") list.push(one);
    else if (Array.isArray(one)) one.forEach((each) => visit(each, list));
    else if (typeof one === "object" && one !== null) {
      for (const [condition, inner] of Object.entries(one)) {
        visit(inner, ELSEWHERE.has(condition) ? elsewhere : list);
      }
    }
  };
  visit(value, here);
  const isSource = (path: string) => /\.[mc]?tsx?$/.test(path) && !/\.d\.[mc]?ts$/.test(path);
  const ordered = [here, elsewhere].flatMap((list) => [...list.filter(isSource), ...list]);
  return [...new Set(ordered)];
}

/** Where aliases of scripts lead, for the files below a folder. */
export interface AliasTable {
  /** Folder whose files it holds for, and below. */
  readonly folder: string;
  /** Patterns, longest first, with at most one `*`, and the paths that they may mean. */
  readonly rows: readonly { readonly pattern: string; readonly targets: readonly string[] }[];
}

/** A package, crate or module with a name. */
export interface NamedFolder {
  readonly name: string;
  readonly folder: string;
}

/** A package of scripts. */
export interface ScriptPackage extends NamedFolder {
  readonly exports: unknown;
  readonly imports: unknown;
  /** Its entry by `source`, `module`, `types` or `main`, as written. */
  readonly entries: readonly string[];
}

/** Everything that build files say. */
export interface BuildFacts {
  /** Innermost folders first. */
  readonly aliases: readonly AliasTable[];
  /** Innermost folders first. */
  readonly packages: readonly ScriptPackage[];
  /** Go modules by their path, longest first. */
  readonly goModules: readonly NamedFolder[];
  /** Crates, with the folder of their Cargo.toml. */
  readonly crates: readonly NamedFolder[];
  /** Prefixes of PHP namespaces with the folder that holds them, longest first. */
  readonly prefixes: readonly NamedFolder[];
  /** Dart packages. */
  readonly dartPackages: readonly NamedFolder[];
}

const NAMES = new Set([
  "tsconfig.json",
  "jsconfig.json",
  "tsconfig.base.json",
  "tsconfig.app.json",
  "package.json",
  "deno.json",
  "deno.jsonc",
  "go.mod",
  "composer.json",
  "Cargo.toml",
  "pubspec.yaml",
]);

/** Whether the text of a file is one that {@link readBuildFacts} reads. */
export function isBuildFile(path: string): boolean {
  return NAMES.has(path.slice(path.lastIndexOf("/") + 1));
}

/** Reads the texts of build files, by path; what cannot be read says nothing. */
export function readBuildFacts(texts: ReadonlyMap<string, string>): BuildFacts {
  const all = [...texts].sort(([a], [b]) => a < b ? -1 : 1);
  const named = (name: string) =>
    all.filter(([path]) => path === name || path.endsWith(`/${name}`));
  const byDepth = <T extends { readonly folder: string }>(list: readonly T[]) =>
    list.toSorted((a, b) => b.folder.length - a.folder.length);
  const byName = (list: readonly NamedFolder[]) =>
    list.toSorted((a, b) => b.name.length - a.name.length);
  const scripts = ["tsconfig.json", "jsconfig.json", "tsconfig.base.json", "tsconfig.app.json"];
  return {
    aliases: byDepth([
      ...scripts.flatMap(named).flatMap(([path]) => readAliases(path, texts) ?? []),
      ...[...named("deno.json"), ...named("deno.jsonc")].flatMap(readDenoImports),
    ]),
    packages: byDepth(named("package.json").flatMap(readPackage)),
    goModules: byName(
      named("go.mod").flatMap(([path, text]) =>
        listNamed(path, /^\s*module\s+"?([^\s"]+)/m.exec(text)?.[1])
      ),
    ),
    crates: named("Cargo.toml").flatMap(([path, text]) =>
      listNamed(path, /\[package\][^[]*?\bname\s*=\s*"([^"]+)"/.exec(text)?.[1])
    ),
    prefixes: byName(named("composer.json").flatMap(readPrefixes)),
    dartPackages: named("pubspec.yaml").flatMap(([path, text]) =>
      listNamed(path, /^name:\s*([\w]+)/m.exec(text)?.[1])
    ),
  };
}

function listNamed(path: string, name: string | undefined): NamedFolder[] {
  return name === undefined ? [] : [{ name, folder: dirname(path) }];
}

type Json = Readonly<Record<string, unknown>>;

function readJson(text: string | undefined): Json {
  if (text === undefined) return {};
  const result = parseJsonc(text);
  return result.kind === "value" ? asRecord(result.value) : {};
}

function keepTexts(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value]).filter((one) => typeof one === "string");
}

const MAX_EXTENDS = 5;

/** `paths` and `baseUrl` of a tsconfig, those that it takes over from others included. */
function readAliases(path: string, texts: ReadonlyMap<string, string>): AliasTable | undefined {
  let at: string | undefined = path;
  for (let step = 0; at !== undefined && step < MAX_EXTENDS; step++) {
    const json = readJson(texts.get(at));
    const options = asRecord(json["compilerOptions"]);
    const home = dirname(at);
    const base = typeof options["baseUrl"] === "string" ? join(home, options["baseUrl"]) : null;
    const rows = Object.entries(asRecord(options["paths"])).map(([pattern, targets]) => ({
      pattern,
      targets: keepTexts(targets).map((target) => join(base ?? home, target)),
    }));
    if (base !== null) rows.push({ pattern: "*", targets: [join(base, "*")] });
    if (rows.length > 0) {
      rows.sort((a, b) => b.pattern.length - a.pattern.length);
      return { folder: dirname(path), rows };
    }
    const [parent] = keepTexts(json["extends"]).filter((one) => one.startsWith("."));
    const next: string | undefined = parent === undefined ? undefined : join(home, parent);
    at = next === undefined || texts.has(next) ? next : `${next}.json`;
  }
  return undefined;
}

function readDenoImports([path, text]: readonly [string, string]): AliasTable[] {
  const folder = dirname(path);
  const rows = Object.entries(asRecord(readJson(text)["imports"])).flatMap(([key, value]) => {
    if (typeof value !== "string" || !value.startsWith(".")) return [];
    return key.endsWith("/")
      ? [{ pattern: `${key}*`, targets: [join(folder, value, "*")] }]
      : [{ pattern: key, targets: [join(folder, value)] }];
  });
  return rows.length === 0 ? [] : [{ folder, rows }];
}

function readPackage([path, text]: readonly [string, string]): ScriptPackage[] {
  const json = readJson(text);
  const name = typeof json["name"] === "string" ? json["name"] : "";
  const entries = ["source", "module", "types", "main"].flatMap((key) => keepTexts(json[key]));
  const { exports, imports } = json;
  return [{ name, folder: dirname(path), exports, imports, entries }];
}

function readPrefixes([path, text]: readonly [string, string]): NamedFolder[] {
  const json = readJson(text);
  return ["autoload", "autoload-dev"].flatMap((key) => {
    const section = asRecord(json[key]);
    return ["psr-4", "psr-0"].flatMap((rule) =>
      Object.entries(asRecord(section[rule])).flatMap(([prefix, folders]) =>
        keepTexts(folders).map((folder) => ({
          name: prefix,
          folder: join(dirname(path), folder, rule === "psr-0" ? normalizeSlashes(prefix) : ""),
        }))
      )
    );
  });
}

function normalizeSlashes(prefix: string): string {
  return prefix.replaceAll("\\", "/");
}
