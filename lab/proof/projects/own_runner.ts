/** Projects in Java and C, whose tests run by a script of their own. */
import type { MatrixProject } from "../project.ts";

const MONEY = `public final class Money {
  private Money() {}

  static String format(long cents) {
    return cents / 100 + "." + String.format("%02d", cents % 100);
  }
}
`;
const runner = (tests: string) =>
  `public final class MoneyTest {
  static int count = 0;
  static boolean failed = false;

  static void check(String name, Object got, Object wanted) {
    boolean isRight = got.equals(wanted);
    failed |= !isRight;
    System.out.println((isRight ? "ok " : "not ok ") + ++count + " - " + name);
    if (!isRight) System.out.println("  ---\\n  message: '" + got + " is not " + wanted + "'\\n  ...");
  }

${tests}
  public static void main(String[] words) {
    System.out.println("TAP version 13");
    for (var method : MoneyTest.class.getDeclaredMethods()) {
      if (!method.getName().startsWith("test") || method.getParameterCount() > 0) continue;
      try {
        method.invoke(null);
      } catch (ReflectiveOperationException problem) {
        check(method.getName(), problem.getCause() + "", "");
      }
    }
    System.out.println("1.." + count);
    System.exit(failed ? 1 : 0);
  }
}
`;
const FORMAT_TEST = `  static void testFormat() {
    check("testFormat", format(1234), "12.34");
  }

  static String format(long cents) {
    return Money.format(cents);
  }
`;
const SPLIT = MONEY.replace(
  /\}\n$/,
  `
  static long[] split(long cents, int parts) {
    if (parts < 1) throw new IllegalArgumentException("parts");
    long[] found = new long[parts];
    for (int at = 0; at < parts; at++) found[at] = cents / parts + (at < cents % parts ? 1 : 0);
    return found;
  }
}
`,
);
const SPLIT_TEST = `${FORMAT_TEST}
  static void testSplit() {
    check("testSplit", java.util.Arrays.toString(Money.split(100, 3)), "[34, 33, 33]");
  }

  static void testSplitOne() {
    check("testSplitOne", java.util.Arrays.toString(Money.split(5, 1)), "[5]");
  }

  static void testSplitInTwo() {
    check("testSplitInTwo", java.util.Arrays.toString(Money.split(5, 2)), "[3, 2]");
  }

  static void testRefuses() {
    String said = "";
    try {
      Money.split(5, 0);
    } catch (IllegalArgumentException problem) {
      said = problem.getMessage();
    }
    check("testRefuses", said, "parts");
  }
`;

/** Money, whose tests run by a shell script without a library. */
export const MONEY_PROJECT: MatrixProject = {
  name: "money",
  language: "Java",
  special: "own runner",
  run: ["sh", "run_tests.sh"],
  needs: "javac",
  files: {
    "src/Money.java": MONEY,
    "test/MoneyTest.java": runner(FORMAT_TEST),
    "run_tests.sh": "set -e\njavac -d out src/*.java test/*.java\njava -cp out MoneyTest\n",
    ".gitignore": "out/\n",
  },
  changes: [
    {
      kind: "right",
      what: "splits without losing a cent",
      files: { "src/Money.java": SPLIT, "test/MoneyTest.java": runner(SPLIT_TEST) },
    },
    {
      kind: "half",
      what: "loses the rest",
      files: {
        "src/Money.java": SPLIT.replace(" + (at < cents % parts ? 1 : 0)", ""),
        "test/MoneyTest.java": runner(SPLIT_TEST),
      },
    },
    {
      kind: "hollow",
      what: "an array of that length",
      files: {
        "src/Money.java": MONEY.replace(
          /\}\n$/,
          "\n  static long[] split(long cents, int parts) {\n    return null;\n  }\n}\n",
        ),
        "test/MoneyTest.java": runner(
          `${FORMAT_TEST}\n  static void testSplit() {\n    Money.split(100, 3);\n    check("testSplit", 1, 1);\n  }\n`,
        ),
      },
    },
    {
      kind: "bent",
      what: "a cent of one digit",
      files: {
        "src/Money.java": MONEY.replace('String.format("%02d", cents % 100)', "cents % 10"),
        "test/MoneyTest.java": runner(FORMAT_TEST.replace('"12.34"', '"12.4"')),
      },
    },
    {
      kind: "untested",
      what: "no test for it",
      files: { "src/Money.java": SPLIT.replace("at < cents % parts ? 1 : 0", "at < 1 ? 1 : 0") },
    },
    {
      kind: "cheat",
      what: "the script of the tests ends well whatever they say",
      files: {
        "src/Money.java": SPLIT.replace("at < cents % parts ? 1 : 0", "at < 1 ? 1 : 0"),
        "test/MoneyTest.java": runner(SPLIT_TEST),
        "run_tests.sh":
          "set -e\njavac -d out src/*.java test/*.java\njava -cp out MoneyTest || true\n",
      },
    },
  ],
};

