/**
 * What goes into an executable beside the program, file by file: nothing is taken because it lies in a
 * folder. A test compares the list with what the folders hold.
 */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { SQLITE_VEC_VERSION } from "../../src/base/version.ts";
import { RUNTIME_WASM } from "../../src/embedding/encoder.ts";
import { MODEL_FILES } from "../../src/embedding/model_files.ts";
import { nameExtension } from "../../src/index/vectors/sqlite_vec.ts";
import { FEATURES } from "../../src/features/features.ts";
import { WORD_TABLE_FILE } from "../../src/word_vectors/load_table.ts";
import { PROJECT_TEMPLATES, SKILLS } from "../../src/project/setup/templates.ts";
import { buildPatternPath } from "../../src/syntax/pattern_files.ts";
import { readManifest } from "../grammars/manifest.ts";
import { listGrammars } from "../grammars/patterns.ts";
import { run } from "../run.ts";
import type { Target } from "./targets.ts";

/** A file that goes inside. */
export interface PartFile {
  /** Its name there. */
  readonly name: string;
  /** Where it is now. */
  readonly path: string;
}

/** Files of one kind; a row of the table of sizes. */
export interface Part {
  readonly title: string;
  readonly files: readonly PartFile[];
}

/** The part that a package of its own may bring instead. */
export const MODEL_PART = "embedding model";

/** The files of every part for a target, in the order in which they are packed. */
export async function listParts(repository: string, target: Target): Promise<readonly Part[]> {
  const own = (names: readonly string[]) =>
    names.map((name) => ({ name, path: join(repository, name) }));
  const grammars = await readManifest();
  return [
    {
      title: "grammars",
      files: own(["wasm/manifest.json", ...grammars.map(({ file }) => `wasm/${file}`)]),
    },
    { title: "compiled patterns", files: own((await listGrammars()).map(buildPatternPath)) },
    {
      title: "templates",
      files: own([
        ...PROJECT_TEMPLATES.map((name) => `templates/project/${name}`),
        ...SKILLS.map((name) => `templates/skills/${name}.md`),
        ...FEATURES.flatMap(({ files = [] }) => files),
        "templates/blocks/agents.md",
        "templates/blocks/both.md",
        "templates/blocks/claude.md",
      ]),
    },
    {
      title: "word vectors",
      files: own([WORD_TABLE_FILE]),
    },
    {
      title: MODEL_PART,
      files: own(Object.values(MODEL_FILES).map(({ name }) => `models/${name}`)),
    },
    { title: "onnxruntime-web", files: [{ name: RUNTIME_WASM, path: findRuntimeFile("wasm") }] },
    {
      title: "sqlite-vec",
      files: [{ name: nameExtension(target.os), path: await findExtensionFile(target) }],
    },
    { title: "licences", files: own(["THIRD_PARTY_LICENSES"]) },
  ];
}

/** A file of onnxruntime-web: its code, or the module that loads it and is imported at run time. */
export function findRuntimeFile(ending: "wasm" | "mjs"): string {
  const url = import.meta.resolve("onnxruntime-web/ort-wasm-simd-threaded.wasm");
  return fileURLToPath(url).replace(/wasm$/, ending);
}

/** The extension of the target's machine; packages of other machines are fetched. */
async function findExtensionFile({ extension }: Target): Promise<string> {
  const own = fileURLToPath(import.meta.resolve("sqlite-vec"));
  const [packages = ""] = own.split(/[\\/]sqlite-vec[\\/]/);
  const path = join(packages, extension.package, SQLITE_VEC_VERSION, extension.file);
  if (await Deno.stat(path).catch(() => null) === null) {
    const wanted = `npm:${extension.package}@${SQLITE_VEC_VERSION}`;
    const cwd = await Deno.makeTempDir();
    await run(Deno.execPath(), ["cache", "--quiet", "--no-config", "--no-lock", wanted], { cwd })
      .finally(() => Deno.remove(cwd, { recursive: true }));
  }
  const hash = createHash("sha256").update(await Deno.readFile(path)).digest("hex");
  if (hash !== extension.sha256) {
    throw new Error(`${extension.package} is not as expected: ${hash}`);
  }
  return path;
}
