/** The wheel of a platform: pip finds every file as its list says, and puts a command there that runs. */
import { createHash } from "node:crypto";
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { basename, join } from "node:path";
import { MODEL_FILES } from "../../src/embedding/model_files.ts";
import { detectInstallation } from "../../src/clients/installation.ts";
import { findOwnTarget } from "../../tools/compile/targets.ts";
import { FACTS, MODEL_WHEEL, PLATFORMS } from "../../tools/package/facts.ts";
import { writeModelWheel, writeWheel } from "../../tools/package/wheel.ts";
import { giveUp } from "../support/temp_folder.ts";
import { testNeeding } from "../support/needs.ts";
import { REPOSITORY } from "../../tools/task.ts";

/** What PyPI takes of one file. */
const MOST_BYTES = 100_000_000;

testNeeding(
  ["pip", "posix"],
  "pip installs the wheel of this platform, whose command is the executable",
  async () => {
    const place = await Deno.makeTempDir();
    const path = join(place, "program");
    await Deno.writeTextFile(path, '#!/bin/sh\necho "ran $1"\n', { mode: 0o755 });
    const platform = PLATFORMS.find(({ target }) => target.name === findOwnTarget()?.name);
    if (platform === undefined) throw new Error("no executable is made for this machine");
    const input = { platform, path, repository: REPOSITORY, output: place, origin: null };
    const wheel = await writeWheel(input);
    const bytes = await Deno.readFile(wheel);
    equal(await writeWheel(input), wheel);
    deepEqual(await Deno.readFile(wheel), bytes, "the same executable gives the same bytes");
    const name = `code_intel-${FACTS.version}-py3-none-${platform.wheelTag}.whl`;
    equal(basename(wheel), name);
    const run = async (program: string, ...args: readonly string[]) => {
      const { success, stdout, stderr } = await new Deno.Command(program, { args: [...args] })
        .output();
      equal(success, true, new TextDecoder().decode(stderr));
      return new TextDecoder().decode(stdout);
    };
    const model = await writeModelWheel(input);
    equal(basename(model), `code_intel_model-${MODEL_WHEEL.version}-py3-none-any.whl`);
    for (const one of [wheel, model]) ok((await Deno.stat(one)).size < MOST_BYTES, one);
    const target = join(place, "installed");
    const places = ["--no-index", "--find-links", place];
    await run("python3", "-m", "pip", "install", "-q", ...places, "--target", target, FACTS.name);
    equal(await run(join(target, "bin", "code-intel"), "now"), "ran now\n");
    // The executable looks for the model here, beside its own folder.
    for (const { name, sha256 } of Object.values(MODEL_FILES)) {
      const bytes = await Deno.readFile(join(target, "share", FACTS.name, "models", name));
      equal(createHash("sha256").update(bytes).digest("hex"), sha256);
    }
    await giveUp(place);
  },
);

testNeeding(
  ["uv", "posix"],
  "uvx runs the wheel of this platform from a folder, in an empty home, and its cache tells that it was uvx",
  async () => {
    const place = await Deno.makeTempDir();
    const path = join(place, "program");
    await Deno.writeTextFile(path, '#!/bin/sh\nreadlink -f "$0"\n', { mode: 0o755 });
    const platform = PLATFORMS.find(({ target }) => target.name === findOwnTarget()?.name);
    if (platform === undefined) throw new Error("no executable is made for this machine");
    const input = { platform, path, repository: REPOSITORY, output: place, origin: null };
    await writeWheel(input);
    await writeModelWheel(input);
    const { success, stdout, stderr } = await new Deno.Command("uvx", {
      args: ["--offline", "--no-index", "--find-links", place, FACTS.name],
      cwd: place,
      env: { HOME: join(place, "home"), UV_CACHE_DIR: join(place, "home", ".cache", "uv") },
    }).output();
    equal(success, true, new TextDecoder().decode(stderr));
    const { shared } = detectInstallation(new TextDecoder().decode(stdout).trim());
    deepEqual(shared, ["uvx", `${FACTS.name}@${FACTS.version}`]);
    await giveUp(place);
  },
);

Deno.test("each executable that is made has a platform in the words of npm and of wheels", () => {
  deepEqual(
    PLATFORMS.map(({ npm, wheelTag }) => `${npm.os} ${npm.cpu} ${wheelTag}`),
    [
      "linux x64 manylinux_2_27_x86_64",
      "linux arm64 manylinux_2_27_aarch64",
      "darwin x64 macosx_11_0_x86_64",
      "darwin arm64 macosx_11_0_arm64",
      "win32 x64 win_amd64",
    ],
  );
});
