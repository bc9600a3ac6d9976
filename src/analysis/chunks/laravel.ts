/** Laravel and Filament: tables of migrations, relations of models, the parts of a resource. */
import { findEndByIndent } from "../regex_tags.ts";
import type { CodeSymbol } from "../analysis.ts";
import type { ChunkUnit } from "./chunker.ts";
import type { SpecialText } from "./special_chunker.ts";

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
  ).map(({ method, name }) => toUnit(method, "relation", name));
}

/** One unit for each of the methods that make a Filament resource, kind `filament_resource`. */
export function chunkFilament({ language, symbols }: SpecialText): ChunkUnit[] {
  if (language !== "PHP") return [];
  return methodsOf(symbols).filter(({ method, holder }) =>
    RESOURCE_METHODS.has(method.name) &&
    holder.bases?.some((base) => /(?:Resource|RelationManager)$/.test(base)) === true
  ).map(({ method, name }) => toUnit(method, "filament_resource", name));
}

function methodsOf(symbols: readonly CodeSymbol[]) {
  return symbols.flatMap((method) => {
    const holder = method.parent === null ? undefined : symbols[method.parent];
    if (method.kind !== "method" || holder === undefined) return [];
    return [{ method, holder, name: `${holder.name}.${method.name}` }];
  });
}

function toUnit({ startLine, endLine }: CodeSymbol, kind: string, name: string): ChunkUnit {
  return { startLine, endLine, kind, name };
}
