/** Types as they are written in TypeScript and Go. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import type { TypeForm } from "../../../src/resolve/expressions/type_text.ts";
import { readSignature, readTypeForm } from "../../../src/resolve/expressions/type_text.ts";

/** The form in few words: what is not known is `?`. */
function show(form: TypeForm): string {
  switch (form.kind) {
    case "named":
      return `${form.name}${form.args.length === 0 ? "" : `<${form.args.map(show).join()}>`}`;
    case "list":
      return `list ${show(form.of)}`;
    case "tuple":
      return `[${form.of.map(show).join()}]`;
    case "function":
      return `(${form.parameters.map(({ type }) => show(type)).join()}) ${show(form.result)}`;
    case "either":
    case "both":
      return form.of.map(show).join(form.kind === "either" ? "|" : "&");
    case "of":
      return `of ${form.expression}`;
    case "member":
      return `${show(form.of)}.${form.name}`;
    case "placed":
      return show(form.of);
    case "unknown":
      return "?";
  }
}

Deno.test("readTypeForm() reads what names tell", () => {
  const rows: Readonly<Record<string, string>> = {
    "User[] | undefined": "list User",
    "map[string]*pkg.User": "list pkg.User",
    "[]func(a int) *Foo": "list (int) Foo",
    "(*Command, []string, error)": "[Command,list string,error]",
    "(c: Context, next?: Next) => Promise<void>": "(Context,Next) Promise<>",
    "Handler | ((a: string) => B)": "Handler|(string) B",
    "core.$constructor<ZodDate>": "core.$constructor<ZodDate>",
    "{ a: string } & B": "?&B",
    "X['def']": "X.def",
    "typeof x.y": "of x.y",
    "Map<string, User>": "list User",
    "Readonly<User>": "User",
    "T extends A ? B : C": "?",
    "T extends any ? Box<T> | null : never": "Box<T>",
    "T extends A ? never : T extends B ? C : never": "C",
    "{ -readonly [K in keyof T]?: T[K] | undefined }": "T",
    "Same<{ [K in keyof T]: T[K] } & More>[]": "list Same<T&More>",
    "{ [K in keyof T]: Box<T[K]> }": "?",
    "{ [K in keyof T as `get${K}`]: T[K] }": "?",
    "asserts x is Foo": "?",
    "'a' | 'b'": "?|?",
    "<T>(a: T) => A<T>": "(T) A<T>",
    "": "?",
    "(((": "[]",
  };
  for (const [text, expected] of Object.entries(rows)) {
    deepEqual(show(readTypeForm(text)), expected, text);
  }
});

Deno.test("readSignature() reads parameters with shared types, patterns and defaults", () => {
  const rows: Readonly<Record<string, string>> = {
    "(path: string, ...handlers: H[]): this": "(string,list H) this",
    "(args []string) (*Command, []string, error)": "(list string) [Command,list string,error]",
    "({ a, b }: Opts = {}, cb?: (x: A) => void): R": "(Opts,(A) ) R",
    "(s, key string, other ...*Foo)": "(string,string,list Foo) ?",
    "()": "() ?",
    "(a: string, b: Cut…": "?",
  };
  for (const [text, expected] of Object.entries(rows)) {
    deepEqual(show(readSignature(text)), expected, text);
  }
});
