/** Finds the compiler that can judge a checkout, by the files that it has. */
import { join } from "node:path";
import { runProcess } from "../../src/base/processes/process.ts";
import type { Repository } from "../../src/git/repository.ts";
import { listProjectFiles } from "../../src/git/repository.ts";
import type { JudgedCalls } from "./call_sites.ts";
import { judgeTypescript } from "./judge_typescript.ts";

/** A compiler that is there. */
export interface Judge {
  judge(): Promise<JudgedCalls>;
}

const HERE = import.meta.dirname ?? ".";
const MAX_JUDGE_MS = 900_000;

/** The judge of most files of the checkout; a sentence where its program is missing. */
export async function findJudge(repo: Repository): Promise<Judge | string> {
  const files = await listProjectFiles(repo);
  const count = (pattern: RegExp) => files.filter((path) => pattern.test(path)).length;
  const counts = [count(/\.go$/), count(/\.py$/), count(/\.[mc]?tsx?$/)];
  const [go = 0, python = 0, scripts = 0] = counts;
  if (Math.max(...counts) === 0) return `${repo.worktree} has no Go, Python or TypeScript.`;
  if (go >= Math.max(python, scripts)) return await findGo(repo.worktree);
  if (python > scripts) return await findPython(repo.worktree);
  return { judge: () => Promise.resolve(judgeTypescript(repo.worktree, files)) };
}

async function findGo(root: string): Promise<Judge | string> {
  const version = await readText("go", ["version"]);
  if (version === null) {
    return "Go is missing: install its compiler, so that calls of Go can be judged.";
  }
  return {
    judge: async () => {
      const text = await readText("go", ["run", join(HERE, "judge.go"), root], {
        GO111MODULE: "off",
      });
      if (text === null) throw new Error("The judge of Go failed");
      return { judge: version.split(" ")[2] ?? "go", ...JSON.parse(text) };
    },
  };
}

async function findPython(root: string): Promise<Judge | string> {
  const python = Deno.env.get("CALLS_PYTHON") ?? "python3";
  if (await readText(python, ["-c", "import jedi"]) === null) {
    return "jedi is missing: python3 -m pip install jedi, or name a Python that has it in CALLS_PYTHON.";
  }
  return {
    judge: async () => {
      const text = await readText(python, [join(HERE, "judge_python.py"), root]);
      if (text === null) throw new Error("The judge of Python failed");
      return JSON.parse(text);
    },
  };
}

/** What a program prints; null where it cannot be started or fails. */
async function readText(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string | null> {
  try {
    const result = await runProcess(program, args, {
      timeoutMs: MAX_JUDGE_MS,
      env,
      maxOutputBytes: 256 * 1024 * 1024,
    });
    return result.code === 0 ? new TextDecoder().decode(result.stdout).trim() : null;
  } catch {
    return null;
  }
}
