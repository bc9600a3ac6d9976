/**
 * What a command rests on beside its own text: the program that its name starts, and variables that change what test
 * runners do. Remembered when a person allows a command, and compared when it runs.
 */
import { createHash } from "node:crypto";
import { findProgram } from "../../base/processes/arguments.ts";
import { RUNNERS } from "../../runners/runners.ts";
import type { VerifyCommand } from "./verify_commands.ts";

/** The programs and variables of one moment. Values of variables are kept as hashes: they may be secret. */
export interface RunEnvironment {
  /** The file that the first word of each command starts, by the name of the command; null where none is found. */
  readonly programs: Readonly<
    Record<string, { readonly path: string; readonly hash: string } | null>
  >;
  /** The first 16 hex digits of the SHA-256 of each variable that is set. */
  readonly variables: Readonly<Record<string, string>>;
}

/** Variables by which a runner or an interpreter loads other code, or runs other tests. */
const STEERING = new RegExp(
  `^(?:NODE_OPTIONS|NODE_PATH|PYTHONPATH|PYTHONSTARTUP|PYTHONINSPECT|RUBYOPT|RUBYLIB|PERL5OPT|PERL5LIB|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|LD_PRELOAD|LD_LIBRARY_PATH|DYLD_INSERT_LIBRARIES|BASH_ENV|ENV|SHELLOPTS|npm_config_script_shell|npm_config_node_options|NPM_CONFIG_SCRIPT_SHELL|${
    RUNNERS.flatMap(({ variables }) => variables ?? []).join("|")
  })$`,
  "i",
);
/** A larger program is known by its path and size (guessed: some runtimes have 150 MiB). */
const MOST_BYTES = 64 * 1024 * 1024;

/** The variables of this process that steer runs, sorted by name, each with a hash of its value. */
export function readSteering(): Readonly<Record<string, string>> {
  const set = Object.entries(Deno.env.toObject()).filter(([name, value]) =>
    STEERING.test(name) && value !== ""
  );
  return Object.fromEntries(set.sort().map(([name, value]) => [name, hashData(value)]));
}

/** Reads what is there now. */
export async function readRunEnvironment(
  cwd: string,
  commands: readonly Pick<VerifyCommand, "name" | "run">[],
): Promise<RunEnvironment> {
  const searched = Deno.env.get("PATH") ?? "";
  const programs = await Promise.all(commands.map(async ({ name, run }) => {
    const path = await findProgram(run[0] ?? "", { cwd, path: searched });
    return [name, path === null ? null : { path, hash: await hashProgram(path) }];
  }));
  return { programs: Object.fromEntries(programs), variables: readSteering() };
}

/** What differs, a sentence each; a variable that is not set any more steers nothing and is passed over. */
export function compareRunEnvironments(
  then: RunEnvironment,
  now: RunEnvironment,
): readonly string[] {
  const programs = Object.entries(now.programs).flatMap(([name, program]) => {
    const old = then.programs[name];
    if (old === undefined || program?.hash === old?.hash && program?.path === old?.path) return [];
    const [was, is] = [old?.path ?? "none", program?.path ?? "none"];
    return [
      was === is
        ? `${name} starts ${is}, whose content has changed since it was allowed`
        : `${name} starts ${is}; it started ${was} when it was allowed`,
    ];
  });
  const variables = Object.entries(now.variables)
    .filter(([name, hash]) => then.variables[name] !== hash)
    .map(([name]) =>
      then.variables[name] === undefined
        ? `${name} is set, and was not when the commands were allowed`
        : `${name} has another value than when the commands were allowed`
    );
  return [...programs, ...variables];
}

async function hashProgram(path: string): Promise<string> {
  const info = await Deno.stat(path).catch(() => null);
  if (info === null || info.size > MOST_BYTES) return `size ${info?.size ?? "unknown"}`;
  const bytes = await Deno.readFile(path).catch(() => null);
  return bytes === null ? "unreadable" : hashData(bytes);
}

function hashData(data: string | Uint8Array): string {
  return createHash("sha256").update(data).digest("hex").slice(0, 16);
}
