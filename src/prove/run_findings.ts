/** Says what a run of commands found: what fails by the change, and tests that do not run any more. */
import type { RunVerdict } from "../evidence/runs/judge_run.ts";
import type { MovedTest } from "../evidence/tests/moved_tests.ts";
import { compileTitle } from "../phase/contract/named_tests.ts";

/** What a run found, as a finding of a proof. */
type RunFinding = Readonly<Record<"place" | "what" | "settle", string>> & {
  readonly check: "nearest" | "commands";
  readonly weight: "breaks" | "doubts" | "notes";
};

/** The findings of a run; tests that moved are no loss, and those of code that is gone are a note. */
export function listRunFindings(
  check: RunFinding["check"],
  run: { readonly verdict: RunVerdict; readonly onlyHere?: string } | undefined,
  moved: readonly MovedTest[] = [],
): readonly RunFinding[] {
  if (run === undefined) return [];
  const here: RunFinding[] = run.onlyHere === undefined ? [] : [{
    check,
    weight: "doubts",
    place: "",
    what: `works only in this worktree: ${run.onlyHere}`,
    settle: "Commit what it needs, or let it do without.",
  }];
  const found = run.verdict.commands.flatMap((command) => {
    const { name, verdict, failures, freshCount, why, lost } = command;
    const gone = lost.flatMap(({ kind, tests }) => {
      const how = (test: string) => moved.find(({ block }) => isNamedLast(test, block.name))?.how;
      const report = (weight: "doubts" | "notes", these: readonly string[]): RunFinding[] =>
        these.length === 0 ? [] : [{
          ...{ check, weight, place: name },
          what: `${kind === "skipped" ? "tests are skipped now" : "tests do not run any more"}: ${
            these.slice(0, 5).join(", ")
          }`,
          settle: weight === "notes"
            ? "What they called is gone too."
            : "Let them run again, or say why they had to go.",
        }];
      return [
        ...report("doubts", tests.filter((test) => how(test) === undefined)),
        ...report("notes", tests.filter((test) => how(test) === "left")),
      ];
    });
    if (verdict !== "failed") return gone;
    const named = failures.slice(0, freshCount).slice(0, 5).map(({ name, line }): RunFinding => ({
      check,
      weight: "breaks",
      place: name,
      what: `fails with the change and not without it${line === "" ? "" : `: ${line}`}`,
      settle: "Mend the change, or find out whether the test is wrong and say how you know.",
    }));
    const whole: RunFinding = {
      check,
      weight: "breaks",
      place: name,
      what: why === "" ? "fails with the change" : `fails with the change: ${why}`,
      settle: `Run it: ${name}.`,
    };
    return [...(named.length > 0 ? named : [whole]), ...gone];
  });
  return [...here, ...found];
}

/** Whether a runner names a test of this title, with or without the values of its case. */
function isNamedLast(test: string, title: string | null): boolean {
  return title !== null && compileTitle(title, "(?:\\W*$|[[(].*$)").test(test);
}
