/** HCL, as Terraform and its kin write it: a row of the table of languages. */
import type { LanguageRow } from "../language_row.ts";
import { form } from "../language_row.ts";

/** The row. */
export const HCL: LanguageRow = {
  name: "HCL",
  grammar: "hcl",
  ext: "tf hcl tfvars",
  aliases: "terraform",
  line: ["#", "//"],
  block: [["/*", "*/"]],
  quotes: ['"'],
  nameChars: "-",
  interpolation: "${",
  readsStrings: true,
  forms: [
    form("block", '^\\s*\\w+\\s+(?:"[^"]*"\\s+)?"(?<name>[\\w.-]+)"\\s*\\{'),
  ],
  mutants: {
    operators: "binary_operation",
    constants: "numeric_lit bool_lit",
    conditions: "conditional#0",
  },
};
