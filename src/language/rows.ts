/** The rows of all languages that have a file of their own, in the order in which they are asked. Pure. */
import type { LanguageRow } from "./language_row.ts";
import { DefinitionPattern, HASH, SLASH as SLASHES } from "./language_row.ts";
import type { Kind } from "./kinds.ts";
import { BASH } from "./rows/bash.ts";
import { C, CPP } from "./rows/c_family.ts";
import { C_SHARP } from "./rows/c_sharp.ts";
import { DART } from "./rows/dart.ts";
import { JSON, MARKDOWN, SQL, TOML, YAML } from "./rows/data.ts";
import { ELIXIR } from "./rows/elixir.ts";
import { GO } from "./rows/go.ts";
import { HASKELL } from "./rows/haskell.ts";
import { HCL } from "./rows/hcl.ts";
import { JAVA, KOTLIN, SCALA } from "./rows/jvm.ts";
import { LUA } from "./rows/lua.ts";
import { BLADE, CSS, HTML, SCSS } from "./rows/pages.ts";
import { PHP } from "./rows/php.ts";
import { PYTHON } from "./rows/python.ts";
import { RUBY } from "./rows/ruby.ts";
import { RUST } from "./rows/rust.ts";
import { JAVASCRIPT, SVELTE, TSX, TYPESCRIPT, VUE } from "./rows/script.ts";
import { SWIFT } from "./rows/swift.ts";
import { ZIG } from "./rows/zig.ts";

interface PlainRow extends Omit<LanguageRow, "forms" | "name"> {
  /** Forms of its own, before those that languages share. */
  readonly forms?: readonly (readonly [kind: Kind, source: string])[];
}

const SLASH = { ...SLASHES, quotes: ['"'] } as const;
const DASH = { line: ["--"], quotes: ['"'] } as const;
const SEMICOLON = { line: [";"], quotes: ['"'], nameChars: "-" } as const;

const NAME = "(?<name>[\\p{L}_][\\p{L}\\p{N}_]*(?:(?:::|[.-])[\\p{L}\\p{N}_]+)*[?!]?)";
const MODIFIERS =
  "(?:(?:public|private|protected|internal|static|export|local|pub|async|inline|virtual|override|final|abstract|sealed|pure|elemental|recursive|shared|default)\\s+)*";
/** The word before the name, by kind; the languages that have it mean the same by it. */
const WORDS: readonly (readonly [kind: Kind, words: string])[] = [
  [
    "function",
    "sub|func|fun|function|fn|proc|procedure|subroutine|method|def|defn-?|defun|define|task|rpc|let\\s+rec",
  ],
  ["macro", "defmacro|macro|define-syntax|template"],
  ["class", "class|defclass|defrecord|deftype|actor|contract|entity"],
  ["struct", "struct|structure|message"],
  ["interface", "interface|protocol|service|defprotocol"],
  ["enum", "enum"],
  ["trait", "trait"],
  ["module", "module|package|namespace|unit|library|program|ns"],
  ["type", "type|typedef|record|union|input|scalar|model"],
];
const SHARED = [
  ...WORDS.map(([kind, words]) =>
    [
      kind,
      `^\\s*\\(?${MODIFIERS}(?:${words})\\s+(?:body\\s+)?\\(?(?!(?:is|of|in|as|from|if)\\b)NAME`,
    ] as const
  ),
  ["constant", `^(?:export\\s+)?(?:const|constant|defconst|val)\\s+NAME`],
  ["variable", `^\\(?(?:export\\s+)?(?:let|var|my|our|def|defvar|set)\\s+[$@%]?NAME`],
] as const;

