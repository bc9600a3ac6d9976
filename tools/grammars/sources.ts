/** Which file of which npm package each grammar is. A refresh starts with a new version in a row here. */

/** Where one vendored file comes from. */
export interface Source {
  /** Name of the grammar as `LANGUAGES` uses it; the runtime is `web-tree-sitter`. */
  readonly name: string;
  readonly package: string;
  readonly version: string;
  /** Path of the file inside the package. */
  readonly inside: string;
  readonly licence: string;
  /** Where the licence text lies, when it is not in the package itself: `package@version`. */
  readonly licenceFrom?: string;
}

type Row = readonly [name: string, source: string, inside?: string, licenceFrom?: string];

const REPOMIX = "@repomix/tree-sitter-wasms@0.1.17";
const COMMUNITY = "@tree-sitter-grammars";

// The two collections are public domain; the grammars in them keep their own licence.
const ROWS: readonly Row[] = [
  ["web-tree-sitter", "web-tree-sitter@0.27.1"],
  ["bash", "tree-sitter-bash@0.25.1"],
  ["c", "tree-sitter-c@0.24.1"],
  ["c_sharp", "tree-sitter-c-sharp@0.23.5"],
  ["cpp", "tree-sitter-cpp@0.23.4"],
  ["css", "tree-sitter-css@0.25.0"],
  ["dart", REPOMIX, "out/tree-sitter-dart.wasm", "tree-sitter-dart@1.0.0"],
  ["elixir", "tree-sitter-elixir@0.3.5"],
  ["go", "tree-sitter-go@0.25.0"],
  ["haskell", "tree-sitter-haskell@0.23.1"],
  ["hcl", `${COMMUNITY}/tree-sitter-hcl@1.2.0`],
  ["html", "tree-sitter-html@0.23.2"],
  ["java", "tree-sitter-java@0.23.5"],
  ["javascript", "tree-sitter-javascript@0.25.0"],
  ["json", "tree-sitter-json@0.24.8"],
  ["kotlin", `${COMMUNITY}/tree-sitter-kotlin@1.1.0`],
  ["lua", `${COMMUNITY}/tree-sitter-lua@0.4.1`],
  [
    "markdown",
    "@cursorless/tree-sitter-wasms@0.7.0",
    "out/tree-sitter-markdown.wasm",
    `${COMMUNITY}/tree-sitter-markdown@0.3.2`,
  ],
  ["php", "tree-sitter-php@0.24.2"],
  ["python", "tree-sitter-python@0.25.0"],
  ["ruby", "tree-sitter-ruby@0.23.1"],
  ["rust", "tree-sitter-rust@0.24.0"],
  ["scala", "tree-sitter-scala@0.24.0"],
  ["svelte", `${COMMUNITY}/tree-sitter-svelte@1.0.2`],
  ["swift", REPOMIX, "out/tree-sitter-swift.wasm", "tree-sitter-swift@0.7.1"],
  ["toml", `${COMMUNITY}/tree-sitter-toml@0.7.0`],
  ["tsx", "tree-sitter-typescript@0.23.2", "tree-sitter-tsx.wasm"],
  ["typescript", "tree-sitter-typescript@0.23.2"],
  ["vue", REPOMIX, "out/tree-sitter-vue.wasm", "tree-sitter-vue@0.2.1"],
  ["yaml", `${COMMUNITY}/tree-sitter-yaml@0.7.1`],
  ["zig", `${COMMUNITY}/tree-sitter-zig@1.1.2`],
];

/** Grammars under another licence than the others. */
const APACHE: ReadonlySet<string> = new Set(["elixir", "hcl"]);

/** Every vendored file, the runtime first. */
export const SOURCES: readonly Source[] = ROWS.map(([name, source, inside, licenceFrom]) => ({
  name,
  package: source.slice(0, source.lastIndexOf("@")),
  version: source.slice(source.lastIndexOf("@") + 1),
  inside: inside ?? (name === "web-tree-sitter" ? `${name}.wasm` : `tree-sitter-${name}.wasm`),
  licence: APACHE.has(name) ? "Apache-2.0" : "MIT",
  ...(licenceFrom === undefined ? {} : { licenceFrom }),
}));
