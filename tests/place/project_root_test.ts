/** From a folder of the disk to its project. */
import { deepStrictEqual as deepEqual, rejects, strictEqual as equal } from "node:assert/strict";
import {
  checkSetupFolder,
  classifyShared,
  findProjectRoot,
  readSharedFolders,
} from "../../src/place/project_root.ts";
import { testNeeding } from "../support/needs.ts";
import { join } from "node:path";
import { createTempRepo } from "../support/temp_repo.ts";

testNeeding(
  ["posix"],
  "toSharedPlace() knows the top, homes and folders for temporary files",
  async () => {
    const own = await Deno.realPath(Deno.env.get("TMPDIR") ?? "/tmp");
    const rows: readonly (readonly [path: string, expected: string | null])[] = [
      ["/", "top"],
      ["/home", "homes"],
      ["/home/ann", "home"],
      ["/home/ann/work", null],
      ["/root", "home"],
      [await Deno.realPath("/tmp"), "temporary"],
      [own, "temporary"],
      [`${own}/x`, null],
      ["/srv", null],
    ];
    const places = readSharedFolders();
    for (const [path, expected] of rows) equal(classifyShared(path, places), expected, path);
  },
);

async function makeFolder(): Promise<string> {
  return await Deno.realPath(await Deno.makeTempDir({ prefix: "code-intel-place-" }));
}

async function put(path: string, text = "{}"): Promise<void> {
  await Deno.mkdir(join(path, ".."), { recursive: true });
  await Deno.writeTextFile(path, text);
}

Deno.test("findProjectRoot() takes the top of the repository, and a package only where it was set up", async () => {
  const { dir } = await createTempRepo({ files: { "app/src/a.ts": "", "app/lib/b.ts": "" } });
  equal(await findProjectRoot(join(dir, "app/src")), dir);
  await Deno.mkdir(join(dir, "app/.code-intel/cache"), { recursive: true });
  await Deno.writeTextFile(join(dir, "app/.code-intel/index.db"), "");
  equal(await findProjectRoot(join(dir, "app/src")), dir);
  await put(join(dir, "app/.code-intel/config.json"));
  equal(await findProjectRoot(join(dir, "app/src")), join(dir, "app"));
  equal(await findProjectRoot(dir), dir);
});

Deno.test("findProjectRoot() ends at a repository that lies in a project, and at a second worktree", async () => {
  const { dir, git } = await createTempRepo({
    files: { ".code-intel/manifest.json": "{}", "a.ts": "" },
  });
  await git("init", "-q", join(dir, "vendor/lib"));
  await Deno.mkdir(join(dir, "vendor/lib/src"));
  equal(await findProjectRoot(join(dir, "vendor/lib/src")), join(dir, "vendor/lib"));
  await git("worktree", "add", "-q", join(dir, "trees/one"), "-b", "one");
  await Deno.remove(join(dir, "trees/one/.code-intel"), { recursive: true });
  await Deno.mkdir(join(dir, "trees/one/deep"));
  equal(await findProjectRoot(join(dir, "trees/one/deep")), join(dir, "trees/one"));
});

Deno.test("findProjectRoot() takes a folder above only where somebody set it up or worked in it", async () => {
  const dir = await makeFolder();
  const deep = join(dir, "notes/deep");
  await Deno.mkdir(deep, { recursive: true });
  await Deno.mkdir(join(dir, "notes/.code-intel/sessions"), { recursive: true });
  await Deno.writeTextFile(join(dir, "notes/.code-intel/index.db"), "");
  equal(await findProjectRoot(deep), deep);
  await put(join(dir, "notes/.code-intel/sessions/session_20260101_000000_0001.json"));
  equal(await findProjectRoot(deep), join(dir, "notes"));
  await Deno.rename(join(dir, "notes/.code-intel"), join(dir, "elsewhere"));
  await Deno.symlink(join(dir, "elsewhere"), join(dir, "notes/.code-intel"));
  equal(await findProjectRoot(deep), deep, "no link counts");
});

Deno.test("findProjectRoot() takes a folder that a person named at its word", async () => {
  const { dir, git } = await createTempRepo({ files: { ".code-intel/config.json": "{}" } });
  await Deno.mkdir(join(dir, "lib"));
  equal(await findProjectRoot(join(dir, "lib"), { isNamed: true }), join(dir, "lib"));
  await git("init", "-q", join(dir, "lib/one"));
  await git("init", "-q", join(dir, "lib/two"));
  equal(await findProjectRoot(join(dir, "lib"), { isNamed: true }), join(dir, "lib"));
});

testNeeding(
  ["posix"],
  "findProjectRoot() refuses at once what belongs to no single project, with the next step",
  async () => {
    const dir = await makeFolder();
    const { git } = await createTempRepo();
    for (const name of ["host/owner/one", "host/owner/two"]) {
      await git("init", "-q", join(dir, name));
    }
    const temp = await Deno.realPath(Deno.env.get("TMPDIR") ?? "/tmp");
    const rows: readonly (readonly [folder: string, message: string])[] = [
      ["/", '"/" is the top of the file system, not a project'],
      ["/root/..", '"/" is the top of the file system, not a project'],
      [temp, `"${temp}" is the system's folder for temporary files, not a project`],
      [
        dir,
        `"${dir}" holds several git repositories (host/owner/one and host/owner/two) and is none itself`,
      ],
    ];
    for (const [folder, message] of rows) {
      await rejects(findProjectRoot(folder), (failure: Record<string, unknown>) => {
        deepEqual([failure["code"], failure["message"]], ["not_a_project", message]);
        return /--project DIR/.test(String(failure["hint"]));
      });
    }
    await rejects(async () => await Promise.resolve(checkSetupFolder(temp)), {
      code: "not_a_project",
    });
    checkSetupFolder(dir);
  },
);
