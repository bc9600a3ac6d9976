/** Symbols of files and folders, and paths that are refused. */
import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { eachWay } from "../sample_project.ts";

eachWay("getSymbols() of a file lists all with scope, outer ones first", async ({ explorer }) => {
  const answer = await explorer.getSymbols({ path: "src/users/service.py", maxResults: 50 });
  ok(answer.kind === "found");
  deepEqual(answer.symbols.map((one) => [one.kind, one.name, one.scope, one.line, one.endLine]), [
    ["class", "UserService", undefined, 5, 9],
    ["class", "AdminService", undefined, 12, 15],
    ["method", "save", "UserService", 6, 9],
    ["method", "save", "AdminService", 13, 15],
  ]);
  equal(answer.symbols[2]?.signature, "(self, user)");
});

eachWay("getSymbols() of a folder lists what stands at the top", async ({ explorer }) => {
  const answer = await explorer.getSymbols({ path: "src/users", maxResults: 50 });
  ok(answer.kind === "found");
  deepEqual(answer.symbols.map((one) => one.name), ["UserService", "AdminService"]);
});

eachWay(
  "getSymbols() filters by kind and language, and names the kinds there are",
  async ({ explorer }) => {
    const methods = await explorer.getSymbols({
      path: "src/users/service.py",
      kind: "method",
      maxResults: 50,
    });
    ok(methods.kind === "found");
    equal(methods.total, 2);
    const none = await explorer.getSymbols({
      path: "src/users/service.py",
      kind: "trait",
      maxResults: 50,
    });
    ok(none.kind === "found");
    match(none.notices?.join(" ") ?? "", /class, method/);
    const ruby = await explorer.getSymbols({ path: "src", language: "rb", maxResults: 50 });
    ok(ruby.kind === "found");
    deepEqual(ruby.symbols.map((one) => one.name), ["Model"]);
  },
);

eachWay(
  "getSymbols() refuses paths outside, links that lead out, and missing ones",
  async ({ explorer, temp }) => {
    await Deno.symlink("/etc", join(temp.dir, "out"));
    const rows = [
      ["../x", "path_outside"],
      ["/etc/passwd", "path_outside"],
      ["out", "path_outside"],
      ["out/passwd", "path_outside"],
      [".git/config", "path_outside"],
      ["src/users/servise.py", "path_not_found"],
      ["a\0b", "path_invalid"],
      ["x".repeat(1_000_000), "path_invalid"],
    ] as const;
    for (const [path, code] of rows) {
      const answer = await explorer.getSymbols({ path, maxResults: 5 });
      ok(answer.kind === "refused", path.slice(0, 50));
      equal(answer.problems[0]?.code, code);
    }
    const near = await explorer.getSymbols({ path: "src/users/servise.py", maxResults: 5 });
    ok(near.kind === "refused" && String(near.problems[0]?.hint).includes("src/users/service.py"));
  },
);
