/** A PostgreSQL of Debian's package in a temporary folder, on a free port of this machine, as a test needs it. */
import { join } from "node:path";
import { giveUp } from "./temp_folder.ts";

const FOLDER = "/usr/lib/postgresql";
/** Root may not run the server, so this user does. */
const USER = "postgres";

/** A running server. */
export interface TestPostgres extends AsyncDisposable {
  /** `postgres://…` of its only user, with the password. */
  readonly url: string;
  readonly port: number;
  /** Ends it as an administrator does who restarts it, and starts it again unless `isDown` is true. */
  restart(options?: { readonly isDown?: boolean }): Promise<void>;
  /** Starts it after {@link TestPostgres.restart} with `isDown`. */
  start(): Promise<void>;
}

/** The folder of the server's programs; null where there is none that can be run here. */
export function findPostgres(): string | null {
  try {
    const versions = [...Deno.readDirSync(FOLDER)].map(({ name }) => name)
      .sort((a, b) => Number(b) - Number(a));
    const [newest] = versions;
    if (newest === undefined) return null;
    const programs = join(FOLDER, newest, "bin");
    Deno.statSync(join(programs, "initdb"));
    return programs;
  } catch {
    return null;
  }
}

/** Makes and starts a server that is gone with the test. */
export async function startPostgres(): Promise<TestPostgres> {
  const programs = findPostgres();
  if (programs === null) throw new Error("PostgreSQL is not installed");
  const isRoot = Deno.uid() === 0;
  // The temporary folder of a run of tests may be root's alone; the user of the server has to reach its own.
  const folder = await Deno.makeTempDir({ prefix: "hub-pg-", ...(isRoot ? { dir: "/tmp" } : {}) });
  const run = async (program: string, ...args: readonly string[]) => {
    const own = join(programs, program);
    const command = isRoot
      ? ["setpriv", `--reuid=${USER}`, `--regid=${USER}`, "--clear-groups", own, ...args]
      : [own, ...args];
    const [first = "", ...rest] = command;
    // Started outputs are not waited for: the server would hold them open.
    const { code } = await new Deno.Command(first, {
      args: rest,
      cwd: folder,
      env: { LC_ALL: "C" },
      stdin: "null",
      stdout: "null",
      stderr: "null",
    }).output();
    return code;
  };
  const data = join(folder, "data");
  const password = crypto.randomUUID();
  await Deno.writeTextFile(join(folder, "password"), password);
  if (isRoot) {
    await new Deno.Command("chown", { args: ["-R", USER, folder] }).output();
  }
  const port = freePort();
  const made = await run(
    "initdb",
    "-D",
    data,
    "-A",
    "scram-sha-256",
    "-U",
    "hub",
    "-E",
    "UTF8",
    "--locale=C",
    `--pwfile=${join(folder, "password")}`,
    "--no-sync",
  );
  if (made !== 0) throw new Error(`initdb ended with ${made}: can ${USER} reach ${folder}?`);
  const settings = `-p ${port} -c listen_addresses=127.0.0.1 -k ${folder} -c fsync=off`;
  const start = async () => {
    const log = join(folder, "log");
    const code = await run(
      "pg_ctl",
      "-D",
      data,
      "-o",
      settings,
      "-w",
      "-t",
      "60",
      "-l",
      log,
      "start",
    );
    if (code !== 0) throw new Error(await Deno.readTextFile(log).catch(() => `pg_ctl: ${code}`));
  };
  await start();
  return {
    url: `postgres://hub:${password}@127.0.0.1:${port}/postgres`,
    port,
    start,
    restart: async ({ isDown = false } = {}) => {
      await run("pg_ctl", "-D", data, "-m", "fast", "-w", "stop");
      if (!isDown) await start();
    },
    [Symbol.asyncDispose]: async () => {
      await run("pg_ctl", "-D", data, "-m", "immediate", "-w", "stop");
      if (isRoot) await Deno.remove(folder, { recursive: true }).catch(() => {});
      else await giveUp(folder);
    },
  };
}

function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}
