/** What package registries are told about the program: one table, from which each package is made. */
import { PROGRAM_NAME, VERSION } from "../../src/base/version.ts";
import { MODEL_ID } from "../../src/embedding/model_files.ts";
import type { Target } from "../compile/targets.ts";
import { TARGETS } from "../compile/targets.ts";

/** Facts that all packages share. */
export const FACTS = {
  name: PROGRAM_NAME,
  title: "Code Intel",
  version: VERSION,
  summary: "Makes coding agents understand a codebase before they change it, and proves the work",
  keywords: ["mcp", "mcp-server", "code-search", "coding-agent", "claude-code", "codex"],
} as const;

/**
 * How each format says that the program has no licence of its own: whoever owns the repository has not chosen one, and a
 * package must not grant what nobody granted. The formula and the wheel leave the field out. THIRD_PARTY_LICENSES is about
 * what lies inside. Decide before the first release, and change this row.
 */
export const LICENCE = { npm: "UNLICENSED", scoop: "Unknown" } as const;

/** One platform in the words of each registry. */
export interface Platform {
  readonly target: Target;
  /** Name of the executable in a package. */
  readonly file: string;
  /** As Node says `process.platform` and `process.arch`. */
  readonly npm: { readonly os: string; readonly cpu: string; readonly libc?: "glibc" };
  /** The last part of a wheel's name: what pip and uv compare with the machine. */
  readonly wheelTag: string;
  /** The blocks of a formula that choose the platform; null where Homebrew is not. */
  readonly formula: { readonly os: "macos" | "linux"; readonly cpu: "arm" | "intel" } | null;
  /** The name of the processor in images of containers; null where no image is made. */
  readonly image: "amd64" | "arm64" | null;
}

const WORDS: Readonly<Record<string, Omit<Platform, "target" | "file">>> = {
  "x86_64-unknown-linux-gnu": {
    npm: { os: "linux", cpu: "x64", libc: "glibc" },
    wheelTag: "manylinux_2_27_x86_64",
    formula: { os: "linux", cpu: "intel" },
    image: "amd64",
  },
  "aarch64-unknown-linux-gnu": {
    npm: { os: "linux", cpu: "arm64", libc: "glibc" },
    wheelTag: "manylinux_2_27_aarch64",
    formula: { os: "linux", cpu: "arm" },
    image: "arm64",
  },
  "x86_64-apple-darwin": {
    npm: { os: "darwin", cpu: "x64" },
    wheelTag: "macosx_11_0_x86_64",
    formula: { os: "macos", cpu: "intel" },
    image: null,
  },
  "aarch64-apple-darwin": {
    npm: { os: "darwin", cpu: "arm64" },
    wheelTag: "macosx_11_0_arm64",
    formula: { os: "macos", cpu: "arm" },
    image: null,
  },
  "x86_64-pc-windows-msvc": {
    npm: { os: "win32", cpu: "x64" },
    wheelTag: "win_amd64",
    formula: null,
    image: null,
  },
};

/** Every platform that an executable can be made for. */
export const PLATFORMS: readonly Platform[] = TARGETS.map((target) => {
  const words = WORDS[target.name];
  if (words === undefined) throw new Error(`No words for ${target.name}`);
  const file = target.os === "windows" ? `${PROGRAM_NAME}.exe` : PROGRAM_NAME;
  return { target, file, ...words };
});

/**
 * The wheel that brings the embedding model, which every platform shares: with it inside, the wheel of a platform would be
 * larger than the 100 MB that PyPI takes. Its version is that of the model.
 */
export const MODEL_WHEEL = {
  name: `${PROGRAM_NAME}-model`,
  version: toModelVersion(MODEL_ID),
  summary: `The embedding model of ${PROGRAM_NAME}, for questions in other languages`,
} as const;

/** The number at the end of the model's name. */
function toModelVersion(id: string): string {
  const [version] = /\d+$/.exec(id) ?? [];
  if (version === undefined) throw new Error(`${id} ends in no number`);
  return version;
}

/** Name of the npm package that holds the executable of a platform. */
export function toNpmName({ npm }: Pick<Platform, "npm">): string {
  return `${PROGRAM_NAME}-${npm.os}-${npm.cpu}`;
}

/** Where a release is published: everything that packages say about their origin comes from it. */
export interface Origin {
  /** Address of the repository's page, without a slash at its end. */
  readonly page: string;
  /** Name of the server in the registry of MCP servers, which proves it by the owner of the page. */
  readonly serverName: string;
  /** The word of that registry for the place. */
  readonly source: string;
}

/**
 * The origin by the address of the repository's page.
 *
 * @throws where the address is not that of a repository on GitHub, for which alone the registry has names.
 *
 * @example
 * ```ts
 * import { strictEqual as equal } from "node:assert/strict";
 * equal(toOrigin("https://github.com/ann/shop").serverName, "io.github.ann/shop");
 * ```
 */
export function toOrigin(page: string): Origin {
  const [, owner, name] = /^https:\/\/github\.com\/([\w-]+)\/([\w.-]+?)\/?$/.exec(page) ?? [];
  if (owner === undefined || name === undefined) {
    throw new Error(`"${page}" is not the address of a repository on GitHub`);
  }
  return {
    page: `https://github.com/${owner}/${name}`,
    serverName: `io.github.${owner}/${name}`,
    source: "github",
  };
}

/** Address from which a file of this version's release is loaded. */
export function toFileUrl({ page }: Origin, file: string): string {
  return `${page}/releases/download/v${FACTS.version}/${file}`;
}
