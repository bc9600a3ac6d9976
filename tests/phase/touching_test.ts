/** Which rules and constraints are shown over a plan, by rows of rules. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { toTouching } from "../../src/phase/touching.ts";
import { toTask } from "./samples.ts";

const TASK = {
  ...toTask("task_1"),
  description: "Lock the login",
  checklist: [{ item: "Count failures in src/auth/login.ts", status: "pending" as const }],
};

const ROWS: readonly (readonly [rule: string, isShown: boolean])[] = [
  ["Services own business logic", true],
  ["Everything in src/auth/ is audited", true],
  ["src/auth/** has no default export", true],
  ["login.ts stays below 200 lines", true],
  ["*.ts files begin with a comment", true],
  ["*.css files use variables", false],
  ["Pages in src/ui/ have a title", false],
  ["report.py prints UTC", false],
  ["Short names, e.g. in 2.x, are spelled out (i.e. whole words)", true],
  ["Avoid ternary expressions (x if cond else y): use an explicit if/else block.", true],
  ["open(paths ...string) io.Writer is the signature, and io.close() is deferred", true],
];

for (const [rule, isShown] of ROWS) {
  Deno.test(`toTouching() ${isShown ? "shows" : "leaves out"} "${rule}"`, () => {
    const rules = [{ rule, source: "docs/rules.md:1" }];
    const slots = {
      target_feature: null,
      trigger_condition: null,
      observed_issue: null,
      desired_action: null,
    };
    const frame = { actionType: null, slots, targetSymbols: [], scope: null, constraints: [rule] };
    deepEqual(
      toTouching({ rules, tasks: [TASK], frame }),
      isShown
        ? { mandatory_rules: rules, constraints: [rule] }
        : { rules_of_other_files: [`${rule} (docs/rules.md:1)`] },
    );
  });
}

Deno.test("toTouching() shows the first words of what other files are to follow, and counts the rest", () => {
  const rules = Array.from({ length: 8 }, (_, at) => ({
    rule: `other${at}.py has one sentence for each of its exported functions and classes`,
    source: `docs/a.md:${at + 1}`,
  }));
  const { rules_of_other_files: shown } = toTouching({ rules, frame: null, tasks: [TASK] }) as {
    readonly rules_of_other_files: readonly unknown[];
  };
  deepEqual(shown.map(String).filter((_, at) => at === 0 || at > 5), [
    "other0.py has one sentence for each of its exported functio… (docs/a.md:1)",
    "2 more: get_session_status has all.",
  ]);
});

Deno.test("toTouching() leaves out a rule that the request changes", () => {
  const rules = [{ rule: "Names end in ts", source: "docs/a.md:1", toChange: true as const }];
  deepEqual(toTouching({ rules, frame: null, tasks: [TASK] }), {});
});