const PLAIN: Readonly<Record<string, PlainRow>> = {
  Ada: { ...DASH, ext: "adb ads" },
  Assembly: { ...SEMICOLON, ext: "s asm", forms: [["label", "^NAME:"]] },
  Awk: { ...HASH, ext: "awk" },
  Clojure: { ...SEMICOLON, ext: "clj cljs cljc", aliases: "clj" },
  CMake: {
    ...HASH,
    ext: "cmake",
    files: "CMakeLists.txt",
    forms: [
      ["function", "^\\s*function\\s*\\(\\s*NAME"],
      ["macro", "^\\s*macro\\s*\\(\\s*NAME"],
      ["target", "^\\s*(?:add_executable|add_library|add_custom_target|project)\\s*\\(\\s*NAME"],
      ["variable", "^\\s*(?:set|option)\\s*\\(\\s*NAME"],
    ],
  },
  CoffeeScript: {
    ...HASH,
    ext: "coffee",
    forms: [["function", "^\\s*NAME\\s*[:=]\\s*(?:\\([^)]*\\)\\s*)?[-=]>"]],
  },
  Crystal: { ...HASH, ext: "cr", prints: /^(?:puts|pp?|print)$/ },
  CUDA: {
    ...SLASH,
    prints: /^(?:std::)?(?:f?printf|puts)$/,
    ext: "cu cuh",
    forms: [["function", "^__(?:global|device|host)__\\s+[\\w:<>*&\\s]*?\\b(?<name>\\w+)\\s*\\("]],
  },
  D: { ...SLASH, ext: "d" },
  Elm: {
    prints: /^(?:putStrLn|print)$/,
    ...DASH,
    ext: "elm",
    forms: [["type", "^type\\s+alias\\s+NAME"], ["function", "^(?<name>[a-z]\\w*)\\s*:"]],
  },
  Erlang: {
    line: ["%"],
    quotes: ['"'],
    ext: "erl hrl",
    forms: [
      ["function", "^(?<name>[a-z]\\w*)\\([^>]*->"],
      ["record", "^-record\\(\\s*NAME"],
      ["module", "^-module\\(\\s*NAME"],
      ["macro", "^-define\\(\\s*NAME"],
    ],
  },
  "F#": {
    prints: /(?:^|\.)Console\.(?:Error\.)?Write(?:Line)?$|^printfn?$/,
    line: ["//"],
    block: [["(*", "*)"]],
    quotes: ['"'],
    ext: "fs fsi fsx",
    aliases: "fsharp",
  },
  Fish: { ...HASH, ext: "fish" },
  Fortran: {
    line: ["!"],
    ext: "f90 f95 f03 f08 for",
    forms: [["function", "^\\s*(?:\\w+(?:\\([^)]*\\))?\\s+)?function\\s+NAME"]],
  },
  GDScript: { ...HASH, ext: "gd", prints: /^print$/ },
  GLSL: { ...SLASH, ext: "glsl vert frag hlsl wgsl metal" },
  GraphQL: { ...HASH, ext: "graphql gql" },
  Groovy: {
    prints: /\bSystem\.(?:out|err)\.print(?:ln|f)?$|^print(?:ln)?$|\.printStackTrace$/,
    ...SLASH,
    ext: "groovy gradle",
    files: "Jenkinsfile",
    forms: [["method", `^\\s+${MODIFIERS}[\\w<>\\[\\]]+\\s+NAME\\s*\\([^;=]*\\)\\s*\\{`]],
  },
  Haxe: { ...SLASH, ext: "hx" },
  Julia: { ...HASH, block: [["#=", "=#"]], ext: "jl", nameChars: "!", prints: /^print(?:ln)?$/ },
  Lisp: { ...SEMICOLON, ext: "lisp lsp el scm ss rkt", aliases: "scheme racket elisp" },
  Makefile: {
    ...HASH,
    ext: "mk mak",
    files: "Makefile makefile GNUmakefile",
    quotes: [],
    forms: [
      ["target", "^(?<name>[\\w./%-]+)(?:\\s+[\\w./%-]+)*\\s*:(?![=:])"],
      ["variable", "^(?:export\\s+)?(?<name>[\\w.-]+)\\s*[:?+]?="],
    ],
  },
  Nim: { ...HASH, ext: "nim nims" },
  Nix: { ...HASH, ext: "nix", quotes: ['"'] },
  "Objective-C": {
    prints: /^(?:f?printf|puts|NSLog)$/,
    ...SLASH,
    ext: "m mm",
    aliases: "objc objectivec",
    forms: [
      ["class", "^\\s*@(?:interface|implementation)\\s+NAME"],
      ["protocol", "^\\s*@protocol\\s+NAME"],
      ["method", "^\\s*[-+]\\s*\\([^)]*\\)\\s*NAME"],
      ["function", "^(?:[\\w*]+\\s+)+\\*?NAME\\s*\\([^;]*$"],
    ],
  },
  OCaml: { block: [["(*", "*)"]], quotes: ['"'], ext: "ml mli", nameChars: "'" },
  Pascal: { line: ["//"], block: [["{", "}"], ["(*", "*)"]], quotes: ["'"], ext: "pas pp dpr lpr" },
  Perl: {
    ...HASH,
    block: [["=pod", "=cut"], ["=head1", "=cut"]],
    ext: "pl pm t psgi",
    prints: /^(?:print|say|warn)$|(?:^|::)Dumper$/,
  },
  PowerShell: {
    ...HASH,
    block: [["<#", "#>"]],
    ext: "ps1 psm1 psd1",
    aliases: "ps pwsh",
    nameChars: "-",
  },
  Prisma: { ...SLASH, ext: "prisma" },
  Protobuf: { ...SLASH, ext: "proto", aliases: "proto" },
  PureScript: { ...DASH, ext: "purs", forms: [["function", "^(?<name>[a-z_]\\w*)\\s*::"]] },
  R: {
    prints: /^print$/,
    ...HASH,
    ext: "r",
    nameChars: ".",
    forms: [["function", "^\\s*NAME\\s*(?:<-|=)\\s*function\\b"]],
  },
  Solidity: { ...SLASH, ext: "sol", forms: [["event", "^\\s*(?:event|modifier|error)\\s+NAME"]] },
  Starlark: { ...HASH, ext: "bzl star bazel", files: "BUILD WORKSPACE" },
  Tcl: { ...HASH, ext: "tcl" },
  Thrift: { ...SLASH, ext: "thrift" },
  Verilog: { ...SLASH, ext: "v sv svh" },
  VHDL: { ...DASH, ext: "vhd vhdl", forms: [["architecture", "^\\s*architecture\\s+NAME"]] },
  "Vim script": {
    line: ['"'],
    quotes: ["'"],
    ext: "vim",
    forms: [["function", "^\\s*fu(?:nction)?!?\\s+(?:[sgb]:)?NAME"]],
  },
  "Visual Basic": {
    line: ["'"],
    quotes: ['"'],
    ext: "vb bas vbs cls",
    aliases: "vb",
    prints: /(?:^|\.)Console\.(?:Error\.)?Write(?:Line)?$/,
  },
};

