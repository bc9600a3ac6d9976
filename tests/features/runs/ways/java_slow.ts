/** JUnit under Maven, on a real project: each test with what it ran and who called across files. */
import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { JAVA_WAY } from "../../../../src/features/runs/ways/java.ts";
import { testNeeding } from "../../../support/needs.ts";
import { makeContext, makeProject, needProgram, showTests } from "./apart_run.ts";

const MAVEN = needProgram("mvn", "--version");

const dependency = (group: string, artifact: string, version: string) =>
  `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version><scope>test</scope></dependency>`;

const pom = (test: string) =>
  `<project xmlns="http://maven.apache.org/POM/4.0.0">
<modelVersion>4.0.0</modelVersion><groupId>x</groupId><artifactId>shop</artifactId><version>1</version>
<properties><maven.compiler.release>11</maven.compiler.release><project.build.sourceEncoding>UTF-8</project.build.sourceEncoding></properties>
<dependencies>${test}</dependencies>
<build><plugins>
<plugin><artifactId>maven-surefire-plugin</artifactId><version>3.5.6</version></plugin>
<plugin><artifactId>maven-compiler-plugin</artifactId><version>3.13.0</version></plugin>
</plugins></build></project>
`;

const SOURCES = {
  "src/main/java/shop/Cart.java": `package shop;

import java.util.function.IntUnaryOperator;

public class Cart {
  private int sum;
  static final IntUnaryOperator TWICE = (n) -> 2 * n;

  public int add(int n) {
    if (n < 0) throw new IllegalArgumentException("below");
    sum += Price.round(n);
    return sum;
  }

  public int never() { return 0; }
}
`,
  "src/main/java/shop/Price.java": `package shop;

class Price {
  static int round(int n) {
    return Cart.TWICE.applyAsInt(n) / 2;
  }
}
`,
};

/** Records the tests under Maven, as the program does. */
async function record(files: Readonly<Record<string, string>>) {
  const root = await makeProject(files);
  const run = ["mvn", "-B", "-q", "test"];
  const context = await makeContext(root, run);
  const env = await JAVA_WAY.prepare(context);
  const { output } = await context.execute({ run, env, timeoutMs: 300_000 });
  return { recording: await JAVA_WAY.read(context), output, env };
}

testNeeding(
  [MAVEN],
  "a record of JUnit 5 under Maven names what each test ran, set-up included",
  async () => {
    const { recording, output } = await record({
      ...SOURCES,
      "pom.xml": pom(dependency("org.junit.jupiter", "junit-jupiter", "5.14.4")),
      // Tests that run side by side could not be told apart.
      "src/test/resources/junit-platform.properties":
        "junit.jupiter.execution.parallel.enabled = true\njunit.jupiter.execution.parallel.mode.default = concurrent\n",
      "src/test/java/shop/CartTest.java": `package shop;

import static org.junit.jupiter.api.Assertions.*;
import org.junit.jupiter.api.*;
import org.junit.jupiter.params.*;
import org.junit.jupiter.params.provider.*;

class CartTest {
  static int prepared;

  @BeforeAll
  static void prepare() { prepared = Price.round(1); }

  @Test
  void adds() { assertEquals(1, new Cart().add(1)); }

  @Test
  void fails() { assertEquals(9, prepared); }

  @ParameterizedTest
  @ValueSource(ints = {1, -1})
  void many(int n) { new Cart().add(n); }

  @Test
  @Disabled
  void later() { new Cart().never(); }
}
`,
    });
    equal(recording.isWhole, true, `${recording.notes.join(" ")}\n${output}`);
    const [test, cart, price] = [
      "src/test/java/shop/CartTest.java",
      "src/main/java/shop/Cart.java",
      "src/main/java/shop/Price.java",
    ];
    const setUp = `${cart}:7 ${price}:5`;
    const tests = showTests(recording);
    equal(
      tests[`shop.CartTest.adds passed ${test}`],
      [`${cart}:10`, `${cart}:5`, `${setUp}`, `${test}:12`, `${test}:15`, `${test}:8`].join(" "),
    );
    equal(
      tests[`shop.CartTest.fails failed ${test}`],
      [setUp, `${test}:12`, `${test}:18`, `${test}:8`].join(" "),
    );
    match(tests[`shop.CartTest.many[1] passed ${test}`] ?? "", /Price\.java:5/);
    ok(tests[`shop.CartTest.many[2] failed ${test}`] !== undefined);
    equal(tests[`shop.CartTest.later skipped ${test}`], "");
    const calls = recording.calls.map(([from, to, line]) =>
      `${recording.functions[from]?.path}:${line} ${recording.functions[to]?.name}`
    );
    // The function of a field is called through an interface of the library: no name leads to it.
    ok(calls.some((call) => call.startsWith(`${price}:5 lambda`)), calls.join("\n"));
    ok(calls.includes(`${cart}:11 round`), calls.join("\n"));
  },
);

testNeeding(
  [MAVEN],
  "a record of JUnit 4 under Maven names its tests and their outcomes",
  async () => {
    const { recording, output } = await record({
      ...SOURCES,
      "pom.xml": pom(dependency("junit", "junit", "4.13.2")),
      "src/test/java/shop/OldTest.java": `package shop;

import static org.junit.Assert.*;
import org.junit.*;

public class OldTest {
  private final Cart cart = new Cart();

  @Test
  public void adds() { assertEquals(1, cart.add(1)); }

  @Test
  public void fails() { fail("no"); }

  @Test
  public void assumes() { Assume.assumeTrue(false); }

  @Ignore
  @Test
  public void later() {}
}
`,
    });
    equal(recording.isWhole, true, `${recording.notes.join(" ")}\n${output}`);
    const ran = showTests(recording);
    const file = "src/test/java/shop/OldTest.java";
    deepEqual(Object.keys(ran).filter((name) => name !== "loaded").sort(), [
      `shop.OldTest.adds passed ${file}`,
      `shop.OldTest.assumes skipped ${file}`,
      `shop.OldTest.fails failed ${file}`,
      `shop.OldTest.later skipped ${file}`,
    ]);
    match(ran[`shop.OldTest.adds passed ${file}`] ?? "", /Price\.java:5/);
    equal(/Price/.test(ran[`shop.OldTest.fails failed ${file}`] ?? ""), false);
  },
);

testNeeding([MAVEN], "a command that runs no test of JUnit says so", async () => {
  const root = await makeProject({ "pom.xml": pom("") });
  const context = await makeContext(root, ["mvn", "-B", "-q", "validate"]);
  const env = await JAVA_WAY.prepare(context);
  await context.execute({ run: context.run, env, timeoutMs: 300_000 });
  const { isWhole, notes } = await JAVA_WAY.read(context);
  equal(isWhole, false);
  match(notes.join(" "), /No test of JUnit ran/);
});
