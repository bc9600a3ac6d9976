/** All that ctags says of a list of files, unfiltered: the other side of the comparison. */
import { readOutput, requireOutput } from "../harness/run.ts";
import type { CtagsTag } from "./match_definitions.ts";

/** Prototypes are no default kind, but definitions to us. */
const KINDS = ["--kinds-C=+p", "--kinds-C++=+p"];

/** The version of Universal Ctags; null where it is missing or cannot write JSON. */
export async function findCtags(): Promise<string | null> {
  const output = await readOutput("ctags", ["--options=NONE", "--version"]) ?? "";
  return output.includes("+json") ? /^Universal Ctags ([\w.-]+)/.exec(output)?.[1] ?? null : null;
}

/** Tags of `paths` below `root`. */
export async function runCtags(root: string, paths: readonly string[]): Promise<CtagsTag[]> {
  const form = ["--options=NONE", "--quiet", "--output-format=json", "--fields=+nKSse"];
  const files = ["--sort=no", ...KINDS, "--map-TypeScript=+.tsx", "-f", "-", "-L", "-"];
  const stdin = paths.map((path) => `${path}\n`).join("");
  return parseCtags(await requireOutput("ctags", [...form, ...files], { cwd: root, stdin }));
}

/** The tags of ctags' JSON lines; what is no tag with a line is left out. Pure. */
export function parseCtags(output: string): CtagsTag[] {
  return output.split("\n").flatMap((line): CtagsTag[] => {
    if (!line.startsWith("{")) return [];
    const tag = JSON.parse(line);
    if (tag._type !== "tag" || typeof tag.line !== "number") return [];
    return [{
      name: tag.name,
      kind: tag.kind ?? "",
      path: tag.path,
      line: tag.line,
      scope: tag.scope ?? "",
      scopeKind: tag.scopeKind ?? "",
    }];
  });
}
