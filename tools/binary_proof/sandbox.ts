/**
 * Where the executable is proven: folders of their own, an environment that holds next to nothing, and
 * what the system gives to take the network or the right to write away.
 */
import { join } from "node:path";

/**
 * Ends the proof unless the condition holds.
 *
 * @throws {Error} with what was expected.
 */
export function expect(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Error(`not as expected: ${what}`);
}

/** What a run left behind. */
export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** How the executable is run. */
export interface RunOptions {
  readonly cwd: string;
  /** The whole environment; default {@link Sandbox.env}. */
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  /** Words before the executable, as {@link Sandbox.offline}. */
  readonly before?: readonly string[];
}

/** A proof that this machine cannot make; the message says what is missing. */
export class Skipped extends Error {
  override readonly name = "Skipped";
}

/** One executable and the folders of its proof. */
export class Sandbox implements AsyncDisposable {
  /** Absolute path of the executable. */
  readonly program: string;
  /** Removed at the end. */
  readonly folder: string;
  /** A home folder and a search path that holds git and a shell: all that a stranger has. */
  readonly env: Readonly<Record<string, string>>;
  #offline: Promise<readonly string[] | null> | undefined;
  #mounting: Promise<readonly string[] | null> | undefined;

  private constructor(program: string, folder: string) {
    this.program = program;
    this.folder = folder;
    this.env = { HOME: join(folder, "home"), PATH: join(folder, "bin") };
  }

  /** Makes the folders; `bin` gets links to git and the shell alone. */
  static async open(program: string): Promise<Sandbox> {
    const folder = await Deno.realPath(await Deno.makeTempDir({ prefix: "code-intel-proof-" }));
    const sandbox = new Sandbox(program, folder);
    for (const name of ["home", "bin"]) await Deno.mkdir(join(folder, name));
    for (const name of ["git", "sh"]) {
      await Deno.symlink(await findProgram(name), join(folder, "bin", name));
    }
    return sandbox;
  }

  /** Runs the executable to its end, with nothing in its environment but what is said here. */
  async run(words: readonly string[], options: RunOptions): Promise<Ended> {
    return await runToEnd([...options.before ?? [], this.program, ...words], {
      env: this.env,
      ...options,
    });
  }

  /** The same; throws unless it ends with 0. */
  async must(words: readonly string[], options: RunOptions): Promise<string> {
    const { code, stdout, stderr } = await this.run(words, options);
    if (code !== 0) throw new Error(`${words.join(" ")} ended with ${code}: ${stderr}${stdout}`);
    return stdout;
  }

  /** A new folder with a repository in it, with these files committed. */
  async makeRepository(files: Readonly<Record<string, string>> = {}): Promise<string> {
    const dir = await Deno.makeTempDir({ dir: this.folder, prefix: "project-" });
    await this.git(dir, "init", "--quiet", "--initial-branch=main");
    await this.git(dir, "config", "user.name", "Ann Stranger");
    await this.git(dir, "config", "user.email", "ann@example.org");
    for (const [path, text] of Object.entries(files)) {
      await Deno.mkdir(join(dir, path, ".."), { recursive: true });
      await Deno.writeTextFile(join(dir, path), text);
    }
    await this.git(dir, "add", "--all");
    await this.git(dir, "commit", "--quiet", "--allow-empty", "--message=Begin");
    return dir;
  }

  /** Runs git as the stranger does. */
  async git(dir: string, ...words: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await runToEnd(["git", ...words], { cwd: dir, env: this.env });
    if (code !== 0) throw new Error(`git ${words.join(" ")}: ${stderr}`);
    return stdout;
  }

  /**
   * Words that start a program without any network, not even this machine's.
   *
   * @throws {Skipped} where the system does not allow it.
   */
  async offline(): Promise<readonly string[]> {
    this.#offline ??= findFirst([["unshare", "-n"], ["unshare", "-r", "-n"]]);
    const words = await this.#offline;
    if (words === null) throw new Skipped("no network namespace can be made here (unshare -n)");
    return words;
  }

  /**
   * Words that start a program after a mount that it alone sees: `prepare` is a line of shell.
   *
   * @throws {Skipped} where the system does not allow it.
   */
  async mounted(prepare: string): Promise<readonly string[]> {
    this.#mounting ??= findFirst([["unshare", "-m"], ["unshare", "-r", "-m"]]);
    const words = await this.#mounting;
    if (words === null) throw new Skipped("no mount namespace can be made here (unshare -m)");
    const path = Deno.env.get("PATH") ?? "";
    // The shell has the search path of this process for `mount` alone; what it starts has its own.
    const script = `own=$PATH; PATH=${path}; ${prepare} || exit 99; PATH=$own; exec "$@"`;
    return [...words, "sh", "-c", script, "sh"];
  }

  /** Removes the folders. */
  async [Symbol.asyncDispose](): Promise<void> {
    await Deno.remove(this.folder, { recursive: true });
  }
}

/** The absolute path of a program of this machine. */
export async function findProgram(name: string): Promise<string> {
  for (const folder of (Deno.env.get("PATH") ?? "").split(":")) {
    const path = join(folder, name);
    if ((await Deno.stat(path).catch(() => null))?.isFile) return path;
  }
  throw new Skipped(`this machine has no ${name}`);
}

async function findFirst(choices: readonly (readonly string[])[]): Promise<string[] | null> {
  for (const [name = "", ...words] of choices) {
    const path = await findProgram(name).catch(() => null);
    if (path === null) continue;
    const { success } = await new Deno.Command(path, { args: [...words, "true"], stderr: "null" })
      .output();
    if (success) return [path, ...words];
  }
  return null;
}

async function runToEnd(
  [program = "", ...args]: readonly string[],
  { cwd, env, stdin = "" }: RunOptions & { readonly env: Readonly<Record<string, string>> },
): Promise<Ended> {
  const child = new Deno.Command(program, {
    args: [...args],
    cwd,
    clearEnv: true,
    env: { ...env },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(stdin)).catch(() => {});
  await writer.close().catch(() => {});
  const { code, stdout, stderr } = await child.output();
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}
