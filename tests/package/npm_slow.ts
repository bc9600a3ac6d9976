/** The npm packages from a registry, in an empty home: `npx` starts the executable of the platform, and ends as it ends. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { cp as copy } from "node:fs/promises";
import { basename, join } from "node:path";
import { FACTS, PLATFORMS } from "../../tools/package/facts.ts";
import { writeNpmPackages } from "../../tools/package/npm.ts";
import { findOwnTarget } from "../../tools/compile/targets.ts";
import { giveUp } from "../support/temp_folder.ts";
import { testNeeding } from "../support/needs.ts";
import { startRegistry } from "./local_registry.ts";
import { REPOSITORY } from "../../tools/task.ts";

/** Says what it was given, and does what the first word wants. */
const PROGRAM = `#!/bin/sh
case "$1" in
  fail) exit 3 ;;
  die) kill -TERM $$ ;;
  *) printf '[%s]' "$@"; cat ;;
esac
`;

testNeeding(
  ["npm", "posix"],
  "npx runs the program of the platform from a registry, with its words, input, exit code and signal",
  async () => {
    const place = await Deno.makeTempDir();
    const path = join(place, "program");
    await Deno.writeTextFile(path, PROGRAM, { mode: 0o755 });
    const built = PLATFORMS.filter(({ target }) => target.name === findOwnTarget()?.name)
      .map((platform) => ({ platform, path }));
    equal(built.length, 1);
    const output = join(place, "npm");
    const folders = await writeNpmPackages({ repository: REPOSITORY, built, output, origin: null });
    await Deno.mkdir(join(place, "tarballs"));
    const registry = await startRegistry(folders, join(place, "tarballs"));
    const home = join(place, "home");
    await Deno.mkdir(home);
    const run = async (
      words: readonly string[],
      stdin = "",
      { flag = "-y", cwd = home } = {},
    ) => {
      const child = new Deno.Command("npx", {
        args: [flag, "code-intel", ...words],
        cwd,
        env: { HOME: home, npm_config_registry: registry.url, npm_config_update_notifier: "false" },
        stdin: "piped",
        stdout: "piped",
        stderr: "piped",
      }).spawn();
      const writer = child.stdin.getWriter();
      await writer.write(new TextEncoder().encode(stdin)).catch(() => {});
      await writer.close().catch(() => {});
      const { code, signal, stdout, stderr } = await child.output();
      const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
      return { code, signal, stdout: decode(stdout), stderr: decode(stderr) };
    };
    const { code, stdout, stderr } = await run(["text", "a b", "--json"], "input");
    deepEqual([code, stdout], [0, "[text][a b][--json]input"], stderr);
    equal((await run(["fail"])).code, 3);
    const died = await run(["die"]);
    equal(died.signal === "SIGTERM" || died.code === 143, true, JSON.stringify(died));

    // In a project that has the packages, the words that init writes find them and fetch nothing.
    const project = join(place, "project");
    await Deno.mkdir(join(project, "node_modules", ".bin"), { recursive: true });
    for (const folder of folders) {
      await copy(folder, join(project, "node_modules", basename(folder)), { recursive: true });
    }
    await Deno.symlink(
      join("..", FACTS.name, "bin", "code-intel.cjs"),
      join(project, "node_modules", ".bin", FACTS.name),
    );
    const own = await run(["text"], "", { flag: "--no", cwd: project });
    deepEqual([own.code, own.stdout], [0, "[text]"], own.stderr);

    // Installed without optional packages, the command says what is missing.
    const bare = join(place, "bare");
    await Deno.mkdir(join(bare, "node_modules"), { recursive: true });
    await Deno.rename(join(output, FACTS.name), join(bare, "node_modules", FACTS.name));
    const lone = await new Deno.Command("node", {
      args: [join(bare, "node_modules", FACTS.name, "bin", "code-intel.cjs"), "--version"],
    }).output();
    equal(lone.code, 2);
    match(
      new TextDecoder().decode(lone.stderr),
      /the package code-intel-\w+-\w+ is not installed\. Install again/,
    );
    await registry[Symbol.asyncDispose]();
    await giveUp(place);
  },
);
