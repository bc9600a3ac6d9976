/**
 * Definitions of a TypeScript project and who names them, as its own compiler resolves them: the truth that
 * the graph is compared with. Packages that are not installed are unknown to it, as they are to us.
 */
import { join } from "node:path";
import ts from "typescript";
import type { Truth, TruthDefinition, TruthReference } from "./sample.ts";

/** A project as the compiler reads it. */
export interface TypescriptProgram {
  readonly program: ts.Program;
  /** Its files, without those that only declare. */
  readonly sources: readonly string[];
}

/** Opens the given files with the compiler. Packages of the workspace lead to their sources. */
export function createTypescriptProgram(root: string, paths: readonly string[]): TypescriptProgram {
  const sources = paths.filter((path) => /\.[mc]?tsx?$/.test(path) && !/\.d\.[mc]?ts$/.test(path));
  const program = ts.createProgram(sources.map((path) => join(root, path)), {
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    allowImportingTsExtensions: true,
    noEmit: true,
    skipLibCheck: true,
    strict: true,
    paths: readWorkspacePaths(root, paths),
    jsx: ts.JsxEmit.Preserve,
    types: [],
  });
  return { program, sources };
}

/** Asks the compiler about every identifier of the given files. */
export function readTypescriptTruth(root: string, paths: readonly string[]): Truth {
  const { program, sources } = createTypescriptProgram(root, paths);
  const checker = program.getTypeChecker();
  const known = new Set(paths);
  const definitions = new Map<string, TruthDefinition>();
  const references: TruthReference[] = [];
  const toPlace = (node: ts.Node) => {
    const file = node.getSourceFile();
    const line = file.getLineAndCharacterOfPosition(node.getStart()).line + 1;
    return { path: file.fileName.slice(root.length + 1), line };
  };
  const toId = (declaration: ts.Declaration): string | null => {
    const name = ts.getNameOfDeclaration(declaration);
    if (name === undefined || !ts.isIdentifier(name) || !isOuter(declaration)) return null;
    const { path, line } = toPlace(name);
    return known.has(path) ? `${path}:${line}#${name.text}` : null;
  };
  for (const path of sources) {
    const file = program.getSourceFile(join(root, path));
    if (file === undefined) continue;
    const visit = (node: ts.Node) => {
      if (ts.isIdentifier(node)) {
        const parent = node.parent as ts.Declaration;
        const isName = ts.getNameOfDeclaration(parent) === node && toId(parent) !== null;
        if (isName) {
          const id = toId(parent);
          if (id !== null) {
            definitions.set(id, { id, ...toPlace(node), name: node.text, kind: toKind(parent) });
          }
        } else {
          for (const to of toTargets(checker, node).flatMap((one) => toId(one) ?? [])) {
            references.push({ ...toPlace(node), within: toWithin(node, toId), to });
          }
        }
      }
      ts.forEachChild(node, visit);
    };
    visit(file);
  }
  return { definitions: [...definitions.values()], references };
}

function toTargets(checker: ts.TypeChecker, node: ts.Identifier): readonly ts.Declaration[] {
  let symbol = checker.getSymbolAtLocation(node);
  if (symbol !== undefined && (symbol.flags & ts.SymbolFlags.Alias) !== 0) {
    symbol = checker.getAliasedSymbol(symbol);
  }
  return symbol?.declarations ?? [];
}

const KINDS: readonly (readonly [test: (node: ts.Node) => boolean, kind: string])[] = [
  [ts.isFunctionDeclaration, "function"],
  [ts.isClassDeclaration, "class"],
  [ts.isInterfaceDeclaration, "interface"],
  [ts.isTypeAliasDeclaration, "type"],
  [ts.isEnumDeclaration, "enum"],
  [ts.isVariableDeclaration, "variable"],
  [ts.isMethodDeclaration, "method"],
  [ts.isMethodSignature, "method"],
  [ts.isPropertyDeclaration, "property"],
  [ts.isPropertySignature, "property"],
  [ts.isGetAccessor, "property"],
];

function toKind(node: ts.Node): string {
  return KINDS.find(([test]) => test(node))?.[1] ?? "other";
}

/** Whether other files can name a declaration: it is at the top, or a member of what is. */
function isOuter(declaration: ts.Declaration): boolean {
  if (toKind(declaration) === "other") return false;
  const holder = ts.isVariableDeclaration(declaration)
    ? declaration.parent.parent.parent
    : declaration.parent;
  if (ts.isSourceFile(holder) || ts.isModuleBlock(holder)) return true;
  return (ts.isClassDeclaration(holder) || ts.isInterfaceDeclaration(holder)) && isOuter(holder);
}

/** The innermost declaration round a place that others can name. */
function toWithin(
  node: ts.Node,
  toId: (declaration: ts.Declaration) => string | null,
): string | null {
  for (let at = node.parent; at !== undefined; at = at.parent) {
    if (toKind(at) === "other") continue;
    const id = toId(at as ts.Declaration);
    if (id !== null) return id;
  }
  return null;
}

/** Where the packages of a workspace lie, by the sources that their manifests export. */
function readWorkspacePaths(root: string, paths: readonly string[]): Record<string, string[]> {
  const known = new Set(paths);
  const found: Record<string, string[]> = {};
  for (const path of paths.filter((one) => /(?:^|\/)package\.json$/.test(one))) {
    const { name, exports } = JSON.parse(Deno.readTextFileSync(join(root, path)));
    if (typeof name !== "string" || typeof exports !== "object" || exports === null) continue;
    const folder = path.slice(0, -"package.json".length);
    for (const [key, value] of Object.entries(exports)) {
      const target = JSON.stringify(value).match(/"\.\/[^"]+\.[mc]?tsx?"/g)
        ?.map((text) => `${folder}${text.slice(3, -1)}`)
        .find((one) => known.has(one) && !/\.d\.[mc]?ts$/.test(one));
      if (target !== undefined) found[`${name}${key.slice(1)}`] = [join(root, target)];
    }
  }
  return found;
}
