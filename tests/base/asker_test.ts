/** Questions to the person: what a form may ask, and which answers fit it. */
import { deepStrictEqual as deepEqual, strictEqual as equal, throws } from "node:assert/strict";
import type { FormField } from "../../src/base/asker.ts";
import { checkQuestion, FORM_TEXT_CHARS, NO_ASKER, readFormValues } from "../../src/base/asker.ts";

const ALLOW: FormField = { name: "allow", title: "Allow", type: "boolean", required: true };
const NEXT: FormField = {
  name: "next",
  title: "Next",
  type: "choice",
  choices: ["continue", "park"],
  required: true,
};
const WHY: FormField = { name: "why", title: "Why", type: "text", required: false };

Deno.test("readFormValues() takes what fits the fields, and nothing else", () => {
  const rows: readonly (readonly [readonly FormField[], unknown, unknown])[] = [
    [[ALLOW], { allow: true }, { allow: true }],
    [[ALLOW], { allow: false, other: 1 }, { allow: false }],
    [[ALLOW], { allow: "true" }, null],
    [[ALLOW], {}, null],
    [[ALLOW], null, null],
    [[ALLOW], "allow", null],
    [[ALLOW], Object.create({ allow: true }), null],
    [[NEXT], { next: " park " }, { next: "park" }],
    [[NEXT], { next: "leave" }, null],
    [[NEXT], { next: ["park"] }, null],
    [[NEXT, WHY], { next: "park", why: "" }, { next: "park" }],
    [[NEXT, WHY], { next: "park", why: " later " }, { next: "park", why: "later" }],
    [[WHY], { why: 5 }, null],
    [[WHY], { why: "x".repeat(FORM_TEXT_CHARS + 1) }, null],
    [[{ ...WHY, required: true }], { why: "  " }, null],
  ];
  for (const [fields, content, expected] of rows) {
    deepEqual(readFormValues(fields, content), expected, JSON.stringify(content));
  }
});

Deno.test("checkQuestion() throws on a form that a client could accept for the person", () => {
  checkQuestion({ key: "k", message: "m", fields: [ALLOW, WHY] });
  throws(() => checkQuestion({ key: "k", message: "m", fields: [WHY] }), /requires no field/);
  throws(() => checkQuestion({ key: "", message: "m", fields: [ALLOW] }), /needs a key/);
  const bare = { ...NEXT, choices: [] };
  throws(() => checkQuestion({ key: "k", message: "m", fields: [bare] }), /choices of k.next/);
});

Deno.test("NO_ASKER answers that nobody can be asked", async () => {
  const question = { key: "k", message: "m", fields: [ALLOW] };
  const { kind } = await NO_ASKER.ask(question, new AbortController().signal);
  equal(kind, "unavailable");
});
