/**
 * A copied folder in whose `.git`, or in the place of an ignore file, stands what is no file: each command names it at
 * once, and none of them waits, fills the memory, or goes on as if there were no repository.
 */
import { match, ok, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import type { Ground } from "./ground.ts";
import type { HostileRow } from "./row.ts";
import { testGroup } from "./row.ts";

const CONFIG = ".git/config";

/** Adds settings by hand, because git itself would wait. */
async function configure(ground: Ground, text: string): Promise<void> {
  await Deno.writeTextFile(ground.at(CONFIG), text, { append: true });
}

const PLACES: readonly {
  readonly tried: string;
  readonly said: RegExp;
  plant(ground: Ground): Promise<void>;
}[] = [
  {
    tried: "an endless device as the attributes of the settings",
    said: /core\.attributesfile.*it is a device/,
    plant: (ground) => configure(ground, "[core]\n\tattributesFile = /dev/zero\n"),
  },
  {
    tried: "an endless device as settings that are included",
    said: /include\.path.*it is a device/,
    plant: (ground) => configure(ground, "[include]\n\tpath = /dev/zero\n"),
  },
  {
    tried: "a pipe as the ignore file of the settings",
    said: /core\.excludesfile.*it is a pipe/,
    plant: async (ground) => {
      await ground.pipe(".git/odd-pipe");
      await configure(ground, "[core]\n\texcludesFile = .git/odd-pipe\n");
    },
  },
  {
    tried: "a pipe as HEAD",
    said: /HEAD": it is a pipe/,
    plant: (ground) => ground.pipe(".git/HEAD"),
  },
  {
    tried: "a pipe as packed refs",
    said: /packed-refs": it is a pipe/,
    plant: (ground) => ground.pipe(".git/packed-refs"),
  },
  {
    tried: "a link to an endless device as the index",
    said: /index": it is a device/,
    plant: (ground) => ground.link(".git/index", "/dev/zero"),
  },
  {
    tried: "a pipe as the ignore file of a subfolder",
    said: /src\/\.gitignore": it is a pipe/,
    plant: (ground) => ground.pipe("src/.gitignore"),
  },
  {
    tried: "settings that git cannot read",
    said: /bad config line/,
    plant: (ground) => configure(ground, "garbage[\n"),
  },
  {
    tried: "a HEAD that names nothing",
    said: /not a git repository/,
    plant: (ground) => Deno.writeTextFile(ground.at(".git/HEAD"), "junk\n"),
  },
];

async function ask(ground: Ground, said: RegExp): Promise<void> {
  const doctor = await ground.run(["doctor"]);
  equal(doctor.code, 1, doctor.stdout);
  match(doctor.stdout, said);
  for (const words of [["impact", "--diff"], ["def", "login"], ["uninstall", "--purge"]]) {
    const { code, stdout, stderr } = await ground.run(words);
    ok(code === 1 || code === 2, `${words.join(" ")}: ${stdout}`);
    // A purge needs no list of files, so that a pipe in the tree does not stop it.
    if (words[0] !== "uninstall" || code === 2) match(`${stdout}${stderr}`, said);
  }
}

const ROWS: readonly HostileRow[] = PLACES.map(({ tried, said, plant }) => ({
  tried,
  plant: async (ground) => {
    await new Deno.Command("cp", { args: ["-a", ground.at(".git"), join(ground.outside, "git")] })
      .output();
    await plant(ground);
  },
  ask: (ground) => ask(ground, said),
  undo: async (ground) => {
    await ground.clear("src/.gitignore");
    await ground.clear(".git");
    await Deno.rename(join(ground.outside, "git"), ground.at(".git"));
  },
}));

testGroup("what is no file in the place of a file of git is named at once", { rows: ROWS });
