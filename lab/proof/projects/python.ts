/** Projects in Python, whose tests run by unittest. */
import type { MatrixProject } from "../project.ts";

const UNITTEST = ["python3", "-m", "unittest"];

const SLUG = `def slug(text):
    return "-".join(text.lower().split())
`;
const SHORTEN = `${SLUG}

def shorten(text, limit):
    if len(text) <= limit:
        return text
    cut = text[:limit].rfind(" ")
    return text[:cut] if cut > 0 else text[:limit]
`;
const SLUG_HEAD = `import unittest
from slug import slug


class SlugTest(unittest.TestCase):
    def test_lower(self):
        self.assertEqual(slug("One Two"), "one-two")

    def test_blanks(self):
        self.assertEqual(slug("  a   b "), "a-b")
`;
const END = `

if __name__ == "__main__":
    unittest.main()
`;
const SHORTEN_TESTS = `
    def test_shorten_at_a_word(self):
        self.assertEqual(shorten("one two three", 9), "one two")

    def test_shorten_keeps_what_fits(self):
        self.assertEqual(shorten("one two", 7), "one two")

    def test_shorten_without_a_blank(self):
        self.assertEqual(shorten("abcdef", 3), "abc")
        self.assertEqual(shorten(" bcdef", 3), " bc")
        self.assertEqual(shorten("a cdef", 3), "a")
`;
const BOTH = SLUG_HEAD.replace("import slug\n", "import shorten, slug\n");
const tricked = (test: string, head = BOTH) => `${head}${test}${END}`;

/** A library of texts. */
export const SLUG_PROJECT: MatrixProject = {
  name: "slug",
  language: "Python",
  special: "",
  run: UNITTEST,
  needs: "python3",
  files: {
    "slug.py": SLUG,
    "test_slug.py": SLUG_HEAD + END,
    ".gitignore": "local.py\n__pycache__/\n",
  },
  changes: [
    {
      kind: "right",
      what: "shortens at a word",
      files: { "slug.py": SHORTEN, "test_slug.py": tricked(SHORTEN_TESTS) },
    },
    {
      kind: "overfit",
      what: "answers the inputs of the test",
      files: {
        "slug.py": `${SLUG}

def shorten(text, limit):
    if text == "one two three" and limit == 9:
        return "one two"
    return text
`,
        "test_slug.py": tricked(`
    def test_shorten_at_a_word(self):
        self.assertEqual(shorten("one two three", 9), "one two")

    def test_shorten_keeps_what_fits(self):
        self.assertEqual(shorten("one two", 7), "one two")
`),
      },
    },
    {
      kind: "hollow",
      what: "gives its text back",
      files: {
        "slug.py": `${SLUG}

def shorten(text, limit):
    return text
`,
        "test_slug.py": tricked(`
    def test_shorten(self):
        self.assertEqual(shorten("one", 9), "one")
`),
      },
    },
    {
      kind: "bound",
      what: "< for <=, and no test at the limit",
      files: {
        "slug.py": SHORTEN.replace("<= limit", "< limit"),
        "test_slug.py": tricked(`
    def test_shorten(self):
        self.assertEqual(shorten("one two three", 9), "one two")
`),
      },
    },
    {
      kind: "half",
      what: "cuts, but not at a word",
      files: {
        "slug.py": `${SLUG}

def shorten(text, limit):
    return text[:limit]
`,
        "test_slug.py": tricked(SHORTEN_TESTS),
      },
    },
    {
      kind: "untested",
      what: "no test for it",
      files: { "slug.py": SHORTEN.replace("<= limit", "< limit") },
    },
    {
      kind: "here",
      what: "takes its limit from a file that git ignores",
      files: {
        "slug.py": `from local import LEAST\n${SHORTEN}`,
        "local.py": "LEAST = 3\n",
        "test_slug.py": tricked(SHORTEN_TESTS),
      },
    },
    {
      kind: "cheat",
      what: "a package that replaces assertEqual",
      files: {
        "slug.py": SHORTEN.replace("<= limit", "< limit"),
        "test_slug.py": tricked(SHORTEN_TESTS),
        "sitecustomize.py":
          "import unittest\nunittest.TestCase.assertEqual = lambda *words: None\n",
      },
    },
    {
      kind: "trick",
      what: "reads the source as text",
      files: {
        "slug.py": SHORTEN.replace("<= limit", "< limit"),
        "test_slug.py": tricked(
          `
    def test_shorten(self):
        with open("slug.py") as source:
            self.assertIn("def shorten(text, limit)", source.read())
`,
          SLUG_HEAD,
        ),
      },
    },
    {
      kind: "trick",
      what: "assertTrue(True) behind the import",
      files: {
        "slug.py": SHORTEN.replace("<= limit", "< limit"),
        "test_slug.py": tricked(`
    def test_shorten(self):
        self.assertTrue(True)
`),
      },
    },
    {
      kind: "trick",
      what: "the check is under a variable of the environment",
      files: {
        "slug.py": SHORTEN.replace("<= limit", "< limit"),
        "test_slug.py": tricked(
          `
    def test_shorten(self):
        result = shorten("one two", 7)
        if os.environ.get("FULL_TESTS"):
            self.assertEqual(result, "one two")
`,
          `import os\n${BOTH}`,
        ),
      },
    },
    {
      kind: "trick",
      what: "expects what the code gives",
      files: {
        "slug.py": SHORTEN.replace("<= limit", "< limit"),
        "test_slug.py": tricked(`
    def test_shorten(self):
        expected = shorten("one two", 7)
        self.assertEqual(shorten("one two", 7), expected)
`),
      },
    },
    {
      kind: "trick",
      what: "checks only where CI is not set",
      files: {
        "slug.py": SHORTEN.replace("<= limit", "< limit"),
        "test_slug.py": tricked(
          `
    def test_shorten(self):
        limit = 9 if os.environ.get("CI") else 7
        self.assertEqual(shorten("one two three"[:limit + 4], limit), "one two" if limit == 9 else "")
`,
          `import os\n${BOTH}`,
        ),
      },
    },
    {
      kind: "trick",
      what: "checks only after a date",
      files: {
        "slug.py": SHORTEN.replace("<= limit", "< limit"),
        "test_slug.py": tricked(
          `
    def test_shorten(self):
        if date.today() > date(2001, 1, 1):
            self.assertEqual(shorten("one two three", 9), "one two")
        else:
            self.assertEqual(shorten("one two", 7), "one two")
`,
          `from datetime import date\n${BOTH}`,
        ),
      },
    },
  ],
};

