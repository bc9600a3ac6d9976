/** Decides from what was found whether a change is proven. Pure. */
import type { LocatedResults } from "../evidence/runs/verification.ts";
import type { RunVerdict } from "../evidence/runs/judge_run.ts";
import type { MovedTest } from "../evidence/tests/moved_tests.ts";
import type { ServerRunMutants, ServerRunProof, TestFinding } from "../phase/check_findings.ts";
import { formatCount } from "../base/text/plain_text.ts";
import type { NameProof } from "./hollow_run.ts";
import { listRunFindings } from "./run_findings.ts";
import type { FormFinding } from "./test_forms.ts";

/** What is said of a change as a whole. */
export type VerdictKind = "proven" | "not proven" | "broken" | "unknown";

/** The exit code of a command for each. */
export const VERDICT_EXITS = { "proven": 0, "not proven": 1, "broken": 2, "unknown": 3 } as const;

/** What each check looks at, in the order in which they run, the cheapest first. */
export const CHECKS = {
  diff: "what the change itself shows: secrets, leftovers, weaker and removed tests",
  nearest: "the nearest tests",
  changed_tests: "the changed tests on the sources of before",
  commands: "the project's commands",
  wrong_versions: "small wrong versions of the changed lines",
} as const;

/** The name of a check. */
export type CheckName = keyof typeof CHECKS;

/** What became of a check. */
export interface CheckState {
  readonly name: CheckName;
  /** `needless`: there was nothing for it to look at; `skipped`: the verdict was sure, or the time was up. */
  readonly state: "done" | "needless" | "skipped" | "failed";
  readonly seconds: number;
  /** Why it was not done, or what its checkout had beside the tree, as the end of a sentence; else empty. */
  readonly why: string;
}

/** One thing that was found. */
export interface ProofFinding {
  readonly check: CheckName;
  /** `breaks`: the work is wrong; `doubts`: it may be right, and this does not show it; `notes`: worth a look. */
  readonly weight: "breaks" | "doubts" | "notes";
  /** File, with `:line` where it is known, relative to the project; empty for the change as a whole. */
  readonly place: string;
  readonly what: string;
  /** What would settle it. */
  readonly settle: string;
  /** True for what must not be committed, whatever anybody says of it. */
  readonly isDamage?: true;
  /** What was said to it. */
  readonly answer?: GivenAnswer;
}

/** What somebody said to a finding. */
export interface GivenAnswer {
  readonly reason: string;
  /** A person who typed it at a terminal, or a program. */
  readonly by: "person" | "agent";
  /** ISO time. */
  readonly at: string;
}

/** The run of commands on the change, beside the same on the tree of before. */
export interface JudgedRun extends LocatedResults {
  readonly verdict: RunVerdict;
  /** Tests that ran. */
  readonly ran: number;
  /** What a clean checkout says, where it fails by the change and passes in the worktree. */
  readonly onlyHere?: string;
}

/** What the checks learned; absent members were not looked at. */
export interface ProofFacts {
  /** Whether both trees are the same. */
  readonly isEmpty: boolean;
  /** Whether anything but tests and documents changed. */
  readonly hasSources: boolean;
  /** Whether sources changed in nothing that runs. */
  readonly isInert?: boolean;
  readonly leftovers?: readonly LeftoverFact[];
  readonly weakened?: readonly TestFinding[];
  /** Tests that stand elsewhere now, or whose code is gone with them. */
  readonly moved?: readonly MovedTest[];
  /** Variables that steer runners, and are set. */
  readonly steering?: readonly string[];
  readonly forms?: readonly FormFinding[];
  readonly nearest?: JudgedRun;
  readonly commands?: JudgedRun;
  readonly changedTests?: ServerRunProof;
  /** Those of them that fail in another order without `CI`, and pass else. */
  readonly unsteady?: readonly string[];
  /** Those of them that fail without the change only since a name is missing there. */
  readonly missing?: NameProof;
  readonly wrongVersions?: ServerRunMutants;
}

