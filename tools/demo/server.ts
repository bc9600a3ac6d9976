/** Starts the server as the configuration of a client does: from source, or an executable that was named. */
import { delimiter, dirname, join } from "node:path";
import type { Person } from "./client.ts";
import { Client } from "./client.ts";
import { REPOSITORY } from "../task.ts";

/** What a server of the demo works on. */
export interface ServerOptions {
  /** Absolute path of the project. */
  readonly root: string;
  /** Folder for what the program keeps of a user, so that the real one is left alone. */
  readonly stateDir: string;
  /** Who answers the forms of the server; without one it shows none. */
  readonly person?: Person;
  /** Further variables of the server. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts the server on a project and greets it. */
export function startServer(
  { root, stateDir, person, env = {} }: ServerOptions,
): ReturnType<typeof Client.start> {
  const [command, ...args] = toProgram();
  return Client.start({
    command,
    args: [...args, "serve", "--project", root],
    cwd: root,
    env: { CODE_INTEL_STATE_DIR: stateDir, PATH: toPath(), ...env },
    ...(person === undefined ? {} : { person }),
  });
}

/** The program with its first arguments: `CODE_INTEL_PROGRAM` names an executable, else it is the source. */
export function toProgram(): readonly [command: string, ...args: string[]] {
  const executable = Deno.env.get("CODE_INTEL_PROGRAM") ?? "";
  if (executable !== "") return [executable];
  const config = join(REPOSITORY, "deno.json");
  const main = join(REPOSITORY, "src", "main.ts");
  return [Deno.execPath(), "run", "--quiet", "--config", config, "-P", main];
}

/** The search path with this Deno first: the sample's own command is `deno test`. */
function toPath(): string {
  return [dirname(Deno.execPath()), Deno.env.get("PATH") ?? ""].join(delimiter);
}

/** Two folders of their own for one run: removed with `await using`. */
export async function makeTempFolders(): Promise<ServerOptions & AsyncDisposable> {
  const root = await Deno.makeTempDir({ prefix: "code-intel-project-" });
  const stateDir = await Deno.makeTempDir({ prefix: "code-intel-state-" });
  return {
    root,
    stateDir,
    async [Symbol.asyncDispose]() {
      await Deno.remove(root, { recursive: true });
      await Deno.remove(stateDir, { recursive: true });
    },
  };
}
