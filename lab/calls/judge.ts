/** Finds the compiler that can judge a checkout, by the files that it has. */
import { listProjectFiles } from "../../src/git/trees/file_lists.ts";
import { join } from "node:path";
import type { Repository } from "../../src/git/repository.ts";
import { readOutput, requireOutput } from "../harness/run.ts";
import type { JudgedCalls } from "./call_sites.ts";
import { judgeTypescript } from "./judge_typescript.ts";

/** Asks a compiler that is there. */
export type Judge = () => Promise<JudgedCalls>;

const HERE = import.meta.dirname ?? ".";

/** The judge of most files of the checkout; a sentence where its program is missing. */
export async function findJudge(repo: Repository): Promise<Judge | string> {
  const files = await listProjectFiles(repo);
  const count = (pattern: RegExp) => files.filter((path) => pattern.test(path)).length;
  const counts = [count(/\.go$/), count(/\.py$/), count(/\.[mc]?tsx?$/)];
  const [go = 0, python = 0, scripts = 0] = counts;
  if (Math.max(...counts) === 0) return `${repo.worktree} has no Go, Python or TypeScript.`;
  if (go >= Math.max(python, scripts)) return await findGo(repo.worktree);
  if (python > scripts) return await findPython(repo.worktree);
  return () => Promise.resolve(judgeTypescript(repo.worktree, files));
}

async function findGo(root: string): Promise<Judge | string> {
  const version = await readOutput("go", ["version"]);
  if (version === null) {
    return "Go is missing: install its compiler, so that calls of Go can be judged.";
  }
  const env = { GO111MODULE: "off" };
  return async () => {
    const text = await requireOutput("go", ["run", join(HERE, "judge.go"), root], { env });
    return { judge: version.split(" ")[2] ?? "go", ...JSON.parse(text) };
  };
}

async function findPython(root: string): Promise<Judge | string> {
  const python = Deno.env.get("CALLS_PYTHON") ?? "python3";
  if (await readOutput(python, ["-c", "import jedi"]) === null) {
    return "jedi is missing: python3 -m pip install jedi, or name a Python that has it in CALLS_PYTHON.";
  }
  return async () => JSON.parse(await requireOutput(python, [join(HERE, "judge_python.py"), root]));
}
