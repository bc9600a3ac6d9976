/** The rows of all languages that have a file of their own, in the order in which they are asked. Pure. */
import type { LanguageRow } from "./language_row.ts";
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
