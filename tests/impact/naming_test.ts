/** Files that belong to a target by their names. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { findNamed, findTestsOf, normalizeName } from "../../src/impact/naming.ts";

Deno.test("findNamed() knows tests, factories and seeders in every style of writing names", () => {
  const files = [
    "tests/test_cart_service.py",
    "src/cart-service.spec.ts",
    "src/__tests__/cartService.ts",
    "tests/Unit/CartServiceTest.php",
    "spec/cart_services_spec.rb",
    "database/factories/CartServiceFactory.php",
    "database/seeders/CartServiceSeeder.php",
    "tests/fixtures/cart_service.py",
    "src/cart_service.py",
    "tests/test_cart.py",
    "docs/cart_service.md",
  ];
  const found = findNamed(["src/cart_service.py"], files);
  deepEqual(found.tests, [
    "tests/test_cart_service.py",
    "src/cart-service.spec.ts",
    "src/__tests__/cartService.ts",
    "tests/Unit/CartServiceTest.php",
    "tests/fixtures/cart_service.py",
  ]);
  deepEqual(found.factories, ["database/factories/CartServiceFactory.php"]);
  deepEqual(found.seeders, ["database/seeders/CartServiceSeeder.php"]);
});

Deno.test("findNamed() takes the plural where no test has the name itself, and folders for entries", () => {
  deepEqual(findNamed(["app/user.rb"], ["spec/users_spec.rb"]).tests, ["spec/users_spec.rb"]);
  deepEqual(findNamed(["app/user.rb"], ["spec/users_spec.rb", "spec/user_spec.rb"]).tests, [
    "spec/user_spec.rb",
  ]);
  deepEqual(findNamed(["src/auth/index.ts"], ["src/auth.test.ts", "src/index.test.ts"]).tests, [
    "src/auth.test.ts",
  ]);
});

Deno.test("findNamed() knows what came to a list and what left it, though names are taken apart once", () => {
  const files = ["src/cart.ts", "src/cart.test.ts"];
  deepEqual(findNamed(["src/cart.ts"], files).tests, ["src/cart.test.ts"]);
  deepEqual(findNamed(["src/cart.ts"], files).tests, ["src/cart.test.ts"]);
  const later = ["src/cart.ts", "tests/cart_test.ts"];
  deepEqual(findNamed(["src/cart.ts"], later).tests, ["tests/cart_test.ts"]);
  deepEqual(findTestsOf(["Cart.add"], later), ["tests/cart_test.ts"]);
});

Deno.test("normalizeName() is the same for all styles, and keeps words that only look like plurals", () => {
  equal(normalizeName("HTTPServer"), normalizeName("http_servers"));
  equal(normalizeName("categories"), "category");
  equal(normalizeName("status"), "status");
  equal(normalizeName("boxes"), "box");
});
