/** Which symbols of a session count as confirmed. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import type { ChangedSymbol } from "../../../src/workflow/context/learning.ts";
import { confirmTerm, isLearnable, keyOfSymbol } from "../../../src/features/learning/confirm.ts";
import type { SessionState } from "../../../src/phase/state.ts";
import type { CallEntry } from "../../../src/session/records.ts";
import { mergedState, sampleCall } from "./samples.ts";

/** A definition of `src/auth.ts` that the diff changed, with its holders. */
function changedAs(name: string, ...holders: readonly string[]): ChangedSymbol {
  return { path: "src/auth.ts", name, holders, isTest: false };
}

const CHANGED = [changedAs("AuthService.login", "AuthService")];

function confirm(
  patch: Partial<SessionState> = {},
  records: readonly CallEntry[] = [sampleCall()],
  { files = ["src/auth.ts"], changed = CHANGED }: {
    readonly files?: readonly string[];
    readonly changed?: readonly ChangedSymbol[];
  } = {},
) {
  const at = "2026-01-31T15:00:00.000Z";
  return confirmTerm({
    state: mergedState(patch),
    records,
    files,
    changed,
    toProject: (path) => path.replace("app/", ""),
    at,
  });
}

Deno.test("confirmTerm() takes target symbols whose shown definition the diff changed", () => {
  const agreement = confirm();
  ok(agreement !== null);
  deepEqual(agreement.terms, ["login form", "form of login"]);
  // `other` was shown too, but the work did not touch it.
  deepEqual([agreement.symbols, agreement.files], [["AuthService.login"], ["src/auth.ts"]]);
  equal(agreement.evidence.length, 1);
  ok(agreement.evidence[0]?.includes("verified (server)"), agreement.evidence[0]);
});

Deno.test("confirmTerm() learns what the diff says: the new function of that name, not the target beside it", () => {
  const frame = mergedState().frame;
  ok(frame !== null);
  const slot = { value: "renewal", quote: "renewal", source: "FACT" } as const;
  const slots = { ...frame.slots, target_feature: slot };
  const patch = { frame: { ...frame, slots, targetSymbols: ["renderLine"] } };
  const calls = [sampleCall({ defines: { "src/auth.ts": ["renderLine"] } })];
  const both = (name: string) => [changedAs("renderLine"), changedAs(name)];
  deepEqual(confirm(patch, calls, { changed: both("renewLoan") })?.symbols, ["renewLoan"]);
  // A name that says no more than the term is found by the words alone.
  equal(confirm(patch, calls, { changed: both("renew") }), null);
  // Without a definition of the word's own, the target that changed is what the word meant.
  deepEqual(confirm(patch, calls, { changed: [changedAs("renderLine")] })?.symbols, ["renderLine"]);
  const test = { ...changedAs("renews"), isTest: true };
  deepEqual(confirm(patch, calls, { changed: [changedAs("renderLine"), test] })?.symbols, [
    "renderLine",
  ]);
});

Deno.test("confirmTerm() reads paths of the records as paths of the project", () => {
  const call = sampleCall({ defines: { "app/src/auth.ts": ["login"] } });
  deepEqual(confirm({}, [call])?.files, ["src/auth.ts"]);
});

Deno.test("confirmTerm() learns nothing without proof, work, verification or words", () => {
  const frame = mergedState().frame;
  ok(frame !== null);
  const verification = mergedState().verification;
  ok(verification !== null);
  const [task] = mergedState().tasks;
  ok(task !== undefined);
  const rows: readonly (readonly [why: string, got: unknown])[] = [
    ["no call showed a definition", confirm({}, [sampleCall({ defines: {} })])],
    ["the call failed", confirm({}, [sampleCall({ ok: false })])],
    ["the work was elsewhere", confirm({}, [sampleCall()], { files: ["src/view.ts"] })],
    ["nothing that is defined was changed", confirm({}, [sampleCall()], { changed: [] })],
    ["abandoned", confirm({ end: "abandoned" })],
    ["failed", confirm({ end: "failed" })],
    ["not over", confirm({ status: "active", end: null })],
    ["not verified", confirm({ verification: null })],
    ["overridden", confirm({ verification: { ...verification, passed: false } })],
    [
      "only the agent says so",
      confirm({ verification: { ...verification, source: "self-reported" } }),
    ],
    [
      "red before the work too",
      confirm({ verification: { ...verification, source: "baseline-red" } }),
    ],
    ["open issues", confirm({ quality: { score: "bad", issues: ["slow"] } })],
    ["no frame", confirm({ frame: null })],
    [
      "no target",
      confirm({ frame: { ...frame, slots: { ...frame.slots, target_feature: null } } }),
    ],
    [
      "nothing done",
      confirm({
        tasks: [{ ...task, checklist: [{ item: "x", status: "skipped", reason: "there" }] }],
      }),
    ],
  ];
  for (const [why, got] of rows) equal(got, null, why);
});