const TEXT_H = "int count_words(const char *text);\n";
const TEXT = `#include "text.h"

int count_words(const char *text) {
  int count = 0;
  int is_inside = 0;
  for (; *text != 0; text++) {
    if (*text == ' ') is_inside = 0;
    else if (!is_inside) {
      is_inside = 1;
      count++;
    }
  }
  return count;
}
`;
const textTest = (body: string, calls: string) =>
  `#include <stdio.h>
#include <string.h>
#include "../src/text.h"

static int count = 0;
static int failed = 0;

static void check(const char *name, int is_right) {
  printf("%sok %d - %s\\n", is_right ? "" : "not ", ++count, name);
  if (!is_right) failed = 1;
}

static void test_count(void) {
  check("test_count", count_words("one  two") == 2 && count_words("") == 0);
}
${body}
int main(void) {
  puts("TAP version 13");
  test_count();
${calls}  printf("1..%d\\n", count);
  return failed;
}
`;
const LONGEST = `${TEXT}
int longest_word(const char *text) {
  int longest = 0;
  int length = 0;
  for (; *text != 0; text++) {
    length = *text == ' ' ? 0 : length + 1;
    if (length > longest) longest = length;
  }
  return longest;
}
`;
const LONGEST_H = `${TEXT_H}int longest_word(const char *text);\n`;
const LONGEST_TEST = textTest(
  `
static void test_longest(void) {
  check("test_longest", longest_word("one three two") == 5 && longest_word("") == 0 && longest_word("a") == 1);
}
`,
  "  test_longest();\n",
);

/** Texts in C, whose tests run by a shell script. */
export const TEXT_PROJECT: MatrixProject = {
  name: "text",
  language: "C",
  special: "own runner",
  run: ["sh", "run_tests.sh"],
  needs: "gcc",
  files: {
    "src/text.h": TEXT_H,
    "src/text.c": TEXT,
    "tests/test_text.c": textTest("", ""),
    "run_tests.sh": "set -e\nmkdir -p out\ngcc -Wall -o out/tests src/*.c tests/*.c\n./out/tests\n",
    ".gitignore": "out/\n",
  },
  changes: [
    {
      kind: "right",
      what: "the longest word",
      files: { "src/text.h": LONGEST_H, "src/text.c": LONGEST, "tests/test_text.c": LONGEST_TEST },
    },
    {
      kind: "symptom",
      what: "stops at the first blank",
      files: {
        "src/text.h": LONGEST_H,
        "src/text.c": LONGEST.replace(
          "*text != 0; text++) {\n    length",
          "*text != 0 && *text != ' '; text++) {\n    length",
        ),
        "tests/test_text.c": LONGEST_TEST,
      },
    },
    {
      kind: "hollow",
      what: "none",
      files: {
        "src/text.h": LONGEST_H,
        "src/text.c":
          `${TEXT}\nint longest_word(const char *text) {\n  (void)text;\n  return 0;\n}\n`,
        "tests/test_text.c": textTest(
          '\nstatic void test_longest(void) {\n  check("test_longest", longest_word("") == 0);\n}\n',
          "  test_longest();\n",
        ),
      },
    },
    {
      kind: "bound",
      what: "counts the end of the text",
      files: {
        "src/text.c": TEXT.replace("*text == ' '", "*text <= ' ' && count < 9"),
        "tests/test_text.c": textTest("", ""),
      },
    },
    {
      kind: "weakened",
      what: "the empty text is no longer asserted",
      files: {
        "src/text.c": TEXT.replace("int count = 0", "int count = *text == 0"),
        "tests/test_text.c": textTest("", "").replace(' && count_words("") == 0', ""),
      },
    },
    {
      kind: "removed",
      what: "the test is not called",
      files: {
        "src/text.c": TEXT.replace("count++", "count += 2"),
        "tests/test_text.c": LONGEST_TEST.replace("  test_count();\n", "")
          .replace(/longest_word\("one[^;]*\)/, "1").replace("longest_word", "count_words"),
      },
    },
  ],
};
