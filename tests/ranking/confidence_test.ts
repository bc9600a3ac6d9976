/** How sure an answer is, over a real index. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { searchCode } from "../../src/ranking/code_search.ts";
import { measureAnswer, rateConfidence } from "../../src/ranking/confidence.ts";
import { RankingMemory } from "../../src/ranking/content_facts.ts";
import type { AnswerEvidence, Confidence } from "../../src/ranking/confidence.ts";
import { readQuery } from "../../src/ranking/query_kind.ts";
import { createIndexedProject } from "../explore/indexed_project.ts";
import { createShop } from "../explore/shop_project.ts";

Deno.test("rateConfidence() is high for what is there, and low for what nothing speaks of", async () => {
  await using shop = await createShop();
  const memory = new RankingMemory();
  const ask = (question: string) =>
    shop.index.read((view) => {
      const { query, files } = searchCode(view, question, { memory });
      const grounds = measureAnswer(view, memory, { query, files });
      const of = { query, best: files[0]?.item };
      const guessed = rateConfidence(grounds, { ...of, isGuessed: true });
      return { grounds, level: rateConfidence(grounds, of), guessed };
    });
  const { level, guessed } = await ask("parseMoney");
  deepEqual([level, guessed], ["high", "medium"]);
  const absent = await ask("where are zebras fed before the total is shown");
  equal(absent.level, "low");
  deepEqual(absent.grounds.unknownWords.slice(0, 2), ["zebras", "fed"]);
  const there = await ask("how the discount is taken off the total price");
  ok(there.level !== "low" && there.grounds.cover > absent.grounds.cover);
  equal((await ask("nothingOfTheKind")).level, "low");
});

Deno.test("rateConfidence() weighs what the first files say, what nothing says, and how far the best is ahead", async () => {
  await using shop = await createShop();
  const memory = new RankingMemory();
  const { files } = await shop.index.read((view) =>
    searchCode(view, "the total price", { memory })
  );
  const best = files[0]?.item;
  const plain = { cover: 1, coverOfThree: 1, unknown: 0, unknownWords: [], score: 0.6 };
  const rows:
    readonly (readonly [question: string, grounds: AnswerEvidence, expected: Confidence])[] = [
      ["how it is paid", { ...plain, score: 0.65, second: 0.8, fourth: 0.5 }, "high"],
      ["how it is paid", { ...plain, score: 0.45, second: 0.95, fourth: 0.9 }, "medium"],
      ["how it is paid", { ...plain, cover: 0.8, score: 0.3, second: 0.9, fourth: 0.8 }, "medium"],
      [
        "how it is paid",
        {
          ...plain,
          cover: 0.4,
          coverOfThree: 0.5,
          unknown: 0.3,
          score: 0.35,
          second: 0.9,
          fourth: 0.8,
        },
        "low",
      ],
      ["注文の住所を確認する", { ...plain, score: 0.3, second: 0.9, fourth: 0.8 }, "medium"],
      ["注文の住所を確認する", { ...plain, score: 0.2, second: 0.9, fourth: 0.8 }, "low"],
    ];
  for (const [question, grounds, expected] of rows) {
    const query = readQuery(question);
    equal(rateConfidence(grounds, { query, best }), expected, JSON.stringify([question, grounds]));
  }
});

Deno.test("measureAnswer() counts a document or an example as what it is when it is meant, and words of files that are gone as unknown", async () => {
  await using project = await createIndexedProject({
    files: {
      "guide.md":
        "# Installing the widget\n\nHow to install the widget: copy the file, then restart.\n",
      "examples/refund.ts":
        "/** Refunds a payment to the card of the customer. */\nexport function refund() {}\n",
      "invoices.ts":
        "/** Renders invoices as portable documents. */\nexport function render() {}\n",
    },
  });
  const ask = async (question: string) => {
    const memory = new RankingMemory();
    return await project.index.read((view) => {
      const { query, files } = searchCode(view, question, { memory });
      const grounds = measureAnswer(view, memory, { query, files });
      const first = files[0]?.item;
      return {
        ...grounds,
        path: first?.path,
        level: rateConfidence(grounds, { query, best: first }),
      };
    });
  };
  for (
    const [question, path] of [
      ["how to install the widget", "guide.md"],
      ["where is a payment refunded to the card of the customer", "examples/refund.ts"],
    ] as const
  ) {
    const answer = await ask(question);
    deepEqual([answer.path, answer.unknownWords], [path, []]);
    ok(answer.level !== "low", JSON.stringify(answer));
  }
  deepEqual((await ask("how portable invoices are rendered")).unknownWords, []);
  await Deno.remove(`${project.temp.dir}/invoices.ts`);
  await project.index.sync();
  const gone = await ask("how portable invoices are rendered");
  deepEqual([gone.unknownWords, gone.level], [["portable", "invoices", "rendered"], "low"]);
});
