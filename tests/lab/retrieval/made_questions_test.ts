/** Questions made of a repository's own words: their answers, and that what gave them is hidden. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { toLineShare } from "../../../lab/retrieval/answer.ts";
import { makeQuestions } from "../../../lab/retrieval/made_questions.ts";

const FILES = {
  "src/door.ts": `/** Lets a person in who knows the secret password. */
export function openDoor(user: User): boolean {
  if (user.isLocked) throw new Error(\`the door of house \${user.house} is locked from inside\`);
  return user.secret === stored;
}
`,
  "src/window.ts": "export class WindowFrame {}\n",
  "tests/window.test.ts": 'it("closes every window before the storm begins", () => {});\n',
  "README.md":
    "# House\n\n## Opening doors at night\nWho comes late uses `openDoor` with care.\n\n## Other\nNothing.\n",
};
const LOG = [
  "c1\nLet late guests in through the back door (#12)\n\nsrc/door.ts\nREADME.md",
  "c2\nBump the version of everything\n\nsrc/window.ts",
].map((commit) => `\x01${commit}\n`).join("");

Deno.test("makeQuestions() knows the answer of each question and hides what gave it", async () => {
  const texts = Object.entries(FILES).map(([path, text]) => ({ path, text }));
  const { questions, files } = await makeQuestions(texts, LOG);
  const byKind = Map.groupBy(questions, ({ kind }) => kind);
  const tell = (kind: typeof questions[number]["kind"]) =>
    (byKind.get(kind) ?? []).map(({ query, targets }) => [query, ...targets]);
  deepEqual(tell("doc"), [["Lets a person in who knows the secret password.", "src/door.ts"]]);
  deepEqual(byKind.get("doc")?.[0]?.lines, { "src/door.ts": [{ start: 2, end: 5 }] });
  equal(byKind.get("commit")?.[0]?.commit, "c1");
  deepEqual(tell("error"), [["the door of house value1 is locked from inside", "src/door.ts"]]);
  deepEqual(tell("test"), [["closes every window before the storm begins", "src/window.ts"]]);
  deepEqual(tell("commit"), [["Let late guests in through the back door", "src/door.ts"]]);
  deepEqual(tell("symbol").map(([name]) => name).sort(), ["WindowFrame", "openDoor"]);
  const [heading] = tell("heading");
  ok(heading?.[0]?.startsWith("Opening doors at night"), heading?.[0]);
  equal(heading?.[1], "src/door.ts");
  const left = new Map(files.map(({ path, text }) => [path, text]));
  deepEqual([...left.keys()], ["src/door.ts", "src/window.ts"]);
  ok(!left.get("src/door.ts")?.includes("password"), "the comment is hidden");
  equal(left.get("src/door.ts")?.split("\n")[1], "export function openDoor(user: User): boolean {");
});

Deno.test("toLineShare() counts right lines among the first that are shown, each line once", () => {
  const right = { "a.ts": [{ start: 10, end: 19 }], "b.ts": [{ start: 1, end: 10 }] };
  const share = (...shown: Parameters<typeof toLineShare>[0]) => toLineShare(shown, right);
  equal(share({ path: "a.ts", start: 1, end: 14 }, { path: "a.ts", start: 10, end: 14 }), 0.25);
  equal(share({ path: "c.ts", start: 1, end: 195 }, { path: "b.ts", start: 1, end: 10 }), 0.25);
  equal(share(), 0);
});
