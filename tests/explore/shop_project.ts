/** A small shop with a real index, where it is plain which file a question is about. */
import { runJob } from "../../src/analysis/analyser.ts";
import { analyseText } from "../../src/analysis/analyse.ts";
import type { Analyser } from "../../src/analysis/analyser.ts";
import type { CodeIndex } from "../../src/index/index_api.ts";
import { openTestIndex } from "../index/support.ts";
import { createTempRepo } from "../support/temp_repo.ts";
import type { TempRepo } from "../support/temp_repo.ts";

/** Its files. */
export const SHOP: Readonly<Record<string, string>> = {
  "src/cart/cart.ts": `import { Money } from "../money.ts";

/** What a customer wants to buy. */
export class Cart {
  readonly items: string[] = [];
  /** Adds an article to the cart. */
  addItem(name: string, price: Money) { this.items.push(name + price.amount); }
  /** Sum of the prices, with discount. */
  totalPrice(): number { return this.items.length; }
}
`,
  "src/cart/discount.ts": `import { Cart } from "./cart.ts";

/** Takes a share off the total price of a cart. */
export function applyDiscount(cart: Cart, ratio: number): number {
  return cart.totalPrice() * (1 - ratio);
}
`,
  "src/money.ts": `/** An amount in a currency. */
export interface Money { readonly amount: number; readonly currency: string }

export function parseMoney(text: string): Money {
  if (text === "") throw new Error("cannot read an empty amount of money");
  return { amount: Number(text), currency: "EUR" };
}
`,
  "src/shipping.ts": `import { Cart } from "./cart/cart.ts";
// 注文の配送先の住所を確認する
export function checkAddress(cart: Cart): boolean { return cart.items.length > 0; }
export class Parcel { save(): void {} }
export class Letter { save(): void {} }
`,
  "src/legacy/cart.ts": `export class Cart { totalPrice() { return 0; } }\n`,
  "tests/cart.test.ts": `import { Cart } from "../src/cart/cart.ts";
const cart = new Cart();
cart.addItem("book", { amount: 1, currency: "EUR" });
cart.addItem("pen", { amount: 2, currency: "EUR" });
if (cart.totalPrice() !== 2) throw new Error("total price of the cart");
`,
  "README.md": "# Shop\n\nThe cart has a total price. The discount is taken off the total price.\n",
};

/** The shop on disk, with its index. */
export interface ShopProject extends AsyncDisposable {
  readonly temp: TempRepo;
  readonly index: CodeIndex;
}

/** Analyses in this thread, so that no worker has to start. */
const HERE: Analyser = {
  concurrency: 1,
  analyse: (job) => runJob(job, analyseText),
  close() {},
};

/** Makes the shop, with more files where a test wants them. */
export async function createShop(
  more: Readonly<Record<string, string>> = {},
): Promise<ShopProject> {
  const temp = await createTempRepo({ files: { ...SHOP, ...more } });
  const test = openTestIndex(temp.repo, { options: { analyser: HERE } });
  await test.index.sync();
  return {
    temp,
    index: test.index,
    [Symbol.asyncDispose]: async () => {
      await test[Symbol.asyncDispose]();
      await temp[Symbol.asyncDispose]();
    },
  };
}