Deno.test("confirmTerm() learns no symbol that the words name already", () => {
  const frame = mergedState().frame;
  ok(frame !== null);
  const learn = (value: string, symbol: string) => {
    const target = { value, quote: value, source: "FACT" } as const;
    const slots = { ...frame.slots, target_feature: target };
    const call = sampleCall({ defines: { "src/auth.ts": [keyOfSymbol(symbol)] } });
    const changed = [changedAs(symbol)];
    return confirm({ frame: { ...frame, slots, targetSymbols: [symbol] } }, [call], { changed })
      ?.symbols;
  };
  const rows = [
    ["get_debug_flag take a default", "get_debug_flag", undefined],
    ["the login form", "LoginForm", undefined],
    ["the login form", "AuthService.login", ["AuthService.login"]],
    ["ログイン", "login", ["login"]],
  ] as const;
  for (const [words, symbol, expected] of rows) deepEqual(learn(words, symbol), expected, words);
});

Deno.test("confirmTerm() takes every proven symbol of the work where one of them says more than the words", () => {
  const frame = mergedState().frame;
  ok(frame !== null);
  const symbols = ["LoginForm", "AuthService.login"];
  const call = sampleCall({ defines: { "src/auth.ts": ["LoginForm", "login"] } });
  const changed = symbols.map((name) => changedAs(name));
  const frames = { frame: { ...frame, targetSymbols: symbols } };
  deepEqual(confirm(frames, [call], { changed })?.symbols, symbols);
});

Deno.test("confirmTerm() names what the diff changed, and no target that it left as it was", () => {
  const shown = sampleCall({
    defines: { "src/auth.ts": ["login", "hash", "salt", "AuthService"] },
  });
  const learn = (targets: readonly string[], changed: readonly ChangedSymbol[]) => {
    const { frame } = mergedState();
    ok(frame !== null);
    return confirm({ frame: { ...frame, targetSymbols: targets } }, [shown], { changed })?.symbols;
  };
  const hash = changedAs("AuthService.hash", "AuthService");
  const other = changedAs("Other.login", "Other");
  const rows: readonly (readonly [string, readonly string[], readonly ChangedSymbol[], unknown])[] =
    [
      ["another one", ["login"], [hash], ["AuthService.hash"]],
      ["one of two", ["login", "hash"], [hash], ["hash"]],
      ["a class by its method", ["AuthService"], [hash], ["AuthService"]],
      ["one of another class", ["AuthService.login"], [other], ["Other.login"]],
      ["a test", ["login"], [{ ...hash, isTest: true }], undefined],
      ["never shown", ["login"], [changedAs("pepper")], undefined],
      ["many", ["login"], ["a", "b", "c", "hash"].map((name) => changedAs(name)), undefined],
    ];
  for (const [why, targets, changed, expected] of rows) {
    deepEqual(learn(targets, changed), expected, why);
  }
});

Deno.test("isLearnable() takes completed work like merged work", () => {
  ok(isLearnable(mergedState({ end: "completed" })));
});

Deno.test("keyOfSymbol() is the last name of a symbol in any language", () => {
  const rows = [
    ["login", "login"],
    ["AuthService.login", "login"],
    ["auth::token::refresh", "refresh"],
    ["Auth#login()", "login"],
    ["$this->save", "save"],
    ["App\\Models\\User", "User"],
    ["", ""],
  ] as const;
  for (const [symbol, key] of rows) equal(keyOfSymbol(symbol), key, symbol);
});
