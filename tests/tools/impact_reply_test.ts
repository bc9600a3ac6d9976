/** The reply of an analysis of impact: what comes first, what is left out for the budget, and how it goes on. */
import { NO_OTHERS } from "../../src/services/other_repositories.ts";
import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import type { AffectedFile } from "../../src/impact/affected.ts";
import type { ImpactFound } from "../../src/impact/analyze.ts";
import { measureJson } from "../../src/base/text/json_record.ts";
import type { ImpactReplyOptions } from "../../src/tools/impact_reply.ts";
import type { Reply } from "../../src/base/reply.ts";
import { addCoverage } from "../../src/tools/fit.ts";
import { buildImpactReply } from "../../src/tools/impact_reply.ts";

function file(path: string, isMust: boolean): AffectedFile {
  const edge = { path, kind: "call", confidence: isMust ? "resolved" : "name", depth: 1 } as const;
  return {
    path,
    isMust,
    isTest: false,
    reasons: [],
    edges: [3, 5, 7, 9].map((line) => ({ ...edge, line, symbol: "Auth.login", within: "go" })),
  };
}

function found(files: readonly AffectedFile[], rest: Partial<ImpactFound> = {}): ImpactFound {
  return {
    kind: "found",
    seeds: { symbols: [], files: [] },
    mode: "standard",
    targets: [{ path: "src/auth.ts", scope: "whole", symbols: ["Auth", "Auth.login"] }],
    files,
    likely: [],
    company: [],
    hasPast: false,
    own: [{
      path: "src/auth.ts",
      line: 7,
      kind: "call",
      confidence: "resolved",
      depth: 1,
      symbol: "Auth.login",
      through: "Base.login",
    }],
    lines: new Map(
      files.map(({ path }) => [path, Array.from({ length: 9 }, (_, at) => `line ${at + 1}`)]),
    ),
    tests: ["tests/auth_test.ts"],
    testProofs: [{ file: "tests/auth_test.ts", proof: "name" }],
    seen: null,
    testRun: { command: "deno test tests/auth_test.ts", from: ["unit"] },
    naming: { tests: [], factories: [], seeders: [] },
    documents: [],
    keywords: [],
    crossReferences: { htmlFiles: [], cssFiles: [], jsFiles: [] },
    unresolved: 2,
    unfollowed: [],
    isProven: false,
    notices: [],
    freshness: {
      files: 1,
      pending: 0,
      chunks: 1,
      embedded: 0,
      ready: "lexical",
      vectorsLeft: 0,
      checkedAt: "2026-01-01T00:00:00.000Z",
      revision: 0,
    },
    ...rest,
  };
}

const OPTIONS: ImpactReplyOptions = {
  maxBytes: 16 * 1024,
  arguments: { target_files: ["src/auth.ts"] },
  offset: 0,
  maxResults: 400,
  depth: 2,
  other: NO_OTHERS,
  session: {},
  isEnforced: false,
};

type Fields = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

Deno.test("buildImpactReply() shows what must be verified, the tests, and each place with kind and confidence", () => {
  const { reply, shown } = buildImpactReply(
    found([file("src/a.ts", true), file("src/b.ts", false)]),
    OPTIONS,
  );
  const fields = reply as unknown as Fields;
  deepEqual(fields["confirmation_required"]?.["must_verify"], ["src/a.ts"]);
  deepEqual(fields["confirmation_required"]?.["should_verify"], ["src/b.ts"]);
  deepEqual(fields["affected_tests"], {
    total: 1,
    command: "deno test tests/auth_test.ts",
    command_of: ["verify unit"],
  });
  const { callers, same_file: own } = fields["impact_analysis"]?.["static_references"] as {
    callers: unknown[];
    same_file: unknown[];
  };
  deepEqual(own, ["src/auth.ts:7 call Auth.login (through Base.login)"]);
  equal(callers.length, 6, "three places a file");
  deepEqual([callers[0], callers[3]], [
    "src/a.ts:3 call Auth.login in go: line 3",
    "src/b.ts:3 call Auth.login in go (name): line 3",
  ]);
  deepEqual(shown, [{ path: "src/a.ts", symbols: ["login"] }, {
    path: "src/b.ts",
    symbols: ["login"],
  }]);
  equal(reply["truncated"], undefined);
});

Deno.test("buildImpactReply() does not call a target unused that another repository uses", () => {
  const others = [{ repository: "shop", root: "../shop", total: 2, places: [] }];
  const toStep = (other: ImpactReplyOptions["other"]) =>
    String(buildImpactReply(found([]), { ...OPTIONS, other }).reply["next_steps"]);
  ok(toStep(NO_OTHERS).startsWith("Nothing certainly depends on the targets."));
  const used = toStep({ others, notices: [] });
  ok(used.startsWith("Nothing here certainly depends on the targets; other_repositories names"));
});

