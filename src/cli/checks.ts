/** The checks of `doctor` as a table: each looks at one thing and names the way to mend it. */
import { join } from "node:path";
import type { BackendStatus } from "../backends/mod.ts";
import { createBackends } from "../backends/mod.ts";
import { SILENT_LOGGER } from "../base/logger.ts";
import { PROGRAM_NAME, VERSION } from "../base/version.ts";
import { createSettingsReader } from "../context/mod.ts";
import { openRepository } from "../git/mod.ts";
import { createServices, findProjectRoot } from "../services.ts";

/** What a check found: `notice` works, but less well; `broken` has to be mended. */
export interface CheckResult {
  readonly name: string;
  readonly level: "ok" | "notice" | "broken";
  readonly detail: string;
  /** How to mend it. */
  readonly hint?: string;
}

type Finding = Omit<CheckResult, "name">;

interface Check {
  readonly name: string;
  readonly run: (projectRoot: string) => Promise<Finding | readonly Finding[]>;
}

const CHECKS: readonly Check[] = [
  { name: "program", run: () => Promise.resolve(ok(`${PROGRAM_NAME} ${VERSION}`)) },
  { name: "project", run: checkProject },
  { name: "git", run: checkGit },
  { name: "rg", run: async () => toBackend(await createBackends().rg(), "the built-in scanner") },
  {
    name: "ctags",
    run: async () => toBackend(await createBackends().ctags(), "built-in patterns"),
  },
  { name: "configuration", run: checkConfiguration },
  { name: "sessions", run: checkSessions },
];

/** Runs all checks; a check that fails is a broken one, never the end of the others. */
export async function toCheckReport(projectDir: string): Promise<readonly CheckResult[]> {
  const projectRoot = await findProjectRoot(projectDir);
  const results = await Promise.all(CHECKS.map(async ({ name, run }) => {
    const found = await run(projectRoot).catch(toBroken);
    const findings: readonly Finding[] = "level" in found ? [found] : found;
    return findings.map((finding) => ({ name, ...finding }));
  }));
  return results.flat();
}

/** Where the program keeps its files must be writable; the test file is removed again. */
async function checkProject(projectRoot: string): Promise<Finding> {
  const folder = join(projectRoot, ".code-intel");
  const exists = await Deno.stat(folder).then(() => true, () => false);
  const probe = await Deno.makeTempFile({
    dir: exists ? folder : projectRoot,
    prefix: ".code-intel-doctor-",
  });
  await Deno.remove(probe);
  return ok(projectRoot);
}

async function checkGit(projectRoot: string): Promise<Finding> {
  const repo = await openRepository(projectRoot);
  if (repo === null) {
    return {
      level: "notice",
      detail: "The project is in no git repository: no branches, snapshots or commits",
      hint: "Run `git init` and make a first commit.",
    };
  }
  return ok(`${await repo.git.line(["version"])}, worktree ${repo.worktree}`);
}

function toBackend({ name, available, version, reason }: BackendStatus, instead: string): Finding {
  if (available) return ok(version ?? "found");
  return {
    level: "notice",
    detail: `Not used: ${reason ?? "not found"}; ${instead} take its place`,
    hint: `Install ${name === "rg" ? "ripgrep" : "Universal Ctags"} for faster and better answers.`,
  };
}

async function checkConfiguration(projectRoot: string): Promise<readonly Finding[]> {
  const codeIntelDir = join(projectRoot, ".code-intel");
  const get = (name: string) => Deno.env.get(name);
  const { config, context } = await createSettingsReader({ codeIntelDir, get }).read();
  const findings: Finding[] = [...config.warnings, ...context.warnings].map((problem) => ({
    level: "broken",
    detail: problem.message,
    ...(problem.hint === undefined ? {} : { hint: problem.hint }),
  }));
  for (const { variable, key } of config.overrides) {
    findings.push({ level: "notice", detail: `${variable} overrides ${key} of config.json` });
  }
  return findings.length > 0 ? findings : [ok("config.json and context.yml can be used")];
}

async function checkSessions(projectRoot: string): Promise<Finding | readonly Finding[]> {
  const options = { projectDir: projectRoot, logger: SILENT_LOGGER, offered: [] };
  const { sessions } = await createServices(options);
  const all = await sessions.loadAll();
  const findings = all.flatMap((outcome): readonly Finding[] => {
    if (outcome.kind === "loaded") return [];
    const { message, hint } = outcome.problem;
    return [{ level: "broken", detail: message, ...(hint === undefined ? {} : { hint }) }];
  });
  return findings.length > 0 ? findings : ok(`${all.length} readable`);
}

function ok(detail: string): Finding {
  return { level: "ok", detail };
}

function toBroken(failure: unknown): Finding {
  const detail = failure instanceof Error ? failure.message : String(failure);
  const hint = failure instanceof Error && "hint" in failure ? String(failure.hint) : "";
  return { level: "broken", detail, ...(hint === "" ? {} : { hint }) };
}
