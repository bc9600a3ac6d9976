/** What a change can break, asked of a hub: as for a project on the disk, and who uses it in other repositories. */
import {
  deepStrictEqual as deepEqual,
  doesNotMatch,
  match,
  ok,
  strictEqual as equal,
} from "node:assert/strict";
import { createImpactAnalyzer } from "../../../src/impact/analyze.ts";
import { analyzeImpactTool } from "../../../src/tools/rows/analyze_impact.ts";
import type { ToolRow } from "../../../src/tools/tool.ts";
import { createIndexedProject } from "../../explore/indexed_project.ts";
import type { IndexedProject } from "../../explore/indexed_project.ts";
import { testNeeding } from "../../support/needs.ts";
import { createTempRepo } from "../../support/temp_repo.ts";
import type { Answer, TestHub } from "./support.ts";
import { runForProject, startHub } from "./support.ts";

/** A library in several languages, with tests, documents, pages, and links between its files. */
const SHOP = {
  "package.json": '{ "name": "@shop/cart", "scripts": { "test": "vitest run" } }\n',
  "src/cart.ts":
    "export class Cart {\n  addItem(name: string): number {\n    return price(name);\n  }\n}\n" +
    "export function price(name: string): number {\n  return name.length;\n}\nconst hidden = 1;\n",
  "src/order.ts":
    'import { Cart, price } from "./cart.ts";\nexport class Order extends Cart {\n  addItem(name: string) {\n    return price(name);\n  }\n}\n' +
    "export function place(cart: Cart) {\n  return cart.addItem('x');\n}\n",
  "src/page.ts": 'import { place } from "./order.ts";\nplace(null!);\n',
  "tests/cart.test.ts":
    'import { Cart } from "../src/cart.ts";\ntest("adds", () => new Cart().addItem("a"));\n',
  "docs/cart.md": "# Cart\n\nCall `addItem()` of a `Cart`, see `src/cart.ts`.\n",
  "web/cart.html": '<div class="cart-total note" id="cart"></div>\n',
  "web/cart.css": ".cart-total { color: red; }\n#cart { margin: 0; }\n",
  "py/setup.py": 'from setuptools import setup\nsetup(name="shopkit")\n',
  "py/shopkit/__init__.py": "",
  "py/shopkit/tax.py": "RATE = 2\n\n\ndef tax(sum):\n    return sum * RATE\n",
  "py/tests/test_tax.py":
    "from shopkit.tax import tax\n\n\ndef test_tax():\n    assert tax(1) == 2\n",
  "go/go.mod": "module example.com/shop\n\ngo 1.22\n",
  "go/money/money.go":
    "package money\n\n// Money is a sum.\ntype Money struct{ Cents int }\n\nfunc New(cents int) Money { return Money{cents} }\n\nfunc (m Money) Add(o Money) Money { return New(m.Cents + o.Cents) }\n",
  "go/money/money_test.go":
    'package money\n\nimport "testing"\n\nfunc TestAdd(t *testing.T) { New(1).Add(New(2)) }\n',
  "jvm/src/main/java/com/acme/shop/Stock.java":
    "package com.acme.shop;\npublic class Stock {\n  public Stock() {}\n  public int count(String id) { return 1; }\n}\n",
  "jvm/src/main/java/com/acme/shop/Shelf.java":
    'package com.acme.shop;\nclass Shelf {\n  int all(Stock stock) { return stock.count("a"); }\n}\n',
};
/** Users of it, with places that only look alike. */
const APP = {
  "web/main.ts":
    'import { Cart as Basket, price } from "@shop/cart";\nimport { format } from "other";\n' +
    'const basket = new Basket();\nbasket.addItem("book");\nprice("x");\nformat.addItem("no");\nclass Own { addItem() { return this.addItem(); } }\n',
  "web/plain.ts": "const cart = { addItem() {} };\ncart.addItem();\nexport const price = 1;\n",
  "web/deep.ts": 'import * as shop from "@shop/cart/src/cart.ts";\nshop.price("y");\n',
  "web/own.ts": 'import { hidden } from "@shop/cart/own.ts";\nhidden;\n',
  "job.py":
    "from shopkit import tax\nfrom shopkit.tax import tax as levy\nlevy(1)\ntax.tax(2)\n\n\ndef local(tax):\n    return tax\n",
  "main.go":
    'package main\n\nimport (\n\t"fmt"\n\n\t"example.com/shop/money"\n)\n\nfunc main() {\n\tm := money.New(1)\n\tfmt.Println(m.Add(m))\n}\n',
  "src/main/java/org/app/Main.java":
    'package org.app;\nimport com.acme.shop.Stock;\nclass Main {\n  int run(Stock stock) { return stock.count("b"); }\n}\n',
};
/** A copy of the library that means its own packages by their names. */
const FORK = {
  "package.json": '{ "name": "@shop/cart" }\n',
  "main.ts": 'import { price } from "@shop/cart";\nprice("fork");\n',
};