/** Something that was left behind, as `Leftover` has it. */
export interface LeftoverFact {
  readonly id: string;
  readonly path: string;
  readonly what: string;
}

/** The answer about a change. */
export interface Proof {
  readonly verdict: VerdictKind;
  /** One line for a transcript, at most 300 characters. */
  readonly line: string;
  readonly findings: readonly ProofFinding[];
  readonly checks: readonly CheckState[];
}

const LINE_CHARS = 300;
/** Leftovers that must not be committed, whatever anybody says of them. */
const DAMAGE = /^(?:secret|conflict_marker) /;

/** Everything that was found, the worst first. */
export function listFindings(facts: ProofFacts): readonly ProofFinding[] {
  const found = [
    ...listDiffFindings(facts),
    ...listRunFindings("nearest", facts.nearest, facts.moved),
    ...listRunFindings("commands", facts.commands, facts.moved),
    ...listTestFindings(facts),
    ...listNameFindings(facts),
    ...(facts.unsteady ?? []).map((test): ProofFinding => ({
      ...{ check: "changed_tests", weight: "doubts", place: test } as const,
      what: "passes, and fails in another order with CI unset",
      settle: "Let it make by itself what it needs, whatever ran before and wherever it runs.",
    })),
    ...listSurvivors(facts.wrongVersions),
    ...(facts.steering ?? []).map((variable): ProofFinding => ({
      ...{ check: "commands", weight: "notes", place: variable } as const,
      what: "is set, and changes what test runners do",
      settle: "Unset it: what passes then counts elsewhere too, and can be stated.",
    })),
  ];
  const order = ["breaks", "doubts", "notes"];
  return found.toSorted((a, b) => order.indexOf(a.weight) - order.indexOf(b.weight));
}

/** From this share of unnoticed wrong versions on the tests say too little, from a fourth where they are several. */
const DOUBTFUL_SHARE = 1 / 3;
/** The same for those by which no test could tell both versions apart, such as a bound that none meets. */
const UNMET_SHARE = 1 / 20;

function listSurvivors(versions: ServerRunMutants | undefined): readonly ProofFinding[] {
  const { survivors = [], killed = 0 } = versions ?? {};
  const open = survivors.filter(({ isMet }) => isMet !== true);
  const unmet = open.filter(({ isMet }) => isMet === false);
  const tried = killed + open.length;
  const isDoubtful = open.length >= Math.min(tried * DOUBTFUL_SHARE, Math.max(3, tried / 4)) ||
    unmet.length >= tried * UNMET_SHARE || unmet.some(({ isPart }) => isPart);
  return survivors.map(({ path, line, change, isMet }) => ({
    check: "wrong_versions",
    weight: isDoubtful && isMet !== true ? "doubts" : "notes",
    place: `${path}:${line}`,
    what: `no test fails with ${change}`,
    settle: "Add an assertion that fails with it, or say why both are right.",
  }));
}

/** The forms that count: some only where their test passes without the work. */
export function listForms(facts: ProofFacts): readonly FormFinding[] {
  const passing = new Set(readTestProof(facts)?.nothing);
  return (facts.forms ?? []).filter(({ isOfPassing, place }) =>
    isOfPassing !== true || passing.has(place)
  );
}

/** What the changed tests prove in all: those that pass with functions that do nothing prove as little. */
export function readTestProof(facts: ProofFacts): ServerRunProof | undefined {
  const { changedTests, missing } = facts;
  if (changedTests === undefined) return undefined;
  const { hollow = "" } = missing ?? {};
  const isOpen = missing !== undefined && typeof hollow === "string";
  return {
    ...changedTests,
    nothing: [...changedTests.nothing, ...typeof hollow === "string" ? [] : hollow.passing],
    proving: countProving(facts),
    unknown: changedTests.unknown ??
      (isOpen
        ? `${
          formatCount(missing.tests.length, "changed test")
        } fail without the change only since ${
          formatNames(missing)
        } is missing there: this proves that the name is new, not what it does (${hollow})`
        : null),
  };
}

function formatNames({ names }: NameProof): string {
  return names.length === 0 ? "a name" : names.join(", ");
}

