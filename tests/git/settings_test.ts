/** Settings beside what git says of them, and when git is asked again. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { Git } from "../../src/git/git.ts";
import { isSettingOn, readPathSetting, readSettings } from "../../src/git/settings.ts";
import { createTempRepo } from "../support/temp_repo.ts";

/** Counts how often it starts. */
class CountingGit extends Git {
  count = 0;

  override async run(...call: Parameters<Git["run"]>): ReturnType<Git["run"]> {
    this.count++;
    return await super.run(...call);
  }
}

Deno.test("readSettings() starts git again exactly where a file of the settings changed", async () => {
  await using temp = await createTempRepo();
  const outside = await Deno.makeTempDir();
  const included = join(outside, "more");
  const git = new CountingGit(temp.dir);
  const place = { ...temp.repo, git };
  const read = async () =>
    (await readSettings(place)).findLast(({ key }) => key === "test.x")?.value ?? null;
  equal(await read(), null);
  const config = join(temp.repo.gitDir, "config");
  const plain = await Deno.readTextFile(config);
  const write = (text: string) => Deno.writeTextFile(config, plain + text);
  const toTest = (value: string) => `[test]\n\tx = ${value}\n`;
  const steps: readonly (readonly [act: () => Promise<unknown>, expected: string | null])[] = [
    [() => write(toTest("1")), "1"],
    [() => write(toTest("2")), "2"],
    // Longer than the file was, and as long as it was.
    [() => write(`[include]\n\tpath = ${included}\n`), null],
    [() => Deno.writeTextFile(included, toTest("3")), "3"],
    [() => Deno.writeTextFile(included, toTest("4")), "4"],
    [() => write(`[includeIf "onbranch:side"]\n\tpath = ${included}\n`), null],
    [() => temp.git("switch", "-q", "-c", "side"), "4"],
    [() => write("[extensions]\n\tworktreeConfig = true\n"), null],
    [() => Deno.writeTextFile(`${config}.worktree`, toTest("5")), "5"],
  ];
  for (const [at, [act, expected]] of steps.entries()) {
    await act();
    equal(await read(), expected, `after step ${at}`);
    const before = git.count;
    equal(await read(), expected);
    equal(git.count, before, `asked once more after step ${at}`);
  }
  // What was known once is known again.
  const before = git.count;
  await Deno.remove(`${config}.worktree`);
  await write(toTest("1"));
  equal(await read(), "1");
  equal(git.count, before);
  // A name that only git can resolve.
  await write("[include]\n\tpath = ~nobody-of-this-name/x\n");
  equal(await read(), null);
  equal(git.count > before, true);
  await Deno.remove(outside, { recursive: true });
});

Deno.test("isSettingOn() and readPathSetting() read values as git does", async () => {
  await using temp = await createTempRepo();
  const { repo } = temp;
  const config = join(repo.gitDir, "config");
  const plain = await Deno.readTextFile(config);
  const values = ["", "= true", "= YES", "= on", "= 1", "= 2k", "= -1", "= false", "= no", "= off"];
  for (const value of [...values, "= 0", "= 00", '= ""']) {
    await Deno.writeTextFile(config, `${plain}[commit]\n\tgpgSign ${value}\n`);
    const said = await temp.git("config", "--type=bool", "--get", "commit.gpgSign");
    equal(`${await isSettingOn(repo, "commit.gpgSign")}`, said, value);
  }
  equal(await isSettingOn(repo, "commit.none"), false);
  const home = Deno.env.get("HOME") ?? "";
  for (const path of ["tools", "/x/y", "~/hooks", "a b"]) {
    await temp.git("config", "core.hooksPath", path);
    const said = await temp.git("config", "--type=path", "--get", "core.hooksPath");
    equal(await readPathSetting(repo, "core.hooksPath"), said, `${path} in ${home}`);
  }
  await temp.git("config", "--unset", "core.hooksPath");
  deepEqual(await readPathSetting(repo, "core.hooksPath"), null);
});
