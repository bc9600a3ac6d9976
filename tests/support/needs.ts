/**
 * What tests need beside Deno and git. A test whose need is not met on this machine is skipped, and its name
 * says what is missing; `.ci/run` counts these names, so every skipped test goes through here.
 */
import { FEATURES } from "../../src/features/features.ts";
import { findPostgres } from "./postgres.ts";
import { canReadProcesses } from "../../tools/run.ts";

/** One thing that a machine may lack. */
interface NeedRow {
  /** What a person reads behind "needs". */
  readonly what: string;
  /** Looks at this machine; asked at most once in each test file. */
  readonly isHere: () => boolean;
}

const NEEDS = {
  rg: {
    what: "ripgrep (rg)",
    isHere: () => /^ripgrep \d/.test(readOutput("rg", "--no-config", "--version")),
  },
  terminal: {
    what: "script of util-linux, which makes a terminal",
    isHere: () => readOutput("script", "--version") !== "",
  },
  mount: {
    what: "a system that lets its users mount a file system (unshare --user --mount)",
    isHere: canMount,
  },
  posix: {
    what: "shells and file modes of Linux or macOS",
    isHere: () => Deno.build.os !== "windows",
  },
  no_root: { what: "a user that is not root", isHere: () => Deno.uid() !== 0 },
  ssh_keygen: {
    what: "ssh-keygen of OpenSSH",
    isHere: () => {
      try {
        // Without a terminal and with an unknown option it prints its usage and fails.
        new Deno.Command("ssh-keygen", { args: ["-?"], stdout: "null", stderr: "null" })
          .outputSync();
        return true;
      } catch {
        return false;
      }
    },
  },
  chromium: {
    what: "Chromium (chromium)",
    isHere: () => /^Chromium \d/m.test(readOutput("chromium", "--version")),
  },
  npm: { what: "npm", isHere: () => /^\d/.test(readOutput("npm", "--version")) },
  pip: {
    what: "pip",
    isHere: () => /^pip \d/.test(readOutput("python3", "-m", "pip", "--version")),
  },
  uv: { what: "uv", isHere: () => /^uv \d/.test(readOutput("uv", "--version")) },
  man: { what: "man of man-db", isHere: () => /^man \d/.test(readOutput("man", "--version")) },
  zsh: { what: "zsh", isHere: () => /^zsh \d/.test(readOutput("zsh", "--version")) },
  fish: { what: "fish", isHere: () => /^fish/.test(readOutput("fish", "--version")) },
  pytest: {
    what: "pytest",
    isHere: () => /^pytest \d/m.test(readOutput("pytest", "--version")),
  },
  postgres: {
    what: "PostgreSQL (Debian's package postgresql)",
    isHere: () => findPostgres() !== null,
  },
  http: {
    what: "the feature http",
    isHere: () => FEATURES.some(({ serveHttp }) => serveHttp !== undefined),
  },
  processes: { what: "/proc of Linux", isHere: canReadProcesses },
} as const satisfies Readonly<Record<string, NeedRow>>;

/** The name of a need. */
export type Need = keyof typeof NEEDS;

/** A need that only its test can look for, such as a package of the registry. */
export interface OtherNeed {
  readonly what: string;
  /** Why it cannot be had; null where it is here. */
  readonly hindrance: string | null;
}

const looks = new Map<Need, boolean>();

/** Whether this machine has what the need names. */
export function isHere(need: Need): boolean {
  const known = looks.get(need) ?? NEEDS[need].isHere();
  looks.set(need, known);
  return known;
}

/** The source that answers name for text here: what a test compares where the engine is not its matter. */
export function textSource(): "rg" | "scan" {
  return isHere("rg") ? "rg" : "scan";
}

/** Registers a test that is skipped, with what is missing in its name, where one of the needs is not met. */
export function testNeeding(
  needs: readonly (Need | OtherNeed)[],
  name: string,
  fn: (t: Deno.TestContext) => void | Promise<void>,
): void {
  const missing = needs.flatMap(toMissing);
  Deno.test({
    name: missing.length === 0 ? name : `${name} [needs ${missing.join("; ")}]`,
    ignore: missing.length > 0,
    fn,
  });
}

function toMissing(need: Need | OtherNeed): readonly string[] {
  if (typeof need === "string") return isHere(need) ? [] : [NEEDS[need].what];
  return need.hindrance === null ? [] : [`${need.what}: ${need.hindrance.replace(/\s+/g, " ")}`];
}

/** What a program prints; nothing where it is not found or fails. */
function readOutput(program: string, ...args: readonly string[]): string {
  try {
    const { success, stdout } = new Deno.Command(program, { args: [...args] }).outputSync();
    return success ? new TextDecoder().decode(stdout) : "";
  } catch {
    return "";
  }
}

/** A small file system of one's own needs a system that lets users have one. */
function canMount(): boolean {
  if (Deno.build.os !== "linux") return false;
  const args = ["--user", "--map-root-user", "--mount", "mount", "-t", "tmpfs", "tmpfs", "/mnt"];
  try {
    return new Deno.Command("unshare", { args, stderr: "null" }).outputSync().success;
  } catch {
    return false;
  }
}