/** The forms of all of them, whatever the case of the words, as in Pascal. */
const SHARED_PATTERNS = SHARED.map(([kind, source]) => compilePattern(kind, source, "iu"));

/** The rows. */
export const PLAIN_ROWS: readonly LanguageRow[] = Object.entries(PLAIN).map((
  [name, { forms = [], ...row }],
) => ({
  ...row,
  name,
  noGrammar: "none is vendored",
  forms: [...forms.map(([kind, source]) => compilePattern(kind, source, "u")), ...SHARED_PATTERNS],
}));

function compilePattern(kind: Kind, source: string, flags: string): DefinitionPattern {
  return new DefinitionPattern(kind, source.replaceAll("NAME", NAME), flags);
}

/** One row a language. The first row keeps an ending that two of them share (`h`). */
export const ROWS: readonly LanguageRow[] = [
  PYTHON,
  BLADE,
  PHP,
  JAVASCRIPT,
  TYPESCRIPT,
  TSX,
  VUE,
  SVELTE,
  HTML,
  CSS,
  SCSS,
  GO,
  RUST,
  JAVA,
  KOTLIN,
  SCALA,
  C,
  CPP,
  C_SHARP,
  RUBY,
  SWIFT,
  LUA,
  BASH,
  ELIXIR,
  HASKELL,
  ZIG,
  DART,
  HCL,
  YAML,
  JSON,
  TOML,
  MARKDOWN,
  SQL,
];
