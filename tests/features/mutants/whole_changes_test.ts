/** Versions without a branch, an operand or a function, and with copies of arguments, run by the languages themselves. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { findMutants } from "../../../src/features/mutants/find_mutants.ts";
import { applyMutant, toChange } from "../../../src/features/mutants/mutant_rules.ts";
import { run } from "../../../tools/run.ts";
import { testNeeding } from "../../support/needs.ts";
import { needProgram } from "../runs/ways/apart_run.ts";

const ALL = [{ start: 1, end: 10_000 }];

/** What each version says to a question, beside what its probe says; `failed` where it ends. */
async function ask(
  path: string,
  text: string,
  answer: (text: string) => Promise<string> | string,
) {
  const rows: Record<string, readonly [mutant: string, probe: string | null]> = {};
  for (const mutant of await findMutants({ path, text, ranges: ALL })) {
    const { probe } = mutant;
    rows[`${mutant.line}: ${toChange(mutant)}`] = [
      await answer(applyMutant(text, mutant)),
      probe === undefined ? null : await answer(applyMutant(text, probe)),
    ];
  }
  return rows;
}

function askScript(question: string) {
  return (text: string) => {
    try {
      return JSON.stringify(new Function(`"use strict"; ${text}; return ${question};`)());
    } catch {
      return "failed";
    }
  };
}

const COPY = "a copy of its arguments: none looks at what becomes of them";
const PART = [
  "function part(list, most) {",
  "  if (most > 0 && list.length > most) {",
  "    return list.slice(0, most);",
  "  }",
  "  return list;",
  "}",
].join("\n");

Deno.test("a branch, an operand or a function that counts for nothing is noticed where a test needs it", async () => {
  const rows = await ask("a.js", PART, askScript("[part([1, 2], 1), part([1], 1), part([1], 0)]"));
  const right = "[[1],[1],[1]]";
  equal(rows["2: an error there: none reaches it"]?.[0], "failed");
  equal(rows["2: `most > 0 && list.length > most` never true"]?.[0], "[[1,2],[1],[1]]");
  deepEqual(rows["2: nothing for `&& list.length > most`"], [right, "failed"]);
  equal(rows["2: nothing for `most > 0 &&`"]?.[0], "[[1],[1],[]]");
  // No question has a list that is longer than 0 and asks for all of it.
  const few = await ask("a.js", PART, askScript("[part([1, 2], 1), part([1], 1)]"));
  deepEqual(few["2: nothing for `most > 0 &&`"], ["[[1],[1]]", "[[1],[1]]"]);
});

Deno.test("copies of arguments change nothing but what becomes of the arguments, which a trap tells", async () => {
  const sorted = "function first(list) {\n  return [...list].sort()[0].n++;\n}";
  const within =
    "function grow(lines) {\n  const [line] = lines;\n  line.count += 1;\n  return line.count;\n}";
  const fresh =
    "function twice(list) {\n  const found = [];\n  found.push(list, list);\n  return found;\n}";
  const question = "(() => { const one = { count: 1 }; return [grow([one]), one.count]; })()";
  deepEqual((await ask("a.js", within, askScript(question)))[`2: ${COPY}`], ["[2,1]", "failed"]);
  equal((await ask("a.js", sorted, askScript("1")))[`2: ${COPY}`], undefined);
  equal((await ask("a.js", fresh, askScript("1")))[`2: ${COPY}`], undefined);
  const direct = "function last(list) {\n  return list.reverse()[0];\n}";
  deepEqual(
    (await ask(
      "a.js",
      direct,
      askScript("(() => { const all = [1, 2]; return [last(all), all]; })()"),
    ))[
      `2: ${COPY}`
    ],
    ["[2,[1,2]]", null],
  );
});

testNeeding(
  [needProgram("python3", "--version")],
  "a trap in Python tells whether what was given is changed, and a shared default is a copy too",
  async () => {
    const askPython = (question: string) => async (text: string) => {
      const words = ["-c", `${text}\nprint(${question})`];
      return (await run("python3", words, { cwd: "." }).catch(() => "failed")).trim();
    };
    const within =
      "def grow(lines):\n    line = lines[0]\n    line['n'] += 1\n    return line['n']\n";
    const rows = await ask("a.py", within, askPython("grow([{'n': 1}])"));
    deepEqual(rows[`2: ${COPY}`], ["2", "failed"]);
    const pure =
      "def grow(lines):\n    line = dict(lines[0])\n    line['n'] += 1\n    return line['n']\n";
    deepEqual((await ask("a.py", pure, askPython("grow([{'n': 1}])")))[`2: ${COPY}`], ["2", "2"]);
    const shared = "def collect(item, into=[]):\n    into.append(item)\n    return into\n";
    deepEqual(
      (await ask("a.py", shared, askPython("(collect(1), collect(2))")))[`2: ${COPY}`],
      ["([1], [2])", null],
    );
  },
);
