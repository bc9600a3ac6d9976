/** The part of `deno doc --lint` that counts. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { toFindings } from "../../tools/lint_docs/findings.ts";

const BARE_EXPORT = `error[missing-jsdoc]: exported symbol is missing JSDoc documentation
 --> /src/a.ts:8:1
  |
8 | export function bare(): void {}
  | ^

`;
const BARE_MEMBER = `error[missing-jsdoc]: exported symbol is missing JSDoc documentation
  --> /src/a.ts:12:12
   |
12 |   readonly wholeWord: boolean;
   |            ^

`;
const HIDDEN_TYPE =
  `error[private-type-ref]: public type 'Run["do"]' references private type 'Hidden'
  --> /src/a.ts:47:3
   |
47 |   do(it: Hidden): void;
   |   ^
   |
26 | export interface Hidden {
   | - this is the referenced type

`;
const FOREIGN_TYPE = HIDDEN_TYPE.replaceAll("Hidden", "ZodType");

Deno.test("toFindings() keeps bare exports and hidden types, drops members and foreign types", () => {
  deepEqual(toFindings(BARE_MEMBER + BARE_EXPORT + FOREIGN_TYPE + HIDDEN_TYPE), [
    "/src/a.ts:8:1 error[missing-jsdoc]: exported symbol is missing JSDoc documentation",
    `/src/a.ts:47:3 error[private-type-ref]: public type 'Run["do"]' references private type 'Hidden'`,
  ]);
  deepEqual(toFindings("Checked 12 files\n"), []);
});
