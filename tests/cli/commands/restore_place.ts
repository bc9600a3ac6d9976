/** A project with snapshots, and the commands that a person types in it. */
import { runOnTerminal } from "../../support/server/cli.ts";
import { runHosted } from "../../support/server/hosted_cli.ts";
import { createProject } from "../../support/session/project.ts";

export const START = [
  "session",
  "start",
  "how does login work",
  "--intent",
  "QUESTION",
  "--no-doc",
];

/** A session with snapshots of its start, and of the changed state as found, before and after parking. */
export async function setUp() {
  const project = await createProject();
  const { dir: cwd, repo } = project;
  const env = { ...project.env, NO_COLOR: "1" };
  const run = (...words: string[]) => runHosted(words, { cwd, env });
  const json = async (...words: string[]) => JSON.parse((await run(...words, "--json")).stdout);
  const type = (typed: string, ...words: string[]) => runOnTerminal(words, { cwd, env, typed });
  const { session_id: id } = await json(...START);
  await repo.write({ "src/auth.ts": "changed\n", "src/new.ts": "new\n" });
  await json("session", "park");
  return { project, repo, cwd, env, run, json, type, id: String(id) };
}