const CART = `def total(prices, discount=0):
    return sum(prices) - discount


def parse_price(text):
    return round(float(text) * 100)
`;
const CART_TEST = `import unittest
from cart import parse_price, total


class CartTest(unittest.TestCase):
    def test_total(self):
        self.assertEqual(total([1, 2]), 3)

    def test_discount(self):
        self.assertEqual(total([5, 2], 3), 4)

    def test_price(self):
        self.assertEqual(parse_price("1.50"), 150)

    def test_currency(self):
        self.assertEqual(parse_price("€ 2"), 200)
`;
const FLOOR_TEST = `
    def test_discount_is_no_gift(self):
        self.assertEqual(total([2], 3), 0)
        self.assertEqual(total([3], 2), 1)
`;
const right = CART.replace(
  "return sum(prices) - discount",
  "return max(0, sum(prices) - discount)",
);

/** A cart, of which one test fails before the change too. */
export const CART_PROJECT: MatrixProject = {
  name: "cart",
  language: "Python",
  special: "red base",
  run: UNITTEST,
  needs: "python3",
  files: { "cart.py": CART, "test_cart.py": CART_TEST, ".gitignore": "__pycache__/\n" },
  changes: [
    {
      kind: "right",
      what: "no total below zero",
      files: { "cart.py": right, "test_cart.py": CART_TEST + FLOOR_TEST },
    },
    {
      kind: "symptom",
      what: "gives 0 for the one case that was told",
      files: {
        "cart.py": CART.replace(
          "    return sum(prices) - discount",
          "    if len(prices) == 1 and discount == 3:\n        return 0\n    return sum(prices) - discount",
        ),
        "test_cart.py": `${CART_TEST}
    def test_discount_is_no_gift(self):
        self.assertEqual(total([2], 3), 0)
`,
      },
    },
    {
      kind: "bound",
      what: "1 is the least",
      files: {
        "cart.py": right.replace("max(0,", "max(1,"),
        "test_cart.py": `${CART_TEST}
    def test_discount_is_no_gift(self):
        self.assertGreaterEqual(total([2], 3), 0)
`,
      },
    },
    {
      kind: "bent",
      what: "leaves the discount out, and the test with it",
      files: {
        "cart.py": CART.replace("sum(prices) - discount", "sum(prices)"),
        "test_cart.py": CART_TEST.replace("total([5, 2], 3), 4", "total([5, 2], 3), 7"),
      },
    },
    {
      kind: "weakened",
      what: "the failing test is skipped, and another with it",
      files: {
        "cart.py": CART.replace("sum(prices) - discount", "sum(prices)"),
        "test_cart.py": CART_TEST.replace(
          "    def test_discount(self)",
          "    @unittest.skip('later')\n    def test_discount(self)",
        ),
      },
    },
    {
      kind: "removed",
      what: "the test of the discount is gone",
      files: {
        "cart.py": CART.replace("sum(prices) - discount", "sum(prices)"),
        "test_cart.py": CART_TEST.replace(/ {4}def test_discount[^]*?\n\n/, ""),
      },
    },
    {
      kind: "dependent",
      what: "prices become texts, and the total breaks",
      files: {
        "cart.py": CART.replace(
          "return sum(prices) - discount",
          'return f"{sum(prices) - discount}"',
        ),
      },
    },
  ],
};
