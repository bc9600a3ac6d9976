/** Small projects of many languages, and for some of their definitions the files that depend on them for certain. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import type { ImpactFound } from "../../src/impact/analyze.ts";
import { createImpactProject } from "./impact_project.ts";

/** Files of a project, and what must be verified for a symbol of a file. */
export interface LanguageCases {
  readonly files: Readonly<Record<string, string>>;
  readonly rows: readonly (readonly [file: string, symbol: string, expected: readonly string[]])[];
}

/** TypeScript, Python and Go. */
export const COMMON_LANGUAGES: LanguageCases = {
  files: {
    "web/tsconfig.json":
      '{ "compilerOptions": { "baseUrl": ".", "paths": { "~lib/*": ["lib/*"] } } }',
    "web/lib/money.ts":
      "export function round(n: number) { return n; }\nexport class Till { open() { return round(1); } }\n",
    "web/lib/index.ts": "export * from './money';\nexport * as cash from './money';\n",
    "web/alias.ts": "import { round } from '~lib/money';\nexport const a = round(1);\n",
    "web/barrel.ts":
      "import { Till } from './lib';\nexport const till = new Till();\ntill.open();\n",
    "web/space.ts": "import * as lib from './lib';\nlib.cash.round(2);\n",
    "web/own.ts":
      "// round is only mentioned here\nconst round = (n: number) => n;\nround('round');\n",
    "packages/core/package.json":
      '{ "name": "@shop/core", "exports": { "./tax": { "types": "./dist/tax.d.ts", "default": "./dist/tax.js" } } }',
    "packages/core/src/tax.ts": "export const rate = () => 1;\n",
    "packages/app/use.ts": "import { rate } from '@shop/core/tax';\nrate();\n",
    "py/shop/__init__.py": "from .cart import Cart\n",
    "py/shop/cart.py": "class Cart:\n    def total(self) -> int:\n        return 1\n",
    "py/use_cart.py": "import shop\n\n\ndef go(cart: shop.Cart):\n    return cart.total()\n",
    "py/other.py": "class Bill:\n    def total(self):\n        return 2\n\n\nBill().total()\n",
    "go/go.mod": "module example.com/bill\n\ngo 1.22\n",
    "go/tax/tax.go":
      "package tax\n\ntype Rate struct{}\n\nfunc (r *Rate) Of(n int) int { return n }\n\nfunc New() *Rate { return &Rate{} }\n",
    "go/main.go":
      'package main\n\nimport "example.com/bill/tax"\n\nfunc main() {\n\tr := tax.New()\n\tr.Of(1)\n}\n',
  },
  rows: [
    ["web/lib/money.ts", "round", ["web/alias.ts", "web/space.ts"]],
    ["web/lib/money.ts", "Till.open", ["web/barrel.ts"]],
    ["packages/core/src/tax.ts", "rate", ["packages/app/use.ts"]],
    ["py/shop/cart.py", "Cart", ["py/shop/__init__.py", "py/use_cart.py"]],
    ["py/shop/cart.py", "Cart.total", ["py/use_cart.py"]],
    ["go/tax/tax.go", "Rate.Of", ["go/main.go"]],
  ],
};

/** The others whose imports are followed. */
export const MORE_LANGUAGES: LanguageCases = {
  files: {
    "php/composer.json": '{ "autoload": { "psr-4": { "Shop\\\\": "src/" } } }',
    "php/src/Price.php":
      "<?php\nnamespace Shop;\n\nclass Price { public function net(): int { return 1; } }\n",
    "php/src/Sub/Bill.php":
      "<?php\nnamespace Shop\\Sub;\n\nuse Shop\\Price;\n\nclass Bill { public function sum(Price $p): int { return $p->net(); } }\n",
    "java/src/com/shop/Stock.java":
      "package com.shop;\n\npublic class Stock { public int left() { return 1; } }\n",
    "java/src/com/web/Page.java":
      "package com.web;\n\nimport com.shop.Stock;\n\npublic class Page { int show(Stock s) { return s.left(); } }\n",
    "rust/Cargo.toml": '[package]\nname = "bill"\n',
    "rust/src/lib.rs": "pub mod unit;\npub mod user;\n",
    "rust/src/unit.rs": "pub fn grams() -> u8 { 1 }\n",
    "rust/src/user.rs": "use crate::unit::grams;\n\npub fn go() -> u8 { grams() }\n",
    "cs/Area.cs": "namespace Shop.Geo;\n\npublic class Area { public int Size() { return 1; } }\n",
    "cs/Map.cs":
      "using Shop.Geo;\n\nnamespace Shop.Ui;\n\npublic class Map { int Go(Area a) { return a.Size(); } }\n",
    "rb/lib/coin.rb": "class Coin\n  def flip\n    1\n  end\nend\n",
    "rb/bin/run.rb": "require_relative '../lib/coin'\n\ncoin = Coin.new\ncoin.flip\n",
    "c/clock.h": "int tick(void);\n",
    "c/clock.c": '#include "clock.h"\n\nint tick(void) { return 1; }\n',
    "c/main.c": '#include "clock.h"\n\nint main(void) { return tick(); }\n',
    "kt/src/com/kt/Key.kt": "package com.kt\n\nclass Key { fun turn(): Int = 1 }\n",
    "kt/src/com/door/Door.kt":
      "package com.door\n\nimport com.kt.Key\n\nfun open(key: Key) = key.turn()\n",
  },
  rows: [
    ["php/src/Price.php", "Price.net", ["php/src/Sub/Bill.php"]],
    ["java/src/com/shop/Stock.java", "Stock.left", ["java/src/com/web/Page.java"]],
    ["rust/src/unit.rs", "grams", ["rust/src/user.rs"]],
    ["cs/Area.cs", "Area.Size", ["cs/Map.cs"]],
    ["rb/lib/coin.rb", "Coin.flip", ["rb/bin/run.rb"]],
    ["c/clock.c", "tick", ["c/main.c"]],
    ["kt/src/com/kt/Key.kt", "Key.turn", ["kt/src/com/door/Door.kt"]],
  ],
};

/** The files that must be verified. */
export function must(found: ImpactFound): readonly string[] {
  return found.files.filter(({ isMust }) => isMust).map(({ path }) => path);
}

/** Makes one project of all the cases, and compares what must be verified. */
export async function checkLanguages(...cases: readonly LanguageCases[]): Promise<void> {
  await using project = await createImpactProject(
    Object.assign({}, ...cases.map(({ files }) => files)),
  );
  for (const [file, symbol, expected] of cases.flatMap(({ rows }) => rows)) {
    const found = await project.ask({ targetFiles: [file], symbols: [symbol] });
    deepEqual(must(found), expected, symbol);
  }
}
