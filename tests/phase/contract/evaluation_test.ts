/** Rows of input and expected output for `src/phase/contract/evaluation.ts`. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import {
  buildAdvice,
  countDefined,
  evaluateExploration,
  EXPLORATION_NEEDS,
  FORCED_SEMANTIC,
  isMarkupFile,
  isMarkupWork,
  isThinAtHighRisk,
  judgeRisk,
} from "../../../src/phase/contract/evaluation.ts";
import type { ExploringCall, Facts, FrameSlot } from "../../../src/phase/facts.ts";
import type { QueryFrame } from "../../../src/phase/state.ts";
import { accept, GOOD_EXPLORATION, PAYLOAD, submit, toFacts, toState } from "../samples.ts";

const ALL = ["search_text", "find_definitions", "find_references", "get_symbols"];
const CODE = ["src/auth.ts"];
const WORK = { intent: "MODIFY", flags: {} } as const;
const LOOK = { intent: "QUESTION", flags: {} } as const;
const call = (tool: string, rest: Partial<ExploringCall> = {}): ExploringCall => ({
  tool,
  subject: "",
  files: [],
  defines: {},
  refers: {},
  ...rest,
});
const DEFINES = call("find_definitions", {
  files: ["src/auth.ts"],
  defines: { "src/auth.ts": ["login", "logout", "hash"] },
});
const USES = call("find_references", {
  subject: "AuthService.login",
  files: ["src/main.ts"],
  refers: { "src/main.ts": ["AuthService.login"] },
});
const USES_AT_HOME = call("find_references", {
  subject: "login",
  files: ["src/auth.ts"],
  refers: { "src/auth.ts": ["login"] },
});
const PROVEN = (file: string) => ({ ...USES_AT_HOME, proven: { [file]: ["login"] } });
const TEXT = call("search_text", { files: ["src/auth.ts", "src/main.ts"] });

/** What is missing, each as its first words; empty for a high confidence. */
const CASES: readonly (readonly [
  name: string,
  mode: Parameters<typeof evaluateExploration>[0],
  explored: readonly string[],
  facts: Partial<Facts>,
  missing: readonly string[],
])[] = [
  ["three symbols, two files, a use elsewhere", WORK, CODE, { explored: [DEFINES, USES] }, []],
  ["the sample of the other tests", WORK, CODE, { explored: GOOD_EXPLORATION }, []],
  ["nothing at all", WORK, CODE, { explored: [] }, [
    "Use `find_definitions`: no call is on record.",
    "Use `find_references`: no call is on record.",
    "Use `find_definitions` or `get_symbols`: 0 of 3 symbols were shown.",
    "Use `find_references` for a symbol you found: no use in another file was shown.",
    "Use `search_text` or `get_symbols` or `find_definitions`: 0 of 2 files were shown.",
  ]],
  ["text searches alone, however many files they show", WORK, CODE, { explored: [TEXT] }, [
    "Use `find_definitions`: no call is on record.",
    "Use `find_references`: no call is on record.",
    "Use `find_definitions` or `get_symbols`: 0 of 3 symbols were shown.",
    "Use `find_references` for a symbol you found: no use in another file was shown.",
  ]],
  ["a use in the defining file only", WORK, CODE, { explored: [DEFINES, USES_AT_HOME, TEXT] }, [
    "Use `find_references` for a symbol you found: no use in another file was shown.",
  ]],
  ["a caller in the defining file, where it is proven", WORK, CODE, {
    explored: [DEFINES, PROVEN("src/auth.ts"), TEXT],
  }, []],
  ["a proven use in a test that defines the same name", WORK, CODE, {
    explored: [
      DEFINES,
      TEXT,
      { ...PROVEN("tests/auth_test.ts"), defines: { "tests/auth_test.ts": ["login"] } },
    ],
  }, []],
  [
    "a use of a symbol whose definition was never shown",
    WORK,
    CODE,
    {
      explored: [
        DEFINES,
        call("find_references", { subject: "other", refers: { "src/main.ts": ["other"] } }),
        TEXT,
      ],
    },
    ["Use `find_references` for a symbol you found: no use in another file was shown."],
  ],
  [
    "the same symbol in two files is one symbol",
    WORK,
    CODE,
    {
      explored: [
        call("find_definitions", {
          files: ["src/a.ts", "src/b.ts"],
          defines: { "src/a.ts": ["login", "A.login"], "src/b.ts": ["login"] },
        }),
        USES,
      ],
    },
    ["Use `find_definitions` or `get_symbols`: 1 of 3 symbols were shown."],
  ],
  [
    "three symbols asked for in vain: nothing uses this code",
    WORK,
    CODE,
    {
      explored: [
        DEFINES,
        TEXT,
        ...["login", "Auth::logout", "hash"].map((subject) => call("find_references", { subject })),
      ],
    },
    [],
  ],
  [
    "two asked for in vain are not enough",
    WORK,
    CODE,
    {
      explored: [
        DEFINES,
        TEXT,
        ...["login", "logout"].map((subject) => call("find_references", { subject })),
      ],
    },
    ["Use `find_references` for a symbol you found: no use in another file was shown."],
  ],
  ["an investigation with a symbol and a file", LOOK, CODE, { explored: [DEFINES] }, []],
  ["an investigation with text alone", LOOK, CODE, { explored: [TEXT] }, [
    "Use `find_definitions` or `get_symbols`: 0 of 1 symbols were shown.",
  ]],
  [
    "only_explore is an investigation",
    { intent: "MODIFY", flags: { only_explore: true } },
    CODE,
    { explored: [DEFINES] },
    [],
  ],
  [
    "pure markup with one file and a text search",
    WORK,
    ["site/a.css"],
    { explored: [call("search_text", { files: ["site/a.css"] })] },
    [],
  ],
  ["markup that is only claimed, while code was shown", WORK, ["README.md"], { explored: [TEXT] }, [
    "Use `search_text` or `get_symbols` or `find_definitions`: 0 of 1 files were shown.",
  ]],
  ["pure markup of which nothing was shown", WORK, ["site/a.css"], { explored: [] }, [
    "Use `search_text` or `get_symbols` or `find_definitions`: 0 of 1 files were shown.",
  ]],
  [
    "markup beside one file of code is code",
    WORK,
    ["site/a.css", "site/a.js"],
    { explored: [TEXT, DEFINES, USES_AT_HOME] },
    ["Use `find_references` for a symbol you found: no use in another file was shown."],
  ],
  ["a project without code", WORK, ["Makefile"], { codeFiles: 0, explored: [TEXT] }, []],
  ["a new, empty project", WORK, [], { hasSourceFiles: false, explored: [] }, []],
  [
    "a project that defines no symbol",
    WORK,
    ["run.sh"],
    { codeFiles: 2, definable: 0, explored: [TEXT] },
    [],
  ],
  [
    "a project that defines one symbol, which was found",
    WORK,
    ["run.sh"],
    {
      codeFiles: 2,
      definable: 1,
      explored: [
        TEXT,
        call("find_definitions", { defines: { "run.sh": ["main"] } }),
        call("find_references", { subject: "main" }),
      ],
    },
    [],
  ],
  [
    "a project with a single file of code has no other file that could use it",
    WORK,
    CODE,
    { codeFiles: 1, explored: [DEFINES, call("find_references", { subject: "login" })] },
    [],
  ],
  [
    "a server without find_references",
    WORK,
    CODE,
    { offered: ["search_text", "find_definitions"], explored: [DEFINES, TEXT] },
    [],
  ],
  ["a server with text search only", WORK, CODE, {
    offered: ["search_text"],
    explored: [TEXT],
  }, []],
  ["a server that offers nothing", WORK, CODE, { offered: [], explored: [] }, []],
];

