/** The calls of a TypeScript project as its own compiler resolves them. */
import { join } from "node:path";
import ts from "typescript";
import { parseTestName } from "../../src/language/test_names.ts";
import { createTypescriptProgram } from "../impact_accuracy/truth_typescript.ts";
import type { CallSite, JudgedCalls, Place, SiteKind } from "./call_sites.ts";

/** Asks the compiler about every call in files that are no tests. */
export function judgeTypescript(root: string, paths: readonly string[]): JudgedCalls {
  const { program, sources } = createTypescriptProgram(root, paths);
  const files = sources.filter((path) => parseTestName(path) === null);
  const reader = new CallReader(root, new Set(paths), program.getTypeChecker());
  const sites = files.flatMap((path) => {
    const file = program.getSourceFile(join(root, path));
    return file === undefined ? [] : reader.readFile(path, file);
  });
  return { judge: `TypeScript ${ts.version}`, files, sites };
}

class CallReader {
  readonly #root: string;
  readonly #known: ReadonlySet<string>;
  readonly #checker: ts.TypeChecker;

  constructor(root: string, known: ReadonlySet<string>, checker: ts.TypeChecker) {
    this.#root = root;
    this.#known = known;
    this.#checker = checker;
  }

  readFile(path: string, file: ts.SourceFile): readonly CallSite[] {
    const sites: CallSite[] = [];
    const add = (name: ts.Node, site: Omit<CallSite, "path" | "line" | "column" | "name">) => {
      const { line, character } = file.getLineAndCharacterOfPosition(name.getStart());
      const text = name.kind === ts.SyntaxKind.SuperKeyword ? "constructor" : name.getText();
      sites.push({ path, line: line + 1, column: character + 1, name: text, ...site });
    };
    const visit = (node: ts.Node) => {
      if (isCall(node)) {
        const name = toCalledName(ts.isTaggedTemplateExpression(node) ? node.tag : node.expression);
        if (name !== null) add(name, this.#judge(node, name));
      } else if (ts.isJsxOpeningElement(node) || ts.isJsxSelfClosingElement(node)) {
        const name = toCalledName(node.tagName);
        if (name !== null) add(name, { kind: "unknown", targets: [] });
      } else if (ts.isDecorator(node)) {
        add(node.expression, { kind: "unknown", targets: [] });
      }
      ts.forEachChild(node, visit);
    };
    visit(file);
    return sites;
  }

  #judge(
    call: Call,
    name: ts.Node,
  ): Pick<CallSite, "kind" | "targets"> {
    const signature = this.#checker.getResolvedSignature(call)?.declaration;
    const named = this.#declarationsOf(name);
    if (named.length === 0) return { kind: "unknown", targets: [] };
    const all = [...named, ...signature === undefined ? [] : [signature]];
    if (named.every(isValue)) return { kind: "value", targets: [] };
    const targets = all.flatMap((one) => this.#toPlaces(one));
    if (named.every((one) => this.#toPlaces(one).length === 0)) {
      return { kind: "outside", targets: [] };
    }
    const kind: SiteKind = all.some((one) => hasBody(one) && this.#toPlaces(one).length > 0)
      ? "body"
      : "declared";
    return { kind, targets };
  }

  #declarationsOf(name: ts.Node): readonly ts.Declaration[] {
    let symbol = this.#checker.getSymbolAtLocation(name);
    if (symbol === undefined) return [];
    if ((symbol.flags & ts.SymbolFlags.Alias) !== 0) {
      symbol = this.#checker.getAliasedSymbol(symbol);
    }
    const own = symbol.declarations ?? [];
    // A key that only passes a name on (`{ parse }`) is that name.
    return own.flatMap((one) => {
      if (!ts.isShorthandPropertyAssignment(one)) return [one];
      const value = this.#checker.getShorthandAssignmentValueSymbol(one);
      if (value === undefined) return [one];
      const real = (value.flags & ts.SymbolFlags.Alias) !== 0
        ? this.#checker.getAliasedSymbol(value)
        : value;
      return [one, ...real.declarations ?? []];
    });
  }

  /** Where a declaration of the project stands: its name, and of a constructor its class too. */
  #toPlaces(declaration: ts.Node): readonly Place[] {
    const file = declaration.getSourceFile();
    const path = file.fileName.slice(this.#root.length + 1);
    if (!file.fileName.startsWith(`${this.#root}/`) || !this.#known.has(path)) return [];
    const lineOf = (node: ts.Node) => file.getLineAndCharacterOfPosition(node.getStart()).line + 1;
    const name = ts.getNameOfDeclaration(declaration as ts.Declaration) ??
      toHolderName(declaration);
    const own = { path, line: lineOf(name ?? declaration) };
    return ts.isConstructorDeclaration(declaration)
      ? [{ path, line: lineOf(declaration) }, ...this.#toPlaces(declaration.parent)]
      : ts.isClassLike(declaration)
      ? [
        own,
        ...declaration.members.filter(ts.isConstructorDeclaration).map((one) => ({
          path,
          line: lineOf(one),
        })),
      ]
      : [own];
  }
}

type Call = ts.CallExpression | ts.NewExpression | ts.TaggedTemplateExpression;

function isCall(node: ts.Node): node is Call {
  return ts.isCallExpression(node) || ts.isNewExpression(node) ||
    ts.isTaggedTemplateExpression(node);
}

/** A function without a name is known by the variable or the key that holds it. */
function toHolderName(node: ts.Node): ts.Node | undefined {
  const { parent } = node;
  const isHeld = ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent) ||
    ts.isPropertyDeclaration(parent);
  return isHeld ? parent.name : undefined;
}

/** The name that is called; null for what has none, such as the result of another call. */
function toCalledName(node: ts.Expression | ts.JsxTagNameExpression): ts.Node | null {
  let inner: ts.Node = node;
  while (
    ts.isParenthesizedExpression(inner) || ts.isNonNullExpression(inner) || ts.isAsExpression(inner)
  ) inner = inner.expression;
  if (ts.isIdentifier(inner) || inner.kind === ts.SyntaxKind.SuperKeyword) return inner;
  return ts.isPropertyAccessExpression(inner) ? inner.name : null;
}

function isFunction(node: ts.Node | undefined): boolean {
  return node !== undefined && (ts.isArrowFunction(node) || ts.isFunctionExpression(node));
}

function hasBody(node: ts.Node): boolean {
  if (ts.isClassLike(node) || isFunction(node)) return true;
  if (ts.isFunctionLike(node)) return "body" in node && node.body !== undefined;
  const isHolder = ts.isVariableDeclaration(node) || ts.isPropertyAssignment(node) ||
    ts.isPropertyDeclaration(node);
  return isHolder &&
    (isFunction(node.initializer) ||
      node.initializer !== undefined && ts.isClassLike(node.initializer));
}

/** Whether what is called is what a parameter or a variable of a function happens to hold. */
function isValue(node: ts.Node): boolean {
  if (ts.isParameter(node)) return !ts.isParameterPropertyDeclaration(node, node.parent);
  const isVariable = ts.isVariableDeclaration(node) || ts.isBindingElement(node);
  if (!isVariable || hasBody(node)) return false;
  for (let at: ts.Node | undefined = node.parent; at !== undefined; at = at.parent) {
    if (ts.isFunctionLike(at) || ts.isCatchClause(at)) return true;
  }
  return false;
}
