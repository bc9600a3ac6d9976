/** Globs against paths, one row each. */
import { strictEqual as equal } from "node:assert/strict";
import { isGlob, parseGlob } from "../../../src/base/text/glob.ts";

function check(glob: string, path: string, expected: boolean | "invalid"): void {
  Deno.test(`parseGlob() takes "${path}" by "${glob}": ${expected}`, () => {
    const parsed = parseGlob(glob);
    equal(parsed.kind === "glob" ? parsed.test(path) : "invalid", expected);
  });
}

check("*.ts", "src/deep/a.ts", true);
check("src/*.ts", "src/deep/a.ts", false);
check("src/**/*.ts", "src/deep/er/a.ts", true);
check("src/**/*.ts", "src/a.ts", true);
check("**/b/**", "a/b/c", true);
check("src/", "src/a/b.ts", true);
check("*.{ts,tsx}", "a.tsx", true);
check("*.{ts,tsx}", "a.js", false);
check("file?.txt", "file1.txt", true);
check("file?.txt", "file12.txt", false);
check("[ab].c", "b.c", true);
check("[!ab].c", "b.c", false);
check("a.c", "abc", false);
check("[a", "a", "invalid");
check("{a", "a", "invalid");
check("a}", "a}", "invalid");
check("*a*b*c*d", "abcd", "invalid");
check("日本*.md", "docs/日本語.md", true);

Deno.test("parseGlob() refuses more stars than it can try in bounded time", () => {
  equal(parseGlob("*/".repeat(9)).kind, "invalid");
});

Deno.test("isGlob() tells names from globs", () => {
  equal(isGlob("login_form"), false);
  equal(isGlob("*.ts"), true);
});