for (const [name, mode, explored, facts, missing] of CASES) {
  const word = missing.length === 0 ? "high" : "low";
  Deno.test(`evaluateExploration() is ${word} for ${name}`, () => {
    const found = evaluateExploration(mode, explored, toFacts({ offered: ALL, ...facts }));
    deepEqual(found, { confidence: word, missing });
  });
}

Deno.test("EXPLORATION_NEEDS are the numbers that the documents give", () => {
  const tools = ["find_definitions", "find_references"];
  deepEqual(EXPLORATION_NEEDS, {
    nothing: { symbols: 0, entryPoints: 0, files: 0, tools: [] },
    markup: { symbols: 0, entryPoints: 0, files: 1, tools: [] },
    investigation: { symbols: 1, entryPoints: 0, files: 1, tools: [] },
    code: { symbols: 3, entryPoints: 1, files: 2, tools },
  });
});

Deno.test("countDefined() counts names, not places, and trusts a file called __proto__", () => {
  const odd = JSON.parse('{"__proto__": ["login", "save"], "src/a.ts": ["login"]}');
  equal(countDefined([call("get_symbols", { defines: odd })]), 2);
});

const FILES: readonly (readonly [path: string, isMarkup: boolean])[] = [
  ...["a.html", "a.htm", "x/a.css", "a.scss", "a.sass", "a.less", "README.MD", "a.markdown"]
    .map((path) => [path, true] as const),
  ...["a.blade.php", "a.vue", "a.jsx", "a.tsx", "a.svelte", "a.ts", "css", "a.blade.html"]
    .map((path) => [path, false] as const),
];