const ASKED: readonly Answer[] = [
  { target_files: ["src/cart.ts"] },
  { target_files: ["src/cart.ts"], depth: 1 },
  { target_files: ["src/cart.ts", "py/shopkit/tax.py"], depth: 3 },
  { symbols: ["Cart.addItem"] },
  { symbols: ["price"], depth: 3 },
  { symbols: ["tax"] },
  { symbols: ["Money.Add", "Stock.count"] },
  { target_files: ["go/money"] },
  { target_files: ["web/cart.html"], change_description: "Rename .cart-total" },
  { target_files: ["web/cart.css"] },
  { target_files: ["src/none.ts"] },
  { target_files: ["docs/cart.md"] },
  { symbols: ["Cart"], change_description: "Let addItem of the cart take a count" },
];
const REFUSED: readonly Answer[] = [
  { symbols: ["nowhere"] },
  { target_files: ["../x"] },
  { target_files: ["src/*.ts"] },
  { target_files: ["src/cart.ts"], depth: 9 },
  { target_files: "src/[", depth: 2 },
];

testNeeding(
  ["postgres"],
  "what a change can break is told by a hub as for a project",
  async (t) => {
    await using project = await createIndexedProject({ files: SHOP });
    await using app = await createTempRepo({ files: APP });
    await using fork = await createTempRepo({ files: FORK });
    await using hub = await startHub({ shop: project.temp.dir });
    await t.step("with the same answers", () => compare(hub, project));
    await t.step("with the same refusals", () => compareRefusals(hub, project));
    await hub.add("app", app.dir);
    await hub.add("fork", fork.dir);
    await t.step("other repositories that use it are named", () => askOthers(hub));
    await t.step("a change is one of one repository", async () => {
      const asked = async (args: Answer) => {
        const reply = await hub.call("analyze_impact", args);
        if (reply["ok"] !== true) return (reply["problems"] as readonly Answer[])[0]?.["code"];
        return (reply["repositories"] as readonly Answer[]).map(({ repository }) => repository);
      };
      deepEqual(await asked({ symbols: ["Order"] }), ["shop"], "it alone defines the name");
      equal(await asked({ symbols: ["price"] }), "repository_needed");
      equal(await asked({ target_files: ["src/cart.ts"] }), "repository_needed");
      equal(await asked({ symbols: ["Order"], repository: "shops" }), "unknown_repository");
      equal(await asked({}), "missing_field");
      equal(await asked({ symbols: ["Order"], diff: true }), "unknown_parameter");
    });
    await t.step("documents beyond the bound of a call are told to be left out", async () => {
      const asked = { repository: "shop", target_files: ["src/cart.ts"] };
      const notices = async (bytes: number) =>
        String((await hub.call("analyze_impact", asked, { bytes }))["notices"]);
      match(await notices(10), /Not all documents and pages were searched/);
      doesNotMatch(await notices(100_000), /Not all documents/);
    });
    await t.step("the store is asked in few rounds", async () => {
      const { link } = hub.store;
      const before = link.rounds;
      await hub.call("analyze_impact", { repository: "shop", symbols: ["Cart.addItem"] });
      ok(link.rounds - before <= 30, `${link.rounds - before} rounds`);
    });
  },
);

/** The same tool over the index of the project on the disk, without its past. */
function toParts(project: IndexedProject): Parameters<typeof runForProject>[2] {
  const { proofs: _proofs, ...context } = project.context;
  return {
    impact: createImpactAnalyzer({
      ...context,
      openRepo: () => Promise.resolve(project.temp.repo),
      loadPatterns: () => Promise.resolve({ include_patterns: [], exclude_patterns: [] }),
      loadCommands: () => Promise.resolve([]),
    }),
  };
}