function listDiffFindings(facts: ProofFacts): readonly ProofFinding[] {
  const { leftovers = [], weakened = [] } = facts;
  return [
    ...leftovers.map(({ id, path, what }): ProofFinding => ({
      check: "diff",
      weight: DAMAGE.test(id) ? "doubts" : "notes",
      place: id.slice(id.indexOf(" ") + 1) || path,
      what: `looks left behind: ${what}`,
      settle: "Take it out, or leave it where it is meant.",
      ...(DAMAGE.test(id) ? { isDamage: true } : {}),
    })),
    ...weakened.map(({ id, what }): ProofFinding => ({
      check: "diff",
      weight: "doubts",
      place: id.slice(id.indexOf(" ") + 1),
      what,
      settle:
        "Either the test or the code may be wrong: find out which, and say how you know. Put the test back where it was right.",
    })),
    ...listForms(facts).map(({ place, what, settle }): ProofFinding => ({
      ...{ check: "diff", weight: "doubts" } as const,
      ...{ place, what, settle },
    })),
  ];
}

/** Beside a test that shows the change, one that passes without it may guard what has to stay: nothing is said of it. */
function listTestFindings(facts: ProofFacts): readonly ProofFinding[] {
  if (countProving(facts) > 0 || areNoticed(facts)) return [];
  return (facts.changedTests?.nothing ?? []).map((test): ProofFinding => ({
    check: "changed_tests",
    weight: "doubts",
    place: test,
    what: "passes without the change too",
    settle: "Let it assert what the change alone makes true.",
  }));
}

/** Where no test fails without the change, tests have to notice this share of its wrong versions (guessed). */
const NOTICED_SHARE = 0.9;

/** Whether tests notice wrong versions of the change, as they do where it leaves behaviour as it is. */
function areNoticed({ wrongVersions }: ProofFacts): boolean {
  const { total = 0, killed = 0, unknown = null, survivors = [] } = wrongVersions ?? {};
  const equal = survivors.filter(({ isMet }) => isMet === true).length;
  return unknown === null && killed > 0 && killed >= (total - equal) * NOTICED_SHARE;
}

/** Checks that may be passed over: they find no damage, and where changed tests prove the change it stands without them. */
export const MAY_BE_RARE: ReadonlySet<string> = new Set(["wrong_versions"] satisfies CheckName[]);
/** Why a check was not begun or not ended, where nothing else kept it. */
export const TIME_IS_UP = "the time is up";
/** Why a check that has paid too seldom was passed over. */
export const IS_RARE = "it has not paid here in 30 runs, so it runs once in ten";

/** Tests of the change that show what it does: those that only need a new name are none. */
export function countProving({ changedTests, missing }: ProofFacts): number {
  const proving = changedTests?.proving ?? 0;
  if (missing === undefined) return proving;
  const { hollow, tests } = missing;
  return proving - (typeof hollow === "string" ? tests.length : hollow.passing.length);
}

function listNameFindings(facts: ProofFacts): readonly ProofFinding[] {
  if (facts.missing === undefined) return [];
  const { hollow, tests } = facts.missing;
  const weight = countProving(facts) === 0 ? "doubts" : "notes";
  if (typeof hollow !== "string") {
    return hollow.passing.map((test) => ({
      check: "changed_tests",
      weight,
      place: test,
      what: `passes with a version of ${hollow.functions.join(", ")} that does nothing`,
      settle: "Let it assert a result that only the work gives.",
    }));
  }
  const name = formatNames(facts.missing);
  return tests.map((test) => ({
    check: "changed_tests",
    weight: "notes",
    place: test,
    what:
      `fails without the change only since ${name} is missing there: it proves that the name is new, not what it does (${hollow})`,
    settle: "Let it assert what the new code gives back or does.",
  }));
}