for (const [path, isMarkup] of FILES) {
  Deno.test(`isMarkupFile() takes ${path} for ${isMarkup ? "markup" : "code"}`, () => {
    equal(isMarkupFile(path), isMarkup);
  });
}

Deno.test("isMarkupWork() wants files, and only such", () => {
  deepEqual([[], ["a.css"], ["a.css", "src"]].map(isMarkupWork), [false, true, false]);
});

const FACT: FrameSlot = { value: "login", quote: "login", source: "FACT" };
type Slots = QueryFrame["slots"];
const OPEN: Slots = {
  target_feature: null,
  trigger_condition: null,
  observed_issue: null,
  desired_action: null,
};
const FULL: Slots = {
  target_feature: FACT,
  trigger_condition: FACT,
  observed_issue: FACT,
  desired_action: FACT,
};

const RISKS: readonly (readonly [
  name: string,
  mode: Parameters<typeof judgeRisk>[0],
  slots: Slots,
  sources: Readonly<Record<string, "FACT" | "HYPOTHESIS">>,
  risk: string,
])[] = [
  ["MODIFY with nothing", WORK, OPEN, {}, "HIGH"],
  ["MODIFY that says exactly what to do", WORK, { ...FULL, observed_issue: null }, {}, "MEDIUM"],
  [
    "MODIFY without the issue that it speaks of",
    { ...WORK, query: "Fix the login" },
    { ...FULL, observed_issue: null },
    {},
    "HIGH",
  ],
  [
    "MODIFY with an action that is only guessed",
    WORK,
    { ...FULL, observed_issue: null, desired_action: { ...FACT, source: "HYPOTHESIS" } },
    {},
    "HIGH",
  ],
  ["MODIFY without a target", WORK, { ...FULL, target_feature: null }, {}, "HIGH"],
  [
    "MODIFY with both",
    WORK,
    { ...OPEN, target_feature: FACT, observed_issue: FACT },
    {},
    "MEDIUM",
  ],
  ["IMPLEMENT without a target", { intent: "IMPLEMENT", flags: {} }, OPEN, {}, "HIGH"],
  [
    "IMPLEMENT with a target alone",
    { intent: "IMPLEMENT", flags: {} },
    { ...OPEN, target_feature: FACT },
    {},
    "MEDIUM",
  ],
  ["every slot filled", WORK, FULL, {}, "LOW"],
  ["every slot, a symbol proved", WORK, FULL, { AuthService: "FACT" }, "LOW"],
  ["every slot, a symbol only guessed", WORK, FULL, { AuthService: "HYPOTHESIS" }, "HIGH"],
  [
    "every slot, a symbol only guessed beside one that the request names",
    WORK,
    FULL,
    { Seen: "FACT", AuthService: "HYPOTHESIS" },
    "LOW",
  ],
  ["a guess about a symbol that is no target", WORK, FULL, { Other: "HYPOTHESIS" }, "LOW"],
  ["an investigation with nothing", LOOK, OPEN, { AuthService: "HYPOTHESIS" }, "LOW"],
  ["only_explore", { intent: "MODIFY", flags: { only_explore: true } }, OPEN, {}, "LOW"],
];