async function compare(hub: TestHub, project: IndexedProject): Promise<void> {
  const parts = toParts(project);
  for (const args of ASKED) {
    const own = await runForProject(analyzeImpactTool as ToolRow, args, parts);
    const found = await hub.askOne("analyze_impact", args);
    equal(own["ok"], true, JSON.stringify(own));
    deepEqual(toCompared(found), toCompared(own), JSON.stringify(args));
  }
  const small = await hub.askOne("analyze_impact", {
    target_files: ["src/cart.ts"],
    max_bytes: 1_800,
  });
  const { next } = small["truncated"] as { readonly next: Answer };
  equal((next["arguments"] as Answer)["repository"], "shop", "the rest is asked of it too");
  const { notices } = await hub.call("analyze_impact", { symbols: ["price"] });
  match(String(notices), /^A hub knows the indexed commits alone/);
}

/** A reply without the times of the index, and without what names the repository. */
function toCompared({ freshness: _freshness, truncated, notices, ...rest }: Answer): unknown {
  const { next: _next, ...cut } = truncated as Answer ?? {};
  return { ...rest, cut, notices: notices ?? [] };
}

async function compareRefusals(hub: TestHub, project: IndexedProject): Promise<void> {
  const parts = toParts(project);
  for (const args of REFUSED) {
    const own = await runForProject(analyzeImpactTool as ToolRow, args, parts);
    const refused = await hub.call("analyze_impact", args);
    equal(refused["ok"], false, JSON.stringify(args));
    const codes = (of: unknown) => (of as readonly Answer[]).map(({ code, at }) => `${code} ${at}`);
    deepEqual(codes(refused["problems"]), codes(own["problems"]));
  }
}

async function askOthers(hub: TestHub): Promise<void> {
  const others = async (symbols: readonly string[]) => {
    const found = await hub.askOne("analyze_impact", { repository: "shop", symbols });
    const told = found["other_repositories"] as readonly Answer[] ?? [];
    return told.map(({ repository, total, places }) => ({ repository, total, places }));
  };
  const one = (...places: readonly string[]) => [
    { repository: "app", total: places.length, places },
  ];
  deepEqual(
    await others(["Cart.addItem"]),
    one('web/main.ts:4 call Cart.addItem (name): basket.addItem("book");'),
    "neither an object of another package, nor one of a file without the package",
  );
  deepEqual(
    await others(["price"]),
    one(
      'web/deep.ts:2 call price (name): shop.price("y");',
      'web/main.ts:1 import price (name): import { Cart as Basket, price } from "@shop/cart";',
      'web/main.ts:5 call price (name): price("x");',
    ),
    "the fork means its own package",
  );
  const cart = await others(["Cart"]);
  deepEqual(cart[0]?.places, [
    'web/main.ts:1 import Cart (name): import { Cart as Basket, price } from "@shop/cart";',
    "web/main.ts:3 call Cart (name): const basket = new Basket();",
  ]);
  deepEqual(
    await others(["tax"]),
    one(
      "job.py:2 import tax (name): from shopkit.tax import tax as levy",
      "job.py:3 call tax (name): levy(1)",
      "job.py:4 call tax (name): tax.tax(2)",
    ),
  );
  deepEqual(
    await others(["Money.Add"]),
    one("main.go:11 call Money.Add (name): fmt.Println(m.Add(m))"),
  );
  deepEqual(await others(["New"]), one("main.go:10 call New (name): m := money.New(1)"));
  deepEqual(
    await others(["Stock.count"]),
    one(
      'src/main/java/org/app/Main.java:4 call Stock.count (name): int run(Stock stock) { return stock.count("b"); }',
    ),
  );
  deepEqual(
    await others(["Stock"]),
    one(
      "src/main/java/org/app/Main.java:2 import Stock (name): import com.acme.shop.Stock;",
      'src/main/java/org/app/Main.java:4 type Stock (name): int run(Stock stock) { return stock.count("b"); }',
    ),
    "a type and its constructor are one name",
  );
  deepEqual(await others(["hidden"]), [], "nobody elsewhere can name it");
  const { notices } = await hub.askOne("analyze_impact", { repository: "app", symbols: ["price"] });
  match(String(notices), /No manifest of this repository names a package/);
}
