/** The machines that an executable can be made for, and what differs between them. */

/** How the large files are carried. */
export type Placement =
  /** Between the runtime and the program, read by offset: there the runtime holds what it embeds in memory. */
  | "pack"
  /** Embedded: the system maps that part of the executable and reads it when it is used. */
  | "embedded";

/** A row of {@link TARGETS}. */
export interface Target {
  /** What `deno compile --target` calls it. */
  readonly name: string;
  /** Names of Deno for the machine. */
  readonly os: "linux" | "darwin" | "windows";
  readonly arch: "x86_64" | "aarch64";
  /** Name of the executable in a release. */
  readonly output: string;
  readonly placement: Placement;
  /** The package of sqlite-vec for it, its file, and the hash of that. */
  readonly extension: {
    readonly package: string;
    readonly file: string;
    readonly sha256: string;
  };
}

/** The folder below `dist/` of executables that leave the embedding model to a package of its own. */
export const WITHOUT_MODEL = "without-model";

/** Every target. */
export const TARGETS: readonly Target[] = [
  {
    name: "x86_64-unknown-linux-gnu",
    os: "linux",
    arch: "x86_64",
    output: "code-intel-linux-x64",
    placement: "pack",
    extension: {
      package: "sqlite-vec-linux-x64",
      file: "vec0.so",
      sha256: "5923730861b86c707cca5602b5f91092f9e52a46706dbc6e269fd4bb9c4498e8",
    },
  },
  {
    name: "aarch64-unknown-linux-gnu",
    os: "linux",
    arch: "aarch64",
    output: "code-intel-linux-arm64",
    placement: "pack",
    extension: {
      package: "sqlite-vec-linux-arm64",
      file: "vec0.so",
      sha256: "0b84cbd06418ca3040827deddd650539be05be0f657952426b926c8606217437",
    },
  },
  {
    name: "x86_64-apple-darwin",
    os: "darwin",
    arch: "x86_64",
    output: "code-intel-macos-x64",
    placement: "embedded",
    extension: {
      package: "sqlite-vec-darwin-x64",
      file: "vec0.dylib",
      sha256: "d39d33d16d302d57440d9a9cdbe3cc095e8324aa96b979b5171f545a6346996d",
    },
  },
  {
    name: "aarch64-apple-darwin",
    os: "darwin",
    arch: "aarch64",
    output: "code-intel-macos-arm64",
    placement: "embedded",
    extension: {
      package: "sqlite-vec-darwin-arm64",
      file: "vec0.dylib",
      sha256: "193e480c50b59a55977d166f4aaf0e1bc8832d6963516e5950f39e4d2ce0b793",
    },
  },
  {
    name: "x86_64-pc-windows-msvc",
    os: "windows",
    arch: "x86_64",
    output: "code-intel-windows-x64.exe",
    placement: "embedded",
    extension: {
      package: "sqlite-vec-windows-x64",
      file: "vec0.dll",
      sha256: "fcf98662a7ad9dce394b96a88f91032047823831b951c76636787c312a6476e6",
    },
  },
];

/** The target of the machine that this runs on; null where there is none. */
export function findOwnTarget(): Target | null {
  const { os, arch } = Deno.build;
  return TARGETS.find((target) => target.os === os && target.arch === arch) ?? null;
}
