/**
 * A stranger's path: a folder with nothing but git and the executable, no network, no rg, no ctags. `init`,
 * then a session from the request to the merged commit.
 */
import { join } from "node:path";
import { Client } from "../demo/client.ts";
import { Journal } from "../demo/journal.ts";
import type { Row } from "../demo/session.ts";
import { walkRows } from "../demo/session.ts";
import type { Sandbox } from "./sandbox.ts";
import { expect } from "./sandbox.ts";
import SESSION from "./stranger.json" with { type: "json" };

const PATH = "greet.py";
const BEFORE = "def greet(name):\n    return 'Hello ' + name\n";
const AFTER =
  "def greet(name):\n    if name == '':\n        raise ValueError('a name is needed')\n    return 'Hello ' + name\n";

/** Walks the path; `print` takes each line of it. */
export async function proveStranger(
  sandbox: Sandbox,
  print: (line: string) => void,
): Promise<void> {
  const before = await sandbox.offline();
  const cwd = await sandbox.makeRepository();
  await sandbox.must(["init"], { cwd, before });
  await Deno.writeTextFile(join(cwd, PATH), BEFORE);
  await sandbox.git(cwd, "add", "--all");
  await sandbox.git(cwd, "commit", "--quiet", "--message=Greet people");
  const [command = "", ...words] = [...before, sandbox.program, "serve", "--project", cwd];
  const env = { ...sandbox.env };
  const { client } = await Client.start({ command, args: words, cwd, env, clearEnv: true });
  const journal = new Journal(client, print);
  try {
    await walkRows(journal, SESSION as readonly Row[], { root: cwd });
  } finally {
    await client.close();
  }
  const parents = (await sandbox.git(cwd, "log", "-1", "--format=%P")).trim().split(" ");
  expect(parents.length === 2, "HEAD is a merge");
  expect(await Deno.readTextFile(join(cwd, PATH)) === AFTER, "the merged file is what was written");
  const branches = (await sandbox.git(cwd, "branch", "--format=%(refname:short)")).trim();
  expect(branches === "main", `the task branch is gone: ${branches}`);
}
