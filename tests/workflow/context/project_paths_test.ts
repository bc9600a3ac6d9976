/** Paths of the project and of the worktree around it, and what lies there. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { ProjectPaths } from "../../../src/workflow/context/project_paths.ts";

async function createFolder(): Promise<string> {
  const root = await Deno.realPath(await Deno.makeTempDir());
  await Deno.mkdir(join(root, "app/src"), { recursive: true });
  await Deno.mkdir(join(root, "lib"));
  await Deno.writeTextFile(join(root, "app/src/a.ts"), "");
  await Deno.writeTextFile(join(root, "lib/b.ts"), "");
  return root;
}

/** Path as the agent gives it in the project `app`, path of the worktree, path shown again. */
const PATHS: readonly (readonly [string, string | null, string | null])[] = [
  ["src/a.ts", "app/src/a.ts", "src/a.ts"],
  ["./src//a.ts", "app/src/a.ts", "src/a.ts"],
  [".", "app", "."],
  ["../lib/b.ts", "lib/b.ts", "../lib/b.ts"],
  ["src/../../lib", "lib", "../lib"],
  ["../..", null, null],
  ["/etc/passwd", null, null],
  ["", null, null],
  ["a\0b", null, null],
];

Deno.test("useWorktree() and toProject() translate both ways in a project below the worktree", () => {
  const paths = new ProjectPaths("/w/app", "/w");
  for (const [given, inside, shown] of PATHS) {
    const found = paths.toWorktree(given);
    equal(found.kind === "path" ? found.path : null, inside, given);
    if (inside !== null) equal(paths.toProject(inside), shown, given);
  }
  const absolute = paths.toWorktree("/w/lib/b.ts");
  equal(absolute.kind === "path" && absolute.path, "lib/b.ts");
  equal(paths.toAbsolute("lib/b.ts"), "/w/lib/b.ts");
});

Deno.test("useWorktree() changes nothing where project and worktree are one", () => {
  const paths = new ProjectPaths("/w", "/w");
  for (const path of ["src/a.ts", "[id].tsx", "あ"]) {
    const found = paths.toWorktree(path);
    equal(found.kind === "path" && found.path, path);
    equal(paths.toProject(path), path);
  }
});

Deno.test("toTarget() tells files, folders and what is missing, from the worktree", async () => {
  const root = await createFolder();
  const paths = new ProjectPaths(join(root, "app"), root);
  const look = async (path: string) => {
    const found = await paths.toTarget(path, "at");
    return found.kind === "target"
      ? [found.target.kind, found.target.path, found.target.nearestFolder]
      : [found.problem.code, found.problem.at];
  };
  deepEqual(await look("src/a.ts"), ["file", "app/src/a.ts", "app/src"]);
  deepEqual(await look("src"), ["folder", "app/src", "app"]);
  deepEqual(await look("src/new/x.ts"), ["missing", "app/src/new/x.ts", "app/src"]);
  deepEqual(await look("../lib/b.ts"), ["file", "lib/b.ts", "lib"]);
  deepEqual(await look("../new.ts"), ["missing", "new.ts", "."]);
  deepEqual(await look(".."), ["folder", ".", "."]);
  deepEqual(await look("../../x"), ["path_outside", "at"]);
  deepEqual(await look("src/a.ts/x"), ["path_invalid", "at"]);
  deepEqual(await look(`src/${"x".repeat(300)}`), ["path_invalid", "at"]);
  await Deno.remove(root, { recursive: true });
});

Deno.test("toTarget() follows a link to nothing to the file that a write would make", async () => {
  const root = await createFolder();
  const outside = await Deno.realPath(await Deno.makeTempDir());
  const paths = new ProjectPaths(root, root);
  await Deno.symlink("b_new.ts", join(root, "lib/soon.ts"));
  await Deno.symlink("../app/new", join(root, "lib/folder"));
  await Deno.symlink(join(outside, "new.ts"), join(root, "lib/out.ts"));
  await Deno.symlink("circle", join(root, "lib/circle"));
  const look = async (path: string) => {
    const found = await paths.toTarget(path);
    return found.kind === "target"
      ? `${found.target.kind} ${found.target.path}`
      : found.problem.code;
  };
  equal(await look("lib/soon.ts"), "missing lib/b_new.ts");
  equal(await look("lib/folder/x.ts"), "missing app/new/x.ts");
  equal(await look("lib/out.ts"), "path_outside");
  equal(await look("lib/circle"), "path_invalid");
  await Promise.all([root, outside].map((path) => Deno.remove(path, { recursive: true })));
});

Deno.test("makeFact() says of every path one of four words", async () => {
  const root = await createFolder();
  const paths = new ProjectPaths(root, root);
  equal(await paths.toFact("app/src/a.ts"), "file");
  equal(await paths.toFact("app"), "folder");
  equal(await paths.toFact("app/no.ts"), "missing");
  equal(await paths.toFact("../x"), "outside");
  equal(await paths.toFact("a\0b"), "missing");
  equal(await paths.toFact("x".repeat(300)), "missing");
  await Deno.remove(root, { recursive: true });
});