/** The verdict, and why, as the end of a sentence. */
export function decideVerdict(
  facts: ProofFacts,
  findings: readonly ProofFinding[],
): { readonly verdict: VerdictKind; readonly why: string } {
  const [worst] = findings;
  if (worst !== undefined && worst.weight !== "notes") {
    const more = findings.filter(({ weight }) => weight === worst.weight).length - 1;
    return {
      verdict: worst.weight === "breaks" ? "broken" : "not proven",
      why: `${worst.place === "" ? "" : `${worst.place} `}${worst.what}${
        more === 0 ? "" : ` (and ${more} more)`
      }`,
    };
  }
  const run = facts.commands ?? facts.nearest;
  if (facts.isEmpty) return { verdict: "unknown", why: "nothing changed" };
  const idle = facts.isInert ? "nothing that runs changed" : "no code changed beside tests";
  if (!facts.hasSources) return { verdict: "unknown", why: idle };
  if (run === undefined) return { verdict: "unknown", why: "no command ran" };
  const { verdict } = run.verdict;
  if (verdict === "incomplete" || verdict === "unproven") {
    const why = run.verdict.commands.find((one) => one.why !== "")?.why ?? "";
    return { verdict: "unknown", why: why === "" ? "the commands came to no result" : why };
  }
  if (run.ran === 0) return { verdict: "unknown", why: "no test ran" };
  return decideTests(facts, run);
}

/** What the tests show of a change with which nothing new fails. */
function decideTests(
  facts: ProofFacts,
  run: JudgedRun,
): { readonly verdict: VerdictKind; readonly why: string } {
  const { changedTests, wrongVersions, commands, missing } = facts;
  const count = countProving(facts);
  const ran = `${formatCount(run.ran, "test")} ran, nothing new fails${
    run.verdict.verdict === "still_red" ? " (what fails failed before)" : ""
  }`;
  const scope = commands === undefined ? "; only the nearest tests were run" : "";
  const { total = 0, killed: noticed = 0, unknown = null } = wrongVersions ?? {};
  const killed = unknown !== null
    ? `; not all wrong versions were tried: ${unknown}`
    : total === 0
    ? ""
    : `, ${noticed} of ${total} wrong versions are noticed`;
  if (count > 0) {
    const proving = `${formatCount(count, "changed test")} fail${count === 1 ? "s" : ""} without ${
      missing === undefined ? "the change" : "what the change does"
    }`;
    return { verdict: "proven", why: `${ran}, ${proving}${killed}${scope}` };
  }
  if (areNoticed(facts)) {
    return { verdict: "proven", why: `${ran}${killed}${scope}` };
  }
  const onlyNames = missing === undefined
    ? null
    : "the changed tests prove that a name is new, not what it does";
  const open = changedTests?.unknown ?? wrongVersions?.unknown ?? onlyNames;
  return {
    verdict: open === null ? "not proven" : "unknown",
    why: open === null
      ? `${ran}, and no test is known to fail without the change${scope}`
      : `${ran}; ${open}`,
  };
}

/** One line of the verdict; what is too long is cut. */
export function formatVerdict(verdict: VerdictKind, why: string): string {
  const line = `${verdict}: ${why}`.replaceAll(/\s+/g, " ").trim();
  return line.length <= LINE_CHARS ? line : `${line.slice(0, LINE_CHARS - 1)}…`;
}

/** Puts the answer together. */
export function buildProof(facts: ProofFacts, checks: readonly CheckState[]): Proof {
  const findings = listFindings(facts);
  const { verdict, why } = decideVerdict(facts, findings);
  const open = facts.isEmpty
    ? []
    : checks.filter(({ state }) => state === "skipped" || state === "failed");
  const listed = (title: string, list: readonly CheckState[]) =>
    list.length === 0
      ? ""
      : `; ${title}: ${list.map(({ name }) => name.replaceAll("_", " ")).join(", ")}`;
  const late = open.some(({ why }) => why === TIME_IS_UP) ? `${TIME_IS_UP}, ` : "";
  const left = listed(`${late}not reached`, open.filter(({ why }) => why !== IS_RARE)) +
    listed("once in ten here, not now", open.filter(({ why }) => why === IS_RARE));
  return { verdict, line: formatVerdict(verdict, `${why}${left}`), findings, checks };
}
