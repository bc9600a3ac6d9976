/** All special chunkers, as a table: a new one is a row. */
import type { CodeSymbol } from "../analysis.ts";
import type { ChunkUnit } from "./chunker.ts";
import { findEndByIndent } from "../rule_analysis.ts";

/** A text with what is known of it. */
export interface SpecialText {
  /** Path in the project. */
  readonly path: string;
  /** Name of its language. */
  readonly language: string;
  readonly lines: readonly string[];
  readonly symbols: readonly CodeSymbol[];
}

/** Finds the units of one kind of file; none where the text is no such file. */
export type SpecialChunker = (text: SpecialText) => readonly ChunkUnit[];

const DIRECTIVES = "section|component|slot|push|prepend|once|fragment";
const MARK = new RegExp(
  `@(?<open>${DIRECTIVES})\\(\\s*['"](?<name>[^'"]+)['"](?<inline>\\s*,)?|` +
    `@(?<close>end(?:${DIRECTIVES})|show|stop|append|overwrite)\\b|` +
    "<(?<tag>x-[\\w.:-]+)(?<rest>[^>]*)>|</(?<end>x-[\\w.:-]+)\\s*>",
  "g",
);
const STACK = /@(?<kind>stack|yield)\(\s*['"](?<name>[^'"]+)['"]/;

interface Open {
  readonly kind: string;
  readonly name: string;
  readonly startLine: number;
}

/** One unit for each of them, kind `blade_section`, `blade_component` … */
export function chunkBlade({ language, lines }: SpecialText): ChunkUnit[] {
  if (language !== "Blade") return [];
  const units: ChunkUnit[] = [];
  const open: Open[] = [];
  const shut = (kind: string | null, endLine: number) => {
    const at = kind === null ? open.length - 1 : open.findLastIndex((one) => one.kind === kind);
    const one = open[at];
    if (one === undefined) return;
    open.length = at;
    units.push({ ...one, kind: `blade_${one.kind}`, endLine });
  };
  lines.forEach((line, index) => {
    const startLine = index + 1;
    for (const { groups = {} } of line.matchAll(MARK)) {
      const { open: kind, name = "", inline, close, tag, rest = "", end } = groups;
      // `@section('title', 'Text')` has no end.
      if (kind !== undefined && !(kind === "section" && inline !== undefined)) {
        open.push({ kind, name, startLine });
      } else if (close !== undefined) {
        shut(close.startsWith("end") ? close.slice(3) : "section", startLine);
      } else if (tag !== undefined && !rest.endsWith("/")) {
        open.push({ kind: "component", name: tag, startLine });
      } else if (end !== undefined) shut("component", startLine);
    }
    const { kind, name } = STACK.exec(line)?.groups ?? {};
    if (kind === "stack" && name !== undefined && open.length === 0) {
      units.push({ startLine, endLine: startLine, kind: "blade_stack", name });
    }
  });
  return units;
}

const KEYS: ReadonlySet<string> = new Set(["require", "require-dev", "autoload", "autoload-dev"]);

/** One unit for each of these keys, kind `composer`. */
export function chunkComposer({ path, symbols }: SpecialText): ChunkUnit[] {
  if (!/(?:^|\/)composer\.json$/.test(path)) return [];
  return symbols
    .filter(({ kind, name, parent }) => kind === "key" && parent === null && KEYS.has(name))
    .map(({ name, startLine, endLine }) => ({ startLine, endLine, kind: "composer", name }));
}

const TABLE = /\bSchema::(?:connection\([^)]*\)->)?(?:create|table)\(\s*['"](?<table>[\w.]+)['"]/;
const RELATION =
  /->\s*(?:hasOne|hasMany|belongsTo|belongsToMany|hasOneThrough|hasManyThrough|morphTo|morphOne|morphMany|morphToMany|morphedByMany)\s*\(/;
const RESOURCE_METHODS: ReadonlySet<string> = new Set([
  "form",
  "table",
  "infolist",
  "getRelations",
  "getPages",
  "getWidgets",
  "getEloquentQuery",
  "getNavigationBadge",
  "getGloballySearchableAttributes",
  "getGlobalSearchResultDetails",
]);

/** One unit for each table that a migration creates or changes, kind `migration`. */
export function chunkMigration({ language, lines }: SpecialText): ChunkUnit[] {
  if (language !== "PHP") return [];
  return lines.flatMap((line, index) => {
    const name = TABLE.exec(line)?.groups?.["table"];
    if (name === undefined) return [];
    const startLine = index + 1;
    const endLine = findEndByIndent(lines, startLine);
    return [{ startLine, endLine, kind: "migration", name }];
  });
}

/** One unit for each relation of a model, kind `relation`. */
export function chunkRelations({ language, lines, symbols }: SpecialText): ChunkUnit[] {
  if (language !== "PHP") return [];
  return methodsOf(symbols).filter(({ method }) =>
    RELATION.test(lines.slice(method.startLine - 1, method.endLine).join("\n"))
  ).map(({ method, name }) => buildUnit(method, "relation", name));
}

/** One unit for each of the methods that make a Filament resource, kind `filament_resource`. */
export function chunkFilament({ language, symbols }: SpecialText): ChunkUnit[] {
  if (language !== "PHP") return [];
  return methodsOf(symbols).filter(({ method, holder }) =>
    RESOURCE_METHODS.has(method.name) &&
    holder.bases?.some((base) => /(?:Resource|RelationManager)$/.test(base)) === true
  ).map(({ method, name }) => buildUnit(method, "filament_resource", name));
}

function methodsOf(symbols: readonly CodeSymbol[]) {
  return symbols.flatMap((method) => {
    const holder = method.parent === null ? undefined : symbols[method.parent];
    if (method.kind !== "method" || holder === undefined) return [];
    return [{ method, holder, name: `${holder.name}.${method.name}` }];
  });
}

function buildUnit({ startLine, endLine }: CodeSymbol, kind: string, name: string): ChunkUnit {
  return { startLine, endLine, kind, name };
}

const KEY = /^(?<indent>\s*)(?<key>content|theme|plugins|presets|safelist|darkMode)\s*:/;

/** One unit for each outermost key, kind `tailwind`. */
export function chunkTailwind({ path, lines }: SpecialText): ChunkUnit[] {
  if (!/(?:^|\/)tailwind\.config\.[cm]?[jt]s$/.test(path)) return [];
  const units: ChunkUnit[] = [];
  let outer: number | null = null;
  lines.forEach((line, index) => {
    const match = KEY.exec(line);
    const indent = match?.groups?.["indent"]?.length;
    const name = match?.groups?.["key"];
    if (indent === undefined || name === undefined) return;
    // Keys of a deeper object may have the same names.
    outer ??= indent;
    if (indent !== outer) return;
    const startLine = index + 1;
    const endLine = findEndByIndent(lines, startLine);
    units.push({ startLine, endLine, kind: "tailwind", name });
  });
  return units;
}

const SPECIAL_CHUNKERS: readonly SpecialChunker[] = [
  chunkComposer,
  chunkTailwind,
  chunkMigration,
  chunkFilament,
  chunkRelations,
  chunkBlade,
];

/** The special units of a text; nearly always none. */
export function findSpecialUnits(text: SpecialText): ChunkUnit[] {
  return SPECIAL_CHUNKERS.flatMap((chunk) => chunk(text));
}
