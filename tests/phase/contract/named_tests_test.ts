/** Which texts name a test, in the forms of many runners. */
import { strictEqual as equal } from "node:assert/strict";
import { namesTest } from "../../../src/phase/contract/named_tests.ts";

const check = (text: string, test: string, isNamed: boolean) =>
  equal(namesTest(text, test), isNamed, `${text} | ${test}`);

Deno.test("namesTest() finds the name of a test as each runner writes it, and in prose", () => {
  const rows: readonly (readonly [text: string, test: string])[] = [
    ["tests/test_auth.py::TestLogin::test_in[1-a] passed", "tests/test_auth.py: test_in"],
    ["TestLogin::test_in[1-a] passed", "tests/test_auth.py: test_in"],
    ["test_in (tests.test_auth.TestLogin.test_in) ... ok", "tests/test_auth.py: test_other"],
    ["I ran Test_In, and it passes", "tests/test_auth.py: test_in"],
    ["go test -run TestLogin/empty_name ./auth", "auth/auth_test.go: TestLogin"],
    ["go test -run TestLogin/empty_name ./auth", "auth/auth_test.go: empty name"],
    ["login form shows 3 fields: passed", "src/login.test.ts: shows 3 fields"],
    ["login form > works", "src/login.test.ts: works"],
    ["● login › empty name", "src/login.test.ts: empty name"],
    ['the test "works" passes', "src/login.test.ts: works"],
    ["com.acme.LoginTest.rejects()", "src/test/java/LoginTest.java: rejects"],
    ["mvn test -Dtest=LoginTest#rejects", "src/test/java/LoginTest.java: accepts"],
    ["mvn test -Dtest=Login#rejects", "src/test/java/LoginIT.java: rejects"],
    ["auth::tests::rejects_empty ... ok", "tests/auth.rs: rejects_empty"],
    ["auth::tests::rejects ... ok", "tests/auth.rs: rejects"],
    ["LoginTest::testEmpty with data set #1", "tests/LoginTest.php: testEmpty"],
    ["Login.Empty passed", "tests/login.cc: Empty"],
    ["adds 1 and 2", "src/sum.test.ts: adds %i and %i"],
    ["login_test passes", "tests/login_test.ts: shows 3 fields"],
    ["`deno test tests/login_test.ts`: 4 passed", "tests/login_test.ts"],
    ["Shows 3 fields, seen in its run", "tests/login_test.ts: shows 3 fields"],
  ];
  for (const [text, test] of rows) check(text, test, true);
});

Deno.test("namesTest() takes no words of a sentence for the name of a test", () => {
  const rows: readonly (readonly [text: string, test: string])[] = [
    ["the login works in the shell", "src/login.test.ts: works"],
    ["an empty name is refused", "src/login.test.ts: empty name"],
    ["added a button", "src/a.test.ts: add"],
    ["ran test_input by hand", "tests/test_auth.py: test_in"],
    ["testing it by hand", "tests/test.py: test_in"],
    ["I test auth in the shell", "tests/test_auth.py: test_in"],
    ["other_login_test.ts passes", "tests/login_test.ts"],
    ["it works.", "tests/login_test.ts: works"],
    ["", "tests/login_test.ts: works"],
  ];
  for (const [text, test] of rows) check(text, test, false);
});
