/** Examples in comments as modules. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { findExamples, toModule } from "../../tools/quick_tests/examples.ts";

const TEXT = `/** The first
 *
 * @example
 * \`\`\`ts
 * import { equal } from "node:assert";
 * import { one } from "./one.ts";
 *
 * equal(one("./x"), 1);
 * \`\`\`
 */
export class A {
  /**
   * \`\`\`json
   * {}
   * \`\`\`
   *
   * \`\`\`typescript
   * const { two } = await import("../two.ts");
   * \`\`\`
   */
  a() {}
}
`;

Deno.test("findExamples() finds blocks of TypeScript with their lines, and no others", () => {
  deepEqual(findExamples("src/base/a.ts", TEXT), [
    {
      path: "src/base/a.ts",
      line: 5,
      code:
        'import { equal } from "node:assert";\nimport { one } from "./one.ts";\n\nequal(one("./x"), 1);',
    },
    { path: "src/base/a.ts", line: 18, code: 'const { two } = await import("../two.ts");' },
  ]);
  deepEqual(findExamples("src/a.ts", "const a = 1;\n"), []);
});

Deno.test("toModule() lets imports lead to the files that they lead to in the comment", () => {
  const [first, second] = findExamples("src/base/a.ts", TEXT).map((one) => toModule("/r", one));
  equal(
    first,
    'import { equal } from "node:assert";\nimport { one } from "file:///r/src/base/one.ts";\n\nequal(one("./x"), 1);',
  );
  equal(second, 'const { two } = await import("file:///r/src/two.ts");');
});
