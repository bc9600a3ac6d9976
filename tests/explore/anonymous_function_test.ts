/** Functions without a name, and the names that their places give them. */
import { deepStrictEqual as deepEqual, ok } from "node:assert/strict";
import { LANGUAGES } from "../../src/language/languages.ts";
import { loadQuery } from "../../src/syntax/tree_sitter.ts";
import {
  ANONYMOUS,
  buildAnonymousQuery,
  findAnonymousFunction,
} from "../../src/explore/function_at_line.ts";
import { createIndexedProject } from "./indexed_project.ts";

Deno.test("buildAnonymousQuery() fits each grammar that it names", async () => {
  const known = new Set(LANGUAGES.map(({ grammar }) => grammar));
  for (const grammar of Object.keys(ANONYMOUS)) {
    ok(known.has(grammar), grammar);
    await loadQuery(grammar, "anonymous", buildAnonymousQuery(grammar) ?? "");
  }
});

function check(language: string, text: string, line: number, expected: unknown): void {
  Deno.test(`findAnonymousFunction() of ${language} gives ${JSON.stringify(expected)}`, async () => {
    const found = await findAnonymousFunction(text, { language, line });
    deepEqual(found === null ? null : [found.name, found.startLine, found.endLine], expected);
  });
}

const JS = `describe("cart", () => {
  it("does", async function () {
    await sell();
  });
  const x = items.map((one) => one + 1);
});
class A {
  static {
    setUp();
  }
  handlers = {
    click: () => {
      go();
    },
  };
}
`;
check("JavaScript", JS, 3, ['(function in it "does")', 2, 4]);
check("JavaScript", JS, 5, ['(function in describe "cart")', 1, 6]);
check("JavaScript", JS, 9, ["(static block)", 8, 10]);
check("JavaScript", JS, 13, ["(function in click)", 12, 14]);
check("JavaScript", JS, 7, null);
check("Go", "func f() {\n\tgo func() {\n\t\tx()\n\t}()\n}\n", 3, ["(function in go)", 2, 4]);
check("Ruby", 'it "does" do\n  x\nend\n', 2, ['(function in it "does")', 1, 3]);
check("Kotlin", "fun f() {\n  run {\n    x()\n  }\n}\n", 3, ["(function in run)", 2, 4]);
check("Rust", "fn f() {\n  v.iter().map(|x| {\n    x\n  });\n}\n", 3, ["(function in map)", 2, 4]);
check("Perl", "sub f {\n  x;\n}\n", 2, null);

Deno.test("getFunctionAtLine() gives the callback that a line is in, and a named arrow by its name", async () => {
  const text = `class Cart {
  /** Sums. */
  total() {
    return this.items.map((x) => {
      return x.price;
    });
  }
}
/** Doc. */
export const load = () => {
  go();
};
it("does", function () {
  run();
});
`;
  await using project = await createIndexedProject({ files: { "a.ts": text } });
  const ask = async (line: number) => {
    const answer = await project.explorer.getFunctionAtLine({
      path: "a.ts",
      line,
      contextLines: 0,
    });
    ok(answer.kind === "found");
    const { definition, content } = answer;
    return [definition?.name, definition?.scope, definition?.startLine, content.length];
  };
  deepEqual(await ask(5), ["(function in this.items.map)", "Cart.total", 4, 3]);
  deepEqual(await ask(3), ["total", "Cart", 2, 6]);
  deepEqual(await ask(11), ["load", undefined, 9, 4]);
  deepEqual(await ask(14), ['(function in it "does")', undefined, 13, 3]);
});