Deno.test("buildImpactReply() leaves out places before files, and goes on with the next ones", () => {
  const many = Array.from({ length: 400 }, (_, at) => file(`src/folder/file_${at}.ts`, at < 300));
  for (const maxBytes of [1024, 4 * 1024, 16 * 1024]) {
    const seen: string[] = [];
    let offset = 0;
    for (let page = 0; page < 500 && offset < many.length; page++) {
      const { reply } = buildImpactReply(found(many), { ...OPTIONS, maxBytes, offset });
      if (maxBytes > 2_000) {
        ok(measureJson(reply) <= maxBytes, `${measureJson(reply)} of ${maxBytes}`);
      }
      const lists = (reply as unknown as Fields)["confirmation_required"] ?? {};
      const paths = [...lists["must_verify"] as string[], ...lists["should_verify"] as string[]];
      ok(paths.length > 0);
      seen.push(...paths);
      equal(reply["must_verify_total"], 300);
      const next = (reply["truncated"] as Fields | undefined)?.["next"];
      offset = next === undefined
        ? many.length
        : Number((next["arguments"] as Readonly<Record<string, unknown>>)["offset"]);
    }
    deepEqual(seen, many.map(({ path }) => path));
  }
});

Deno.test("buildImpactReply() says the next call: in step 11 the decisions, for files to come an empty list", () => {
  const steps = (rest: Partial<ImpactFound>, isEnforced: boolean) =>
    (buildImpactReply(found([file("src/a.ts", true)], rest), { ...OPTIONS, isEnforced })
      .reply["next_steps"] as string[]).join(" ");
  ok(steps({}, true).includes("submit_phase with impact_summary"));
  ok(!steps({}, false).includes("submit_phase"));
  ok(steps({}, false).includes("affected_tests.command"));
  const fresh = { targets: [{ path: "new.ts", scope: "new" as const, symbols: [] }], files: [] };
  ok(steps(fresh, true).includes('{"decisions": []}'));
});

Deno.test("buildImpactReply() names likely changes with their reasons, and users in a group once", () => {
  const files = [
    file("src/a.ts", true),
    file("src/c.ts", false),
    ...["x", "y"].map((name) => ({ ...file(`src/${name}.ts`, true), group: "other users" })),
  ];
  const likely = [0.5, 0.005].map((share, at) => ({
    path: `src/${at}.ts`,
    share,
    reasons: ["3 of 4 commits", "its test"],
    features: {},
  }));
  const { reply } = buildImpactReply(found(files, { likely, hasPast: true }), {
    ...OPTIONS,
    isEnforced: true,
  });
  const fields = reply as unknown as Fields;
  deepEqual(fields["likely_changes"], [{ file: "src/0.ts", why: "3 of 4 commits; its test" }]);
  deepEqual(fields["confirmation_required"]?.["must_verify"], ["src/a.ts"]);
  deepEqual(fields["confirmation_required"]?.["must_verify_groups"], [{
    path: "other users",
    total: 2,
    files: ["src/x.ts", "src/y.ts"],
    decide: "once for all, by this path",
  }]);
  deepEqual(fields["confirmation_required"]?.["should_verify"], ["src/c.ts"]);
  ok(JSON.stringify(reply).includes("every group of must_verify_groups"));
  const young = buildImpactReply(found(files, { likely }), OPTIONS).reply;
  equal("likely_changes" in young, false);
});

Deno.test("buildImpactReply() says what was not found, and not that nothing depends on it", () => {
  const targets = [{ path: "lib/cart.py", scope: "new" as const, symbols: [] }];
  const { reply } = buildImpactReply(
    found([], { targets, notices: ["Perhaps"], unresolved: 0 }),
    OPTIONS,
  );
  const told = addCoverage(reply, "main");
  deepEqual([told.ok && told["answer"], told.ok && told["notices"]], [
    "unknown",
    ["Not found in the project: lib/cart.py.", "Perhaps"],
  ]);
  match(String(reply["next_steps"]), /^What was not found is still to be made, or its path is /);
});

Deno.test("buildImpactReply() said that nothing depends on targets of a language that nothing follows", () => {
  const notices = ["Nim: no grammar", "b"];
  const unseen = { unfollowed: ["Nim"], notices, unresolved: 0 };
  const none = addCoverage(buildImpactReply(found([], unseen), OPTIONS).reply, "main");
  deepEqual([none.ok && none["answer"], none.ok && none["notices"]], ["unknown", notices]);
  const steps = (reply: Reply) => String(reply.ok && reply["next_steps"]);
  match(steps(none), /not known \(Nim\); search the text/);
  const some = addCoverage(
    buildImpactReply(found([file("a.md", false)], unseen), OPTIONS).reply,
    "main",
  );
  equal(some.ok && some["answer"], "partial");
  match(steps(some), /not known \(Nim\); look at should_verify, and search the text/);
  // The last page of a small budget had no notice, and was called complete.
  const files = Array.from({ length: 40 }, (_, at) => file(`src/${at}.ts`, true));
  const last = buildImpactReply(found(files, unseen), { ...OPTIONS, offset: 39, maxBytes: 100 });
  equal(JSON.stringify(last.reply).includes("Nim: no grammar"), true);
});
