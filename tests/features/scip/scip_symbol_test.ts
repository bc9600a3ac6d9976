/** The grammar of symbol names, with names as real indexers write them. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { isLocalSymbol, parseDescriptors } from "../../../src/features/scip/scip_symbol.ts";

Deno.test("parseDescriptors() reads the way to a symbol as the indexers of several languages write it", () => {
  const rows: readonly (readonly [symbol: string, expected: readonly string[] | null])[] = [
    [
      "scip-typescript npm hono 4.13.3 src/`hono-base.ts`/Hono#`<constructor>`().",
      ["src namespace", "hono-base.ts namespace", "Hono type", "<constructor> method"],
    ],
    [
      "scip-typescript npm hono 4.13.3 src/`request.ts`/HonoRequest#`<get>url`().",
      ["src namespace", "request.ts namespace", "HonoRequest type", "<get>url method"],
    ],
    [
      "scip-go gomod github.com/spf13/cobra adbc8813901b `github.com/spf13/cobra`/Command#Use.",
      ["github.com/spf13/cobra namespace", "Command type", "Use term"],
    ],
    [
      "scip-python python flask 2ac89889 `src.flask.app`/Flask#run().(host)",
      ["src.flask.app namespace", "Flask type", "run method", "host parameter"],
    ],
    [
      "scip-java maven junit junit 4.13 org/junit/Assert#assertThat(+1).[T]",
      null,
    ],
    [
      "semanticdb maven com.example:lib 1.0 org/junit/Assert#assertThat(+1).[T]",
      [
        "org namespace",
        "junit namespace",
        "Assert type",
        "assertThat method",
        "T type_parameter",
      ],
    ],
    ["rust-analyzer cargo demo 0.1.0 config/DEFAULT.", ["config namespace", "DEFAULT term"]],
    ["rust-analyzer cargo demo 0.1.0 macros/log!", ["macros namespace", "log macro"]],
    ["s m a  b v `a``b`#", ["a`b type"]],
    ["scip-python python flask 1 flask/__init__:", ["flask namespace", "__init__ meta"]],
    ["local 12", null],
    ["", null],
    ["scheme manager", null],
    ["s m n v", null],
    ["s m n v ", null],
    ["s m n v a", null],
    ["s m n v `a", null],
    ["s m n v a(", null],
    ["s m n v a#b", null],
  ];
  for (const [symbol, expected] of rows) {
    const found = parseDescriptors(symbol)?.map(({ name, kind }) => `${name} ${kind}`) ?? null;
    deepEqual(found, expected, symbol);
  }
});

Deno.test("isLocalSymbol() tells what only one document knows", () => {
  equal(isLocalSymbol("local 3"), true);
  equal(isLocalSymbol("scip-go gomod local v1 local/x."), false);
});
