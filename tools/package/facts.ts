/** What package registries are told about the program: one table, from which each package is made. */
import { PROGRAM_NAME, VERSION } from "../../src/base/version.ts";
import type { Target } from "../compile/targets.ts";
import { TARGETS } from "../compile/targets.ts";

/** Facts that all packages share. */
export const FACTS = {
  name: PROGRAM_NAME,
  version: VERSION,
  summary: "Makes coding agents understand a codebase before they change it, and proves the work",
  keywords: ["mcp", "mcp-server", "code-search", "coding-agent", "claude-code", "codex"],
} as const;

/** One platform in the words of each registry. */
export interface Platform {
  readonly target: Target;
  /** Name of the executable in a package. */
  readonly file: string;
  /** As Node says `process.platform` and `process.arch`. */
  readonly npm: { readonly os: string; readonly cpu: string; readonly libc?: "glibc" };
  /** The last part of a wheel's name: what pip and uv compare with the machine. */
  readonly wheelTag: string;
}

const WORDS: Readonly<Record<string, Omit<Platform, "target" | "file">>> = {
  "x86_64-unknown-linux-gnu": {
    npm: { os: "linux", cpu: "x64", libc: "glibc" },
    wheelTag: "manylinux_2_27_x86_64",
  },
  "aarch64-unknown-linux-gnu": {
    npm: { os: "linux", cpu: "arm64", libc: "glibc" },
    wheelTag: "manylinux_2_27_aarch64",
  },
  "x86_64-apple-darwin": { npm: { os: "darwin", cpu: "x64" }, wheelTag: "macosx_11_0_x86_64" },
  "aarch64-apple-darwin": { npm: { os: "darwin", cpu: "arm64" }, wheelTag: "macosx_11_0_arm64" },
  "x86_64-pc-windows-msvc": { npm: { os: "win32", cpu: "x64" }, wheelTag: "win_amd64" },
};

/** Every platform that an executable can be made for. */
export const PLATFORMS: readonly Platform[] = TARGETS.map((target) => {
  const words = WORDS[target.name];
  if (words === undefined) throw new Error(`No words for ${target.name}`);
  const file = target.os === "windows" ? `${PROGRAM_NAME}.exe` : PROGRAM_NAME;
  return { target, file, ...words };
});

/** Name of the npm package that holds the executable of a platform. */
export function toNpmName({ npm }: Pick<Platform, "npm">): string {
  return `${PROGRAM_NAME}-${npm.os}-${npm.cpu}`;
}