for (const [name, mode, slots, symbolSources, risk] of RISKS) {
  Deno.test(`judgeRisk() of ${name} is ${risk}`, () => {
    const targetSymbols = "Seen" in symbolSources ? ["Seen", "AuthService"] : ["AuthService"];
    equal(judgeRisk(mode, { slots, targetSymbols, symbolSources }), risk);
  });
}

const LOW = { confidence: "low", missing: ["Use `find_references`."] } as const;
const HIGH = { confidence: "high", missing: [] } as const;

Deno.test("isThinAtHighRisk() needs both, and never holds in a session from before", () => {
  const rows = [
    [{ risk: "HIGH", evaluation: LOW }, true],
    [{ risk: "HIGH", evaluation: HIGH }, false],
    [{ risk: "MEDIUM", evaluation: LOW }, false],
    [{ risk: "HIGH" }, false],
    [{ evaluation: LOW }, false],
    [{}, false],
  ] as const;
  for (const [state, expected] of rows) equal(isThinAtHighRisk(state), expected);
});

Deno.test("buildAdvice() says what the server would answer, and that it decides where it does", () => {
  const advise = (state: Parameters<typeof buildAdvice>[0]) =>
    (buildAdvice(state).evaluation as { readonly advice: string }).advice;
  equal(/answer true, or/.test(advise({ risk: "MEDIUM", evaluation: LOW })), true);
  equal(/show enough/.test(advise({ risk: "HIGH", evaluation: HIGH })), true);
  equal(/SEMANTIC follows whatever/.test(advise({ risk: "HIGH", evaluation: LOW })), true);
  deepEqual(buildAdvice({}), {});
});

Deno.test("decide() records the no of Q1 at a high risk after a thin exploration, and says why it goes on to SEMANTIC", () => {
  const thin = accept(submit(toState("Q1", { risk: "HIGH", evaluation: LOW }), PAYLOAD.Q1));
  deepEqual(
    [thin.state.stage, thin.state.answers.Q1?.answer, thin.reply.forced],
    ["SEMANTIC", false, FORCED_SEMANTIC],
  );
  const yes = { ...PAYLOAD.Q1, needs_more_information: true };
  const asked = accept(submit(toState("Q1", { risk: "HIGH", evaluation: LOW }), yes));
  deepEqual([asked.state.stage, asked.reply.forced], ["SEMANTIC", undefined]);
  const good = accept(submit(toState("Q1", { risk: "HIGH", evaluation: HIGH }), PAYLOAD.Q1));
  deepEqual([good.state.stage, good.reply.forced], ["Q2", undefined]);
  const calm = accept(submit(toState("Q1", { risk: "MEDIUM", evaluation: LOW }), PAYLOAD.Q1));
  equal(calm.state.stage, "Q2");
});

Deno.test("a forced SEMANTIC takes the honest empty answer after one search", () => {
  const state = toState("SEMANTIC", { risk: "HIGH", evaluation: LOW });
  const empty = { ...PAYLOAD.SEMANTIC, search_results: [] };
  equal(accept(submit(state, empty, { facts: { offered: ["search_text"] } })).state.stage, "Q2");
});

Deno.test("an exploration is judged anew each time it is left", () => {
  const state = toState("EXPLORATION", { evaluation: LOW });
  const facts = { offered: ALL, explored: GOOD_EXPLORATION };
  const better = accept(
    submit(state, PAYLOAD.EXPLORATION, {
      facts: {
        ...facts,
        calls: [
          { tool: "find_definitions", subject: "login", total: 3 },
          { tool: "find_references", subject: "login", total: 2 },
        ],
      },
    }),
  );
  deepEqual(better.state.evaluation, HIGH);
});

Deno.test("the risk is stored with the frame", () => {
  const frame = { slots: { target_feature: FACT }, problems: [] };
  const begin = { intent: "MODIFY" } as const;
  const modify = submit(toState("QUERY_FRAME", { begin }), PAYLOAD.QUERY_FRAME, {
    facts: { frame },
  });
  equal(accept(modify).state.risk, "HIGH");
  const implement = submit(toState("QUERY_FRAME"), PAYLOAD.QUERY_FRAME, { facts: { frame } });
  equal(accept(implement).state.risk, "MEDIUM");
});
