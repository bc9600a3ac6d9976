/**
 * The findings about files that git ignores and that changed since the session began, which step 17 asks about:
 * installed dependencies, and where only the worktree passes everything that a clean checkout lacks.
 */
import type { ChangedDependencies } from "../../evidence/checkout/changed_dependencies.ts";
import { findChangedDependencies } from "../../evidence/checkout/changed_dependencies.ts";
import type { ProjectCommands } from "../../evidence/runs/project_verification.ts";
import type { VerificationRun } from "../../evidence/runs/verification.ts";
import { pickLent } from "../../evidence/checkout/with_checkout.ts";
import { listIgnored, toFolders } from "../../git/trees/file_lists.ts";
import type { TestFinding } from "../../phase/facts.ts";
import { DEPENDENCIES_CHANGED, IGNORED_CHANGED } from "../../phase/rules/test_findings.ts";
import { hasBranchFlow } from "../../phase/table/flags.ts";
import type { OpenSession, SessionContext } from "../context/sessions.ts";

/** What changed between the start of the session and that of the run; nothing in flows that commit nothing. */
export async function findDependencies(
  { repo }: Pick<SessionContext, "repo">,
  run: VerificationRun,
  { session: { state }, found }: {
    readonly session: OpenSession;
    readonly found: ProjectCommands;
  },
): Promise<readonly TestFinding[]> {
  if (!hasBranchFlow(state)) return [];
  const { place } = run;
  const ignored = place?.kind === "checkout" ? [] : await listIgnored(repo.worktree);
  const folders = place?.kind === "checkout"
    ? place.lent
    : pickLent(toFolders(ignored), found.lend, repo.openedFor);
  const isMissed = place?.kind === "worktree" && place.differs;
  const others = isMissed ? toOthers(ignored, folders) : [];
  const find = async (paths: readonly string[]) =>
    await findChangedDependencies({
      worktree: repo.worktree,
      folders: paths,
      after: Date.parse(state.startedAt),
      before: Date.parse(run.startedAt),
    });
  const [dependencies, missed] = [await find(folders), await find(others)];
  return [
    ...dependencies.map((one) => toFinding(DEPENDENCIES_CHANGED, one, READ)),
    ...missed.slice(0, MOST_MISSED).map((one) => toFinding(IGNORED_CHANGED, one, MISSED)),
  ];
}

const READ = "files that git ignores were made or changed since the start, and the run read them";
const MISSED =
  "git ignores what was made or changed here since the start; the commands pass with it, and fail in a clean checkout, which has nothing of it";
/** Each is a question of its own (guessed). */
const MOST_MISSED = 10;

/** What no code of a project reads: files of the program, of editors and systems, logs, and counts of earlier runs. */
const NEVER_READ =
  /(?:^|\/)\.code-intel(?:\/|$)|(?:^|\/)(?:\.coverage(?:\..*)?|htmlcov|coverage|\.hypothesis|\.DS_Store|Thumbs\.db|\.idea|\.vscode|\.vs)\/?$|\.(?:log|swp)$/;

/** What is ignored beside the folders that are lent, and beside the program's own files. */
function toOthers(ignored: readonly string[], lent: readonly string[]): readonly string[] {
  return ignored.map((path) => path.replace(/\/$/, ""))
    .filter((path) => !lent.includes(path) && !NEVER_READ.test(path));
}

function toFinding(
  kind: string,
  { folder, files, examples }: ChangedDependencies,
  why: string,
): TestFinding {
  const more = files > examples.length ? ` and ${files - examples.length} more` : "";
  return {
    id: `${kind} ${folder}`,
    what: `${why}: ${examples.join(", ")}${more}`.slice(0, 1_000),
  };
}
