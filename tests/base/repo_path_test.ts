/** Paths of the agent: inside the project, or refused. */
import { ok, strictEqual as equal } from "node:assert/strict";
import { parentOf, parseRepoPath } from "../../src/base/repo_path.ts";

/** The path that results, or the code of the refusal with a `!`. */
function toShort(root: string, input: string): string {
  const result = parseRepoPath(root, input);
  return result.kind === "path" ? result.path : `!${result.problem.code}`;
}

Deno.test("parseRepoPath() takes paths inside the project and refuses hostile ones", () => {
  const rows: readonly (readonly [input: string, expected: string])[] = [
    ["src/a.ts", "src/a.ts"],
    ["./src//a.ts/", "src/a.ts"],
    ["src/../a.ts", "a.ts"],
    [".", "."],
    ["src/..", "."],
    ["/work/app", "."],
    ["/work/app/", "."],
    ["/work/app/src/a.ts", "src/a.ts"],
    ["/work/app/../app/a.ts", "!path_outside"],
    ["..", "!path_outside"],
    ["../app/a.ts", "!path_outside"],
    ["src/../../etc/passwd", "!path_outside"],
    ["a/b/../../../c", "!path_outside"],
    ["/etc/passwd", "!path_outside"],
    ["/work/app2/a.ts", "!path_outside"],
    ["/work", "!path_outside"],
    ["//work/app/a", "!path_outside"],
    ["", "!path_invalid"],
    ["   ", "!path_invalid"],
    ["a\0.ts", "!path_invalid"],
    ["x".repeat(5000), "!path_invalid"],
    ["a b/ü\n'\".ts", "a b/ü\n'\".ts"],
    ["-rf", "-rf"],
    ["~/.ssh/id_rsa", "~/.ssh/id_rsa"],
    ["..a/...", "..a/..."],
    ["a\\..\\b", "a\\..\\b"],
    [":(glob)**", ":(glob)**"],
    ["__proto__", "__proto__"],
  ];
  for (const [input, expected] of rows) equal(toShort("/work/app", input), expected, input);
});

Deno.test("parseRepoPath() reads both separators where the root is a drive", () => {
  const rows: readonly (readonly [input: string, expected: string])[] = [
    ["src\\a.ts", "src/a.ts"],
    ["C:\\work\\app\\src\\a.ts", "src/a.ts"],
    ["C:/work/app/a.ts", "a.ts"],
    ["..\\..\\x", "!path_outside"],
    ["D:\\x", "!path_outside"],
    ["C:\\work\\app2", "!path_outside"],
  ];
  for (const [input, expected] of rows) equal(toShort("C:\\work\\app", input), expected, input);
});

Deno.test("parseRepoPath() names the place and a next step, and never repeats a whole long path", () => {
  const result = parseRepoPath("/work/app", `/${"x".repeat(3000)}`, "file_paths[0]");
  ok(result.kind === "refused");
  equal(result.problem.at, "file_paths[0]");
  ok(String(result.problem.hint ?? "").length > 0);
  ok(String(result.problem.message).length < 250);
});

Deno.test("parentOf() gives the folder of a path", () => {
  equal(parentOf("a/b/c.ts"), "a/b");
  equal(parentOf("c.ts"), ".");
  equal(parentOf("."), ".");
});
