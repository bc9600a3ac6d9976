/**
 * Families: the languages that import from one another, by one rule, and what follows from that rule. A language of its own
 * kind needs a row here beside its own. Pure.
 */

/** Languages that import from one another, by one rule. */
export type Family =
  | "c"
  | "c_sharp"
  | "dart"
  | "elixir"
  | "go"
  | "haskell"
  | "jvm"
  | "lua"
  | "php"
  | "python"
  | "ruby"
  | "rust"
  | "script"
  | "shell"
  | "style"
  | "swift"
  | "zig";

/** What holds in a family. */
export interface FamilyRow {
  /** Whether a module is a file. Elsewhere an import names a package, which is more than the file. */
  readonly moduleIsFile?: true;
  /** Whether any name may stand for a type. */
  readonly looseTypes?: true;
  /** Whether the index knows which places name a parameter or a variable of a block. */
  readonly binding?: true;
  /** Whether the analysis says where each variable of a block holds, and lines only its type. */
  readonly blocks?: true;
  /** Whether a variable has the type of whatever it was given last. */
  readonly dynamic?: true;
  /** Whether the analysis says the types of names, by the patterns of its grammars. */
  readonly typed?: true;
  /** Whether a member is named without a receiver. */
  readonly implicitMembers?: true;
  /** Whether the files of a folder are one package, whose names all of them have; or may be, where a file says so. */
  readonly folderPackage?: "always" | "declared";
  /** Whether names belong to namespaces. */
  readonly namespaces?: true;
  /** Whether a name of the own package or namespace comes before one that the import of a whole package brings. */
  readonly ownFirst?: true;
  /** Whether code names what it never imported. */
  readonly open?: true;
  /** Whether the files of the project alone say where a module is, so that an ending of a path proves nothing. */
  readonly knownByFiles?: true;
  /** How an object calls its base, where that is not `super`. */
  readonly parent?: string;
  /** The words by which a file passes on whatever a module has, without naming it. */
  readonly passesOn?: readonly string[];
}

/** A row a family. */
export const FAMILIES: Readonly<Record<Family, FamilyRow>> = {
  c: { moduleIsFile: true, binding: true, blocks: true, implicitMembers: true },
  c_sharp: {
    binding: true,
    blocks: true,
    implicitMembers: true,
    namespaces: true,
    ownFirst: true,
    open: true,
    parent: "base",
  },
  // The parts of a library see one another, whichever of them imports.
  dart: {
    moduleIsFile: true,
    implicitMembers: true,
    folderPackage: "declared",
    knownByFiles: true,
  },
  elixir: { looseTypes: true, open: true },
  go: { binding: true, typed: true, folderPackage: "always", knownByFiles: true },
  haskell: { moduleIsFile: true },
  jvm: {
    binding: true,
    blocks: true,
    implicitMembers: true,
    folderPackage: "always",
    ownFirst: true,
  },
  lua: { moduleIsFile: true, looseTypes: true, binding: true },
  php: {
    binding: true,
    blocks: true,
    dynamic: true,
    namespaces: true,
    open: true,
    parent: "parent",
  },
  python: {
    moduleIsFile: true,
    looseTypes: true,
    binding: true,
    typed: true,
    knownByFiles: true,
    passesOn: ["import *", "@pytest.fixture"],
  },
  ruby: {
    moduleIsFile: true,
    looseTypes: true,
    binding: true,
    blocks: true,
    dynamic: true,
    implicitMembers: true,
    open: true,
  },
  rust: { binding: true, passesOn: ["pub use"] },
  script: {
    moduleIsFile: true,
    binding: true,
    typed: true,
    knownByFiles: true,
    passesOn: ["export *"],
  },
  shell: { moduleIsFile: true },
  style: { moduleIsFile: true },
  swift: { binding: true, blocks: true, implicitMembers: true, open: true },
  zig: { moduleIsFile: true, looseTypes: true },
};

/** The families whose row has a word. */
export function familiesWith(word: keyof FamilyRow): ReadonlySet<Family> {
  const names = Object.keys(FAMILIES) as Family[];
  return new Set(names.filter((family) => FAMILIES[family][word] !== undefined));
}
