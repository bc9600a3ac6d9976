/** The naming table of tests, row by row. */
import { strictEqual as equal } from "node:assert/strict";
import { parseTestName } from "../../src/language/test_names.ts";

/** What the file tests, `""` where only its folder says that it is a test, null where it is none. */
const ROWS: readonly (readonly [path: string, subject: string | null])[] = [
  ["src/user.test.ts", "user"],
  ["src/user.spec.tsx", "user"],
  ["src/user_test.ts", "user"],
  ["src/my-list-test.js", "my-list"],
  ["src/Card.spec.vue", "Card"],
  ["cypress/login.cy.js", "login"],
  ["src/__tests__/user.ts", ""],
  ["src/tester.ts", null],
  ["src/latest.ts", null],
  ["test_user.py", "user"],
  ["app/user_test.py", "user"],
  ["app/tests.py", ""],
  ["app/tests/factories.py", ""],
  ["app/contest.py", null],
  ["pkg/user_test.go", "user"],
  ["pkg/test_user.go", null],
  ["src/user_tests.rs", "user"],
  ["tests/cli.rs", ""],
  ["src/main/java/UserTest.java", "User"],
  ["src/main/java/TestUser.java", "User"],
  ["src/main/java/UserIT.java", "User"],
  ["src/main/java/Latest.java", null],
  ["src/test/java/Support.java", ""],
  ["src/UserSpec.kt", "User"],
  ["src/UserSuite.scala", "User"],
  ["Shop.Tests/Helper.cs", ""],
  ["Shop/UserTests.cs", "User"],
  ["Shop/Contests.cs", null],
  ["src/UserTest.php", "User"],
  ["src/UserCest.php", "User"],
  ["tests/views/home.blade.php", null],
  ["spec/user_spec.rb", "user"],
  ["spec/spec_helper.rb", ""],
  ["ShopTests/UserTests.swift", "User"],
  ["src/user_unittest.cc", "user"],
  ["src/test_user.c", "user"],
  ["lib/user_test.exs", "user"],
  ["lib/user_test.dart", "user"],
  ["src/UserSpec.hs", "User"],
  ["lib/user_spec.lua", "user"],
  ["tests/data/user.json", null],
  ["tests/page.html", null],
  ["tests/README.md", null],
  ["tests/picture.png", null],
  ["docs/test_plan.md", null],
];

for (const [path, subject] of ROWS) {
  const what = subject === null ? "no test" : subject === "" ? "a test" : `the test of ${subject}`;
  Deno.test(`parseTestName() takes ${path} for ${what}`, () => {
    const name = parseTestName(path);
    equal(name === null ? null : name.subject ?? "", subject);
  });
}
