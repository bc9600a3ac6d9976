/** How the table of word vectors is made: pairs of texts, components, training. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { createChance, shuffle } from "../../lab/harness/chance.ts";
import { toComponents } from "../../lab/word_vectors/components.ts";
import { toVocabulary } from "../../lab/word_vectors/distil.ts";
import type { Pair } from "../../lab/word_vectors/pairs.ts";
import { readFilePairs, toCommitPair } from "../../lab/word_vectors/pairs.ts";
import { trainRows } from "../../lab/word_vectors/train.ts";

Deno.test("readFilePairs() hides the comment from the code, and the name from its body", async () => {
  const text = `/** Lets a person in who knows the password. */
function openDoor(user: User): boolean {
  return user.secret === storedSecret && user.isActive && countVisits(user) > 0;
}

function closeWindow(frame: Frame): void {
  closeWindow.count++;
  frame.handle.release(frame.left, frame.right, frame.top, frame.bottom, frame.colour, frame.title);
}
`;
  const pairs = await readFilePairs("src/house/door.ts", text);
  deepEqual(pairs.map(({ kind, said }) => [kind, said.join(" ")]), [
    ["doc", "lets person in who knows the password"],
    ["name", "close window"],
  ]);
  ok(pairs[0]?.code.includes("secret") && !pairs[0]?.code.includes("password"));
  ok(pairs[1]?.code.includes("release") && !pairs[1].code.includes("window"));
  deepEqual(pairs[0]?.path, ["src", "house", "door"]);
});

Deno.test("toCommitPair() takes the message and the changed lines of one file of code", () => {
  const commit = (subject: string, path: string) =>
    `${subject}\n\ndiff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -1,2 +1,2 @@ tail\n` +
    "-const limit = readLimit();\n+const limit = readLimit() ?? defaultLimit;\n";
  const pair = toCommitPair(commit("Fall back to a default limit (#12)", "src/limit.ts"));
  equal(pair?.said.join(" "), "fall back to default limit");
  equal(pair?.code.filter((word) => word === "limit").length, 5);
  equal(toCommitPair(commit("Bump the version of everything", "src/limit.ts")), null);
  equal(toCommitPair(commit("Fall back to a default limit", "notes.md")), null, "no code");
});

Deno.test("toVocabulary() has the words of several repositories, and those of questions in Japanese", () => {
  const pair = (said: string): Pair => ({ kind: "doc", said: said.split(" "), code: [], path: [] });
  const words = toVocabulary(
    new Map([["a/one", [pair("open flirb"), pair("open door")]], ["b/two", [pair("open")]]]),
  );
  equal(words[0]?.word, "open");
  equal(words[0]?.share, 1);
  ok(!words.some(({ word }) => word === "flirb"));
  ok(words.some(({ word, share }) => word === "authentication" && share === 0));
});

Deno.test("toComponents() keeps the directions in which vectors differ most", () => {
  const values = Float32Array.of(1, 0.1, 0, 1, -0.1, 0, -1, 0.1, 0, -1, -0.1, 0);
  const { width, values: kept } = toComponents({ width: 3, values }, { skipped: 0, kept: 1 });
  equal(width, 1);
  deepEqual([...kept].map((one) => Math.abs(one)), [1, 1, 1, 1]);
  equal(kept[0], kept[1]);
  equal(kept[0], -(kept[2] ?? 0));
});

Deno.test("trainRows() brings words together that stand for each other, the same way each time", () => {
  const words = ["login", "invoice", "auth", "billing", "door", "tax", "lock", "sum"];
  const chance = createChance(7);
  const rows = Float32Array.from({ length: words.length * 8 }, () => chance() - 0.5);
  const twins = [["login", "auth"], ["invoice", "billing"], ["door", "lock"], ["tax", "sum"]];
  const pairs = twins.map(([said = "", code = ""]): Pair => ({
    kind: "doc",
    said: [said],
    code: [code],
    path: [],
  }));
  const train = () =>
    trainRows({ dimensions: 8, words, rows }, new Map([["a/one", pairs]]), {
      steps: 60,
      batch: 4,
      rate: 0.05,
      seed: 1,
    });
  const { rows: trained, losses } = train();
  ok((losses.at(-1) ?? 1) < (losses[0] ?? 0) / 4);
  const cosine = (a: string, b: string) => {
    const [left, right] = [rowOf(a), rowOf(b)];
    return toProduct(left, right) / Math.sqrt(toProduct(left, left) * toProduct(right, right));
  };
  const rowOf = (
    word: string,
  ) => [...trained.subarray(words.indexOf(word) * 8, (words.indexOf(word) + 1) * 8)];
  ok(cosine("login", "auth") > cosine("login", "billing"));
  deepEqual([...train().rows], [...trained]);
});

Deno.test("shuffle() does not depend on the order in which things come", () => {
  const things = ["a", "b", "c", "d"];
  deepEqual(shuffle(things, (one) => one), shuffle(things.toReversed(), (one) => one));
});

function toProduct(left: readonly number[], right: readonly number[]): number {
  return left.reduce((sum, value, at) => sum + value * (right[at] ?? 0), 0);
}
