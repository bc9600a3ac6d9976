/** Which documents are believed, and what they say then. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { decodeScip } from "../../../src/features/scip/decode.ts";
import type { ScipPlaces } from "../../../src/features/scip/scip_places.ts";
import { ScipTrust } from "../../../src/features/scip/trust.ts";
import type { NamesOfText } from "../../../src/features/scip/trust.ts";
import type { Span } from "../../../src/features/scip/shape.ts";
import { readMarked, writeScip } from "./scip_writer.ts";

const SYMBOLS = {
  a: "s npm p 1 `a.ts`/",
  run: "s npm p 1 `a.ts`/run().",
  Job: "s npm p 1 `a.ts`/Job#",
  Base: "s npm p 1 `base.ts`/Base#",
  stop: "s npm p 1 `base.ts`/Base#stop().",
  job: "s npm p 1 `b.ts`/job.",
  log: "s npm other 1 `log.ts`/log().",
};
const SOURCES: Readonly<Record<string, string>> = {
  "base.ts": "export class «!Base|Base» {\n  «!stop|stop»() {}\n}\n",
  "a.ts": [
    "import { «Base|Base» } from './base';",
    "export class «!Job|Job» extends «Base|Base» {",
    "}",
    "export function «!run|run»() {}",
    "",
  ].join("\n"),
  "b.ts": [
    "import { «Job|Job» } from «'./a'|a»;",
    "export const «!job|job» = new «Job|Job»();",
    "",
  ].join("\n"),
  "c.ts": [
    "import { «job|job» } from './b';",
    "«log|log»(«job|job».«stop|stop»());",
    "const «!own|local 0» = 1; «log|log»(«own|local 0»);",
    "",
  ].join("\n"),
  "d.ts": "import { «run|run» as «go|run» } from './a';\n«go|run»();\n",
};
const MARKED = Object.entries(SOURCES).map(([path, text]) =>
  [path, readMarked(path, text, { symbols: SYMBOLS })] as const
);
const NOTHING: NamesOfText = { definitions: [], uses: [], imports: [] };
const SPANS: Readonly<Record<string, readonly Span[]>> = {
  "base.ts": [span(1, 14, 3, true), span(2, 3, 2, false)],
  "a.ts": [span(2, 14, 3, true), span(4, 17, 4, false)],
  "b.ts": [span(2, 14, 2, false)],
};

function span(line: number, column: number, endLine: number, isType: boolean): Span {
  return { line, column, startLine: line, endLine, isType };
}

interface Change {
  readonly text?: string;
  readonly names?: NamesOfText;
}

function settle(changes: Readonly<Record<string, Change | null>> = {}): ScipPlaces {
  const work = decodeScip([{
    folder: ".",
    bytes: writeScip(MARKED.map(([, { document }]) => document)),
  }]);
  let step = work.next();
  while (step.done !== true) step = work.next();
  const trust = new ScipTrust(step.value);
  const hashOf = (path: string) => changes[path] === null ? undefined : "1";
  for (const path of trust.unseen(hashOf)) {
    const was = MARKED.find(([name]) => name === path)?.[1].text ?? "";
    const { text = was, names = { definitions: SPANS[path] ?? [], uses: [], imports: [] } } =
      changes[path] ??
        {};
    trust.see({ path, hash: "1", text, ...names });
  }
  return trust.settle(hashOf);
}

function known(places: ScipPlaces): string {
  return Object.keys(SOURCES).filter((path) => places.knows(path)).join(" ");
}

const ALL = "base.ts a.ts b.ts c.ts d.ts";

Deno.test("ScipTrust believes every document of unchanged files", () => {
  const places = settle();
  equal(known(places), ALL);
  deepEqual(places.counts, { documents: 5, trusted: 5 });
});

Deno.test("ScipTrust believes no document of a changed file or of one that is gone", () => {
  const changed = settle({ "a.ts": { text: "export class Task {}\n" } });
  equal(known(changed), "base.ts b.ts c.ts d.ts");
  deepEqual(changed.counts, { documents: 5, trusted: 4 });
  equal(known(settle({ "b.ts": null })), "base.ts a.ts c.ts d.ts");
});

Deno.test("ScipTrust believes no place that depends, over however many files, on what a changed one defines", () => {
  const stop = (changes: Readonly<Record<string, Change>>) =>
    settle(changes).definitionsAt("c.ts", 2, 9)?.map(({ path }) => path);
  deepEqual(stop({}), ["base.ts"]);
  deepEqual(stop({ "d.ts": { text: "" } }), ["base.ts"], "nothing leads to it");
  // The type of the variable is another one by now: whether it still has this method, nobody knows.
  equal(stop({ "b.ts": { text: "export const job = null;\n" } }), undefined);
  // The class of the variable may have a method of its own by now.
  equal(stop({ "a.ts": { text: "export class Job { stop() {} }\n" } }), undefined);
  const own = settle({ "a.ts": { text: "" } }).definitionsAt("c.ts", 3, 20);
  deepEqual(own?.map(({ path }) => path), ["c.ts"], "a place that does not depend on it");
});

Deno.test("ScipTrust believes no document of a text with a line that it does not account for", () => {
  const was = readMarked("a.ts", SOURCES["a.ts"] ?? "").text;
  const added = `${was}export class Sub extends Job { stop() {} }\n`;
  const spans = SPANS["a.ts"] ?? [];
  const uses = [{ name: "Job", line: 5, column: 1 }];
  const rest = "base.ts b.ts c.ts d.ts";
  const more = [...spans, span(5, 14, 5, true)];
  equal(
    known(settle({ "a.ts": { text: added, names: { definitions: more, uses: [], imports: [] } } })),
    rest,
  );
  equal(
    known(settle({ "a.ts": { text: added, names: { definitions: spans, uses, imports: [] } } })),
    rest,
  );
  const spaces = [...spans, { ...span(5, 1, 5, true), isSpace: true }];
  const space = {
    text: `${was}namespace x;\n`,
    names: { definitions: spaces, uses: [], imports: [] },
  };
  equal(known(settle({ "a.ts": space })), ALL);
  const foreign = [{ name: "describe", line: 5, column: 1 }];
  const names = { definitions: spans, uses: foreign, imports: [] };
  equal(known(settle({ "a.ts": { text: `${was}describe("x");\n`, names } })), ALL);
});

Deno.test("ScipTrust believes no document of a text whose definitions nest without end", () => {
  const definitions = Array.from({ length: 2_000 }, () => span(1, 14, 2_000, false));
  equal(
    known(settle({ "base.ts": { names: { definitions, uses: [], imports: [] } } })),
    "a.ts b.ts c.ts d.ts",
  );
});

Deno.test("ScipTrust looks at each content once, and again at another one", () => {
  const work = decodeScip([{
    folder: ".",
    bytes: writeScip(MARKED.map(([, { document }]) => document)),
  }]);
  let step = work.next();
  while (step.done !== true) step = work.next();
  const trust = new ScipTrust(step.value);
  deepEqual(trust.unseen((path) => path === "a.ts" ? "1" : undefined), ["a.ts"]);
  const { text } = readMarked("a.ts", SOURCES["a.ts"] ?? "");
  trust.see({ path: "a.ts", hash: "1", text, ...NOTHING });
  deepEqual(trust.unseen((path) => path === "a.ts" ? "1" : undefined), []);
  equal(known(trust.settle(() => "1")), "a.ts");
  deepEqual(trust.unseen((path) => path === "a.ts" ? "2" : undefined), ["a.ts"]);
  equal(known(trust.settle(() => "2")), "", "what was not looked at is not believed");
});

Deno.test("ScipPlaces says where a place leads, and nothing of what it does not know", () => {
  const places = settle();
  const at = (path: string, line: number, column: number) =>
    places.definitionsAt(path, line, column)?.map((one) => `${one.path}:${one.line}:${one.column}`);
  deepEqual(at("c.ts", 2, 9), ["base.ts:2:3"], "a member");
  deepEqual(at("c.ts", 3, 20), ["c.ts:3:7"], "a variable of the file");
  deepEqual(at("d.ts", 2, 1), ["a.ts:4:17"], "by another name");
  equal(at("c.ts", 2, 1), undefined, "a symbol of another package");
  equal(at("b.ts", 1, 21), undefined, "a module");
  deepEqual(at("a.ts", 2, 14), ["a.ts:2:14"], "a definition leads to itself");
  equal(at("c.ts", 2, 6), undefined, "within a word");
  equal(at("e.ts", 1, 1), undefined);
  equal(places.defines("base.ts", 2, "stop"), true);
  equal(places.defines("c.ts", 2, "stop"), false);
  deepEqual(places.findDefinitions("stop").map(({ path, way }) => [path, way.at(-1)?.kind]), [
    ["base.ts", "method"],
  ]);
  deepEqual(places.findDefinitions("own"), [], "a variable of a function");
});

Deno.test("ScipPlaces finds the places that name a definition by another word", () => {
  const found = settle().findOtherNames([{ path: "a.ts", line: 4, column: 17 }]);
  deepEqual(found, [
    { path: "d.ts", line: 1, column: 17, word: "go" },
    { path: "d.ts", line: 2, column: 1, word: "go" },
  ]);
  deepEqual(settle().findOtherNames([{ path: "a.ts", line: 2, column: 14 }]), []);
});
