/** Files that steer the program: the bound of their kind, and a sentence with a cure where they cannot be used. */
import {
  deepStrictEqual as deepEqual,
  match,
  strictEqual as equal,
  throws,
} from "node:assert/strict";
import { join } from "node:path";
import {
  readControlFile,
  readControlText,
  readControlTextIfUsable,
} from "../../../src/base/files/control_file.ts";
import { LIMITS } from "../../../src/base/settings/limits.ts";
import { testNeeding } from "../../support/needs.ts";

Deno.test("readControlFile() gives text with its byte order mark, and nothing where there is none", () =>
  inProject(async (root) => {
    await Deno.writeTextFile(join(root, ".code-intel/config.json"), "\uFEFF{}");
    const path = join(root, ".code-intel/config.json");
    deepEqual(readControlFile(path, "config"), { kind: "text", text: "\uFEFF{}" });
    equal(readControlText(path, "config"), "\uFEFF{}");
    equal(readControlFile(join(root, "absent"), "config").kind, "absent");
    equal(readControlText(join(root, "absent"), "config"), undefined);
  }));

Deno.test("a config.json of 50 MB was an internal error: it is named, with its bound and what to do", () =>
  inProject(async (root) => {
    const path = join(root, ".code-intel/config.json");
    await Deno.writeTextFile(path, "");
    await Deno.truncate(path, 50 * 1024 * 1024);
    const reading = readControlFile(path, "config");
    deepEqual(reading.kind === "unusable" && reading.problem, {
      code: "control_file_unusable",
      message:
        `Cannot use ".code-intel/config.json": it has 52428800 bytes, and at most ${LIMITS.settingsBytes.value} are read`,
      hint: "Shorten the file, or remove it.",
      path: ".code-intel/config.json",
    });
    throws(() => readControlText(path, "config"), {
      code: "control_file_unusable",
      hint: /Shorten/,
    });
    equal(readControlTextIfUsable(path, "config"), undefined);
  }));

testNeeding(
  ["posix"],
  "a link of .code-intel may lead into the project, and no further",
  () =>
    inProject(async (root) => {
      await Deno.writeTextFile(join(root, "settings.json"), "{}");
      await Deno.symlink("../settings.json", join(root, ".code-intel/config.json"));
      equal(readControlText(join(root, ".code-intel/config.json"), "config"), "{}");
      await Deno.symlink("/dev/zero", join(root, ".code-intel/context.yml"));
      throws(() => readControlText(join(root, ".code-intel/context.yml"), "context"), {
        message: /Cannot use "\.code-intel\/context\.yml": it is a symbolic link/,
      });
      await Deno.mkdir(join(root, "sub"));
      await Deno.symlink("../settings.json", join(root, "sub/package.json"));
      const path = join(root, "sub/package.json");
      equal(readControlText(path, "manifest", { within: root }), "{}");
      const alone = readControlFile(path, "manifest");
      match(
        String(alone.kind === "unusable" ? alone.problem.message : ""),
        /leads out of its folder/,
      );
    }),
);

async function inProject(work: (root: string) => Promise<void>): Promise<void> {
  const root = await Deno.realPath(await Deno.makeTempDir());
  try {
    await Deno.mkdir(join(root, ".code-intel"));
    await work(root);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}
