/** The tasks of deno.json that start the program from source, where a person keeps folders with any name. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";

/** Says where it runs and with which words, in place of the program. */
const PROGRAM = "console.log(JSON.stringify([Deno.cwd(), ...Deno.args]));\n";
const PLACES = [["plain", "project"], ['my clone\'s "own" & co', "a project's $HOME; (x)"]];

Deno.test("the tasks cli and init once failed where the clone or the project had a space in its path", async () => {
  const tasks = JSON.parse(await Deno.readTextFile("deno.json"));
  for (const [source = "", project = ""] of PLACES) {
    const folder = await Deno.realPath(await Deno.makeTempDir({ prefix: "code-intel-tasks-" }));
    try {
      const [clone, cwd] = [join(folder, source), join(folder, project)];
      await Deno.mkdir(join(clone, "src"), { recursive: true });
      await Deno.mkdir(cwd);
      const { tasks: { cli, init, serve }, permissions } = tasks;
      const text = JSON.stringify({ tasks: { cli, init, serve }, permissions });
      await Deno.writeTextFile(join(clone, "deno.json"), text);
      await Deno.writeTextFile(join(clone, "src/main.ts"), PROGRAM);
      const run = (...words: string[]) => runTask(join(clone, "deno.json"), cwd, words);
      deepEqual(await run("cli", "text", "two words"), [cwd, "text", "two words"]);
      deepEqual(await run("init", "--dry-run"), [cwd, "init", "--dry-run"]);
      deepEqual(await run("serve", "--project", cwd), [clone, "serve", "--project", cwd]);
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  }
});

async function runTask(config: string, cwd: string, words: readonly string[]): Promise<unknown> {
  const args = ["task", "-q", "--config", config, ...words];
  // A task that runs the tests leaves its own word on where it was typed.
  const { INIT_CWD: _, ...env } = Deno.env.toObject();
  const command = new Deno.Command(Deno.execPath(), { args, cwd, env, clearEnv: true });
  const { code, stdout, stderr } = await command.output();
  equal(code, 0, new TextDecoder().decode(stderr));
  return JSON.parse(new TextDecoder().decode(stdout));
}
