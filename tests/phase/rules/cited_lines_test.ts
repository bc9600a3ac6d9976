/** Rules that are cited at step 3, and corrected beside later payloads. */
import { deepStrictEqual as deepEqual, match } from "node:assert/strict";
import { keepBinding } from "../../../src/phase/stage_block.ts";
import { accept, PAYLOAD, submit, toRefusal, toState } from "../samples.ts";

Deno.test("documentResearch() quotes cited lines back, leaves blank ones out, and keeps rules that change apart", () => {
  const sources = ["docs/auth.md:1", "docs/auth.md:2"];
  const payload = {
    ...PAYLOAD.DOCUMENT_RESEARCH,
    mandatory_rules: sources.map((source) => ({
      rule: "x",
      source,
      to_change: source === sources[1],
    })),
  };
  const judge = (second: string) => {
    const cited = { "docs/auth.md:1": "Services own logic", "docs/auth.md:2": second };
    return submit(toState("DOCUMENT_RESEARCH"), payload, { facts: { cited } });
  };
  const blank = accept(judge(" "));
  deepEqual(blank.state.rules, [{ rule: "x", source: "docs/auth.md:1" }]);
  match(
    JSON.stringify(blank.reply.left_out),
    /docs\/auth\.md:2 is blank: no rule stands there\. Name the lines that say the rule\. docs\/auth\.md:1 says \\"Services own logic\\"/,
  );
  const { state, reply } = accept(judge("No cookies"));
  deepEqual(reply.cited_lines, {
    "docs/auth.md:1": "Services own logic",
    "docs/auth.md:2": "No cookies",
  });
  deepEqual(state.rules, [
    { rule: "x", source: "docs/auth.md:1" },
    { rule: "x", source: "docs/auth.md:2", toChange: true },
  ]);
  const better = { "docs/auth.md:1": { source: "docs/auth.md:9", text: "x and y" } };
  const cited = { "docs/auth.md:1": "Services own logic", "docs/auth.md:2": "x" };
  const pointed = accept(
    submit(toState("DOCUMENT_RESEARCH"), payload, { facts: { cited, better } }),
  );
  match(
    JSON.stringify(pointed.reply.cited_lines),
    /own logic … Perhaps docs\/auth\.md:9: \\"x and/,
  );
  match(String(reply.correct_by), /mandatory_rules beside the next payload/);
  deepEqual(keepBinding(state.rules), [{ rule: "x", source: "docs/auth.md:1" }]);
});

Deno.test("a rule that was cited wrongly is corrected beside a later payload, and none goes away by it", () => {
  const state = {
    ...toState("Q1"),
    rules: [{ rule: "Services own logic.", source: "docs/auth.md:1", toChange: true as const }],
  };
  const paths = { "docs/auth.md": "file", "docs/api.md": "file" } as const;
  const send = (...rows: readonly (readonly [rule: string, source: string])[]) =>
    submit(state, {
      ...PAYLOAD.Q1,
      mandatory_rules: rows.map(([rule, source]) => ({ rule, source })),
    }, {
      facts: {
        paths,
        lines: { "docs/auth.md": 20, "docs/api.md": 20 },
        cited: { "docs/auth.md:12": "Services own logic", "docs/api.md:3": "" },
      },
    });
  const corrected = accept(
    send(["services own logic", "docs/auth.md:12"], ["No cookies", "docs/api.md"]),
  );
  deepEqual(corrected.state.rules, [
    { rule: "Services own logic.", source: "docs/auth.md:12", toChange: true },
    { rule: "No cookies", source: "docs/api.md" },
  ]);
  deepEqual([corrected.reply.rules_cited, corrected.reply.ignored_fields], [2, undefined]);
  deepEqual(toRefusal(send(["x", "docs/api.md:3"], ["y", "docs/auth.md:99"])), [
    "rule_not_there data.mandatory_rules[0].source",
    "line_out_of_range data.mandatory_rules[1].source",
  ]);
  const half = accept(send(["x", "docs/api.md:3"], ["Services own logic", "docs/auth.md:12"]));
  deepEqual(half.state.rules.length, 1);
  match(String(half.reply.left_out), /docs\/api\.md:3 is blank/);
});

Deno.test("documentResearch() takes the line beside a blank one that says the rule, and quotes no line that says it", () => {
  const rule = "Test files follow the naming convention *_test.go";
  const judge = (text: string) =>
    submit(
      toState("DOCUMENT_RESEARCH"),
      { ...PAYLOAD.DOCUMENT_RESEARCH, mandatory_rules: [{ rule, source: "docs/auth.md:2" }] },
      {
        facts: {
          cited: { "docs/auth.md:2": "" },
          nearby: { "docs/auth.md:2": [{ source: "docs/auth.md:3", text }] },
        },
      },
    );
  deepEqual(toRefusal(judge("Cookies are never set")), [
    "rule_not_there data.mandatory_rules[0].source",
  ]);
  const meant = accept(judge("- Test files follow `*_test.go` naming convention"));
  deepEqual(meant.state.rules, [{ rule, source: "docs/auth.md:3" }]);
});

const SECTION = ["## Fees", "", "A late loan costs at most ten fees.", "Use cents."];

for (
  const [rule, section, isRefused] of [
    ["Each function returns a Result", SECTION, true],
    ["Fees are logged in the audit table", ["## Fees", ""], true],
    ["A loan that is late costs ten fees at most", SECTION, false],
    ["Use cents", SECTION, false],
    ["Do not use an ORM", ["## Do not use an ORM"], false],
    ["No ORM: do not use an ORM for reports", ["## Do not use an ORM"], false],
    ["料金はセントで書く", ["## Fees"], false],
  ] as const
) {
  Deno.test(`a rule cited from a heading is ${isRefused ? "refused" : "taken"}: ${rule}`, () => {
    const source = "docs/auth.md:1";
    const payload = { ...PAYLOAD.DOCUMENT_RESEARCH, mandatory_rules: [{ rule, source }] };
    const facts = { cited: { [source]: section[0] }, sections: { [source]: section } };
    const judged = submit(toState("DOCUMENT_RESEARCH"), payload, { facts });
    if (isRefused) deepEqual(toRefusal(judged), ["rule_not_there data.mandatory_rules[0].source"]);
    else accept(judged);
  });
}
