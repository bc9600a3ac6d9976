/** The order of files for questions to a real index. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { searchCode } from "../../src/ranking/code_search.ts";
import { RankingMemory } from "../../src/ranking/content_facts.ts";
import { createShop } from "../explore/shop_project.ts";

Deno.test("searchCode() puts the file that is meant first, for every kind of question", async () => {
  await using shop = await createShop();
  const memory = new RankingMemory();
  const ask = (question: string, more: { readonly under?: string } = {}) =>
    shop.index.read((view) =>
      searchCode(view, question, { memory, ...more }).files.map(({ item }) => item.path)
    );
  const rows: readonly (readonly [question: string, first: string])[] = [
    ["Cart", "src/cart/cart.ts"],
    ["cart", "src/cart/cart.ts"],
    ["parseMoney", "src/money.ts"],
    ["Letter.save", "src/shipping.ts"],
    ["how the discount is taken off the total price", "src/cart/discount.ts"],
    ["adding an article to the cart", "src/cart/cart.ts"],
    ["tests of the total price of the cart", "tests/cart.test.ts"],
    ["cart/discount.ts", "src/cart/discount.ts"],
    ["/home/me/shop/src/cart/discount.ts:3:1", "src/cart/discount.ts"],
    ["https://host/me/shop/blob/main/README.md#L1", "README.md"],
    ["Error: cannot read an empty amount of money", "src/money.ts"],
    ["配送先の住所", "src/shipping.ts"],
    ["Moneyの解析", "src/money.ts"],
  ];
  for (const [question, first] of rows) equal((await ask(question))[0], first, question);

  const cart = await ask("total price of the cart");
  const place = (path: string) => cart.indexOf(path);
  ok(place("src/cart/cart.ts") < place("src/cart/discount.ts"), "definition before mention");
  ok(place("tests/cart.test.ts") > place("src/cart/discount.ts"), "tests after code");
  ok(place("src/legacy/cart.ts") > place("src/cart/cart.ts"), "old code after new");
  ok(place("README.md") > place("src/cart/cart.ts"), "prose after code");
  deepEqual(await ask("total price of the cart"), cart, "the same again");

  deepEqual(await ask("Cart", { under: "src/legacy" }), ["src/legacy/cart.ts"]);
  deepEqual(await ask("???"), []);
  deepEqual(await ask("zebra"), []);
});

Deno.test("searchCode() hears a Japanese loan word in the names of the code, and finds a name that a test alone defines", async () => {
  await using shop = await createShop({
    "src/omnibus.ts": "export function boardOmnibus() {}\n",
    "src/tram.ts": "export function boardTram() {}\n",
    "tests/tram_stub.ts": "export class OmnibusStub {}\n",
  });
  const memory = new RankingMemory();
  const { files, query } = await shop.index.read((view) =>
    searchCode(view, "オムニバスに乗る", { memory })
  );
  deepEqual(query.loans, ["オムニバス"]);
  equal(files[0]?.item.path, "src/omnibus.ts");
  const { files: [stub] } = await shop.index.read((view) =>
    searchCode(view, "OmnibusStub", { memory })
  );
  deepEqual(
    stub?.item.path,
    "tests/tram_stub.ts",
    "the one test file that defines the name is meant",
  );
});

Deno.test("searchCode() sees what changed: a memory of the state before does not answer", async () => {
  await using shop = await createShop();
  const memory = new RankingMemory();
  const ask = (question: string) =>
    shop.index.read((view) => searchCode(view, question, { memory }).files);
  equal((await ask("Invoice")).length, 0);
  await shop.temp.write({ "src/invoice.ts": "export class Invoice {}\n" });
  await shop.index.sync();
  equal((await ask("Invoice"))[0]?.item.path, "src/invoice.ts");
  await shop.temp.write({ "src/invoice.ts": "export class Receipt {}\n" });
  await shop.index.sync();
  equal((await ask("Receipt"))[0]?.item.path, "src/invoice.ts");
  equal((await ask("Invoice"))[0]?.item.features.exact ?? 0, 0);
});
