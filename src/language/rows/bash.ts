/** Bash, as a row of the table of languages. */
import type { LanguageRow } from "../language_row.ts";
import { form, HASH } from "../language_row.ts";

/** The row. */
export const BASH: LanguageRow = {
  name: "Bash",
  grammar: "bash",
  family: "shell",
  familyFacts: { moduleIsFile: true },
  ...HASH,
  ext: "sh bash zsh ksh",
  files: ".bashrc .bash_profile .profile .zshrc",
  aliases: "sh shell zsh",
  ctags: "Sh",
  forms: [
    form("function", "^\\s*(?:function\\s+(?<name>[\\w.:-]+)\\s*(?:\\(\\s*\\))?)"),
    form("function", "^\\s*(?<name>[\\w.:-]+)\\s*\\(\\s*\\)\\s*[{(]?\\s*"),
  ],
  tests: { names: /^(.+)[_-](?:spec|test)$|^test[_-](.+)$/ },
  bodies: {
    functions: "function_definition",
    blocks: "compound_statement subshell",
    noop: /^(?::|true|return 0)$/,
  },
  mutants: {
    operators: "binary_expression unary_expression",
    swaps: { "=": "!=", "-z": "-n", "-n": "-z" },
  },
};
