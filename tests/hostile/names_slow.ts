/** Names and shapes of trees that trip programs: each file is found or counted, and no name becomes a command. */
import { join } from "node:path";
import { match, ok, strictEqual as equal } from "node:assert/strict";
import type { Ground } from "./ground.ts";
import { testGroup } from "./row.ts";

const TEXT = "export function login(): void {}\n";

const NAMES = [
  "-e.ts",
  "--files.ts",
  "a\nb.ts",
  "quo\"te's.ts",
  "$(touch ran).ts",
  "`touch ran`.ts",
  "ta\tb.ts",
  "*?[x].ts",
  "!not.ts",
  "#hash.ts",
  " blank .ts",
  "e\u0301.ts",
  `${"n".repeat(250)}.ts`,
];

const DEEP_FOLDERS = 150;
const WIDE_FILES = 2_000;

async function plantNames(ground: Ground): Promise<void> {
  for (const name of NAMES) await Deno.writeTextFile(join(ground.at("src"), name), TEXT);
  await ground.project.repo.git("add", "-A");
}

/** A name that is no UTF-8 cannot be made by this program's own runtime. */
async function plantLatin(ground: Ground): Promise<void> {
  const script = `printf '%s' "${TEXT.trim()}" > "$(printf 'src/caf\\351.ts')"`;
  const { success } = await new Deno.Command("sh", { args: ["-c", script], cwd: ground.dir })
    .output();
  ok(success);
}

async function plantDeep(ground: Ground): Promise<void> {
  const folder = ground.at(`deep/${"d/".repeat(DEEP_FOLDERS)}`);
  await Deno.mkdir(folder, { recursive: true });
  await Deno.writeTextFile(join(folder, "a.ts"), TEXT);
}

async function plantWide(ground: Ground): Promise<void> {
  await Deno.mkdir(ground.at("wide"));
  for (let number = 0; number < WIDE_FILES; number++) {
    await Deno.writeTextFile(ground.at(`wide/f${number}.ts`), TEXT);
  }
}

async function ask(ground: Ground): Promise<void> {
  const found = await ground.call("search_text", { pattern: "login", fixed: true });
  equal(found.reply.ok, true, found.text);
  for (
    const [tool, args] of [
      ["find_definitions", { symbol: "login" }],
      ["find_references", { symbol: "login" }],
      ["search_files", { pattern: "**/*.ts" }],
    ] as const
  ) {
    const { reply, text } = await ground.call(tool, args);
    equal(reply.ok, true, text);
  }
  const query = "Refuse an empty name in login";
  const started = await ground.call("start_session", { intent: "MODIFY", query });
  equal(started.reply.ok, true, started.text);
  const abandoned = { abandon: true, reason: "The look at the project is over" };
  equal((await ground.call("submit_phase", { data: abandoned })).reply.ok, true);
  equal(await ground.project.repo.exists("ran"), false, "a name was run as a command");
}

testGroup(
  "files of any name and trees of any shape are searched, and no name is taken for a word of a command",
  {
    rows: [
      {
        tried: "names with dashes, quotes, newlines, patterns and commands",
        plant: plantNames,
        ask: async (ground) => {
          await ask(ground);
          const { stdout } = await ground.run(["text", "login", "--json"]);
          for (const name of NAMES) {
            match(stdout, new RegExp(RegExp.escape(JSON.stringify(name).slice(1, -1))));
          }
        },
      },
      { tried: "a name that is no UTF-8", plant: plantLatin, ask },
      { tried: `a tree ${DEEP_FOLDERS} folders deep`, plant: plantDeep, ask },
      { tried: `a folder of ${WIDE_FILES} files`, plant: plantWide, ask },
    ],
  },
);
