/** PHPUnit on a real project: each test with what it ran. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { PHP_WAY } from "../../../../src/features/runs/ways/php.ts";
import { testNeeding } from "../../../support/needs.ts";
import { makeContext, makeProject, needProgram, recordProject, showTests } from "./apart_run.ts";

const PHPUNIT = needProgram("phpunit", "--version");
const RUN = ["phpunit", "tests"];
const FILES = {
  "src/Cart.php": `<?php
class Cart {
  private int $n = 0;

  public function add(int $n): int
  {
    $this->n += round_it($n);
    return $this->n;
  }
  public function never(): int { return 0; }
}
function round_it(int $n): int {
  return $n;
}
`,
  "tests/CartTest.php": `<?php
require_once __DIR__ . '/../src/Cart.php';
final class CartTest extends PHPUnit\\Framework\\TestCase {
  public function testAdd(): void { $this->assertSame(1, (new Cart)->add(1)); }
  /** @dataProvider more */
  public function testMore(int $n): void { $this->assertSame(1, round_it($n)); }
  public static function more(): array { return [[1], 'two' => [2]]; }
  public function testLater(): void { $this->markTestSkipped('x'); }
}
`,
};

testNeeding(
  [PHPUNIT],
  "a record of PHPUnit names what each test ran, and each data set",
  async () => {
    const recording = await recordProject(PHP_WAY, FILES, RUN);
    const file = "tests/CartTest.php";
    deepEqual(showTests(recording), {
      [`CartTest::testAdd passed ${file}`]: "src/Cart.php:13 src/Cart.php:7 src/Cart.php:8",
      [`CartTest::testMore with data set #0 passed ${file}`]: "src/Cart.php:13",
      [`CartTest::testMore with data set "two" failed ${file}`]: "src/Cart.php:13",
      [`CartTest::testLater skipped ${file}`]: "",
      loaded: "",
    });
    deepEqual([recording.isWhole, recording.notes], [true, []]);
  },
);

testNeeding(
  [PHPUNIT],
  "tests that name what they cover, and a command without phpunit, are told",
  async () => {
    const test = FILES["tests/CartTest.php"].replace(
      "final class",
      "/** @covers Cart */\nfinal class",
    );
    const { isWhole, notes } = await recordProject(PHP_WAY, {
      ...FILES,
      "tests/CartTest.php": test,
    }, RUN);
    equal(isWhole, false);
    match(notes.join(" "), /name what they cover are recorded for that alone/);
    const context = await makeContext(await makeProject(FILES), ["composer", "test"]);
    match(
      await PHP_WAY.findHindrance(context) ?? "",
      /does not name phpunit\. Name its own command/,
    );
  },
);
