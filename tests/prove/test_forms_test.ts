/** Forms of tests that pass whatever the code does, each with its own words, and tests that only look like them. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { findForms } from "../../src/prove/test_forms.ts";

const SOURCE = ["def clip(text, size):", "    return text[:size]"];

/** What is found in tests beside a source with added lines. */
function find(
  tests: readonly string[],
  { source = SOURCE, before = "" }: {
    readonly source?: readonly string[];
    readonly before?: string;
  } = {},
) {
  const path = "test_text.py";
  const read = tests.map((text, at) => ({
    ...{ place: `${path}: test_${at}`, path, name: `test_${at}` },
    text: `def test_${at}(self):\n${text}`,
  }));
  const whole = [before, ...read.map(({ text }) => text)].join("\n");
  return findForms({
    tests: read,
    sources: [{ path: "src/text.py", added: source.map((text, at) => ({ line: at + 3, text })) }],
    texts: new Map([[path, whole]]),
  });
}

const FORMS: readonly (readonly [test: string, what: RegExp])[] = [
  [
    'self.assertIn("def clip", open("src/text.py").read())',
    /^reads src\/text\.py as text: it says/,
  ],
  ["self.assertIn('size', inspect.getsource(clip))", /^reads the source as text/],
  ["self.assertTrue(True)", /^asserts a constant/],
  ["    assert True", /^asserts a constant/],
  ["assert.ok(true);", /^asserts a constant/],
  ['expect("a").toBe("a");', /^asserts a constant/],
  [
    'if os.environ.get("FULL"): self.assertEqual(clip("abc", 2), "ab")',
    /FULL.*where it is not set/,
  ],
  [
    "const size = process.env.CI ? 2 : 3; equal(size, clip());",
    /CI.*in CI and elsewhere it says different things/,
  ],
  ["if date.today() > date(2001, 1, 1): self.assertEqual(1, clip())", /^depends on the date/],
  [
    'expected = clip("abc", 2)\nself.assertEqual(clip("abc", 2), expected)',
    /^expects what the code itself gives/,
  ],
  ['assert.equal(clip("abc", 2), clip("abc", 2))', /^expects what the code itself gives/],
  ["self.assertEqual(clip(2, 2), 4)", /^gives clip nothing but equal numbers \(2, 2\)/],
];

Deno.test("findForms() names each form of a test that cannot fail in its own words", () => {
  for (const [test, what] of FORMS) {
    const found = find([test]);
    equal(found.length, 1, `${test}: ${JSON.stringify(found)}`);
    match(found[0]?.what ?? "", what);
    equal(found[0]?.place, "test_text.py: test_0");
  }
});

Deno.test("findForms() says nothing of tests that set the environment, read data, or assert more beside a constant", () => {
  const plain = [
    'self.assertEqual(clip("abc", 2), "ab")',
    'os.environ["HOME"] = "/a"\nself.assertEqual(home(), "/a")',
    'data = open("tests/data/a.json").read()\nself.assertEqual(parse(data), 1)',
    'self.assertTrue(True)\nself.assertEqual(clip("abc", 2), "ab")\nself.assertEqual(1, 1)',
    'result = clip("abc", 2)\nself.assertEqual(result, "ab")',
    "self.assertEqual(clip(2, 2), 4)\nself.assertEqual(clip(2, 3), 6)",
    "start = time.time()\nself.assertEqual(clip(start), 1)\nself.assertEqual(order(v(1), v(1)), 0)",
    'req := newRequest("GET", "/")\ncheck(serve(req))\nreq = newRequest("GET", "/")\ncheck(serve(req))',
    "a, err := num.Parse(v[i])\ncheck(a, err)\na, err := num.Parse(v[i])\ncheck(a, err)",
  ];
  for (const test of plain) deepEqual(find([test]), [], test);
});

Deno.test("findForms() names a test without an assertion, which counts only where it passes without the work", () => {
  const [found] = find(['    clip("abc", 2)']);
  match(found?.what ?? "", /^asserts nothing/);
  equal(found?.isOfPassing, true);
  for (const test of ["t.Error(1)", "if got != want: raise ValueError", "check(clip())"]) {
    deepEqual(find([test]), [], test);
  }
});

Deno.test("findForms() names what a test takes from another one, unless each test gets its own", () => {
  const tests = ["last = []\nlast.append(3)\ncheck(last)", "self.assertEqual(steps(), last)"];
  const [found] = find(tests, { before: "last = []" });
  match(found?.what ?? "", /^takes what another test leaves in last: it depends on the order/);
  equal(found?.place, "test_text.py: test_1");
  deepEqual(find(tests, { before: "last = []\ndef setUp(self):\n    last = []" }), []);
});

Deno.test("findForms() names code that answers the inputs of a changed test with what it expects", () => {
  const test = 'self.assertEqual(clip("abc", 20), "ab")';
  const known = [
    ['    if text == "abc":', '        return "ab"'],
    ["  if (text === 'abc') return 'ab';"],
    ["    if size == 20 and text:", "", '        return ("ab")'],
  ];
  for (const source of known) {
    const [found] = find([test], { source });
    match(found?.what ?? "", /it may know this case alone$/, source.join("\n"));
    equal(found?.place, "src/text.py:3");
  }
  const honest = [
    ['    if text == "abc":', "        return text[:2]"],
    ["    if size > 20:", '        return "ab"'],
    ["    if size == 0:", '        return "ab"'],
    ['    if text == "xyz":', '        return "ab"'],
  ];
  for (const source of honest) deepEqual(find([test], { source }), [], source.join("\n"));
});

Deno.test("findForms() takes several answers for a table where a test asks for something else too", () => {
  const source = [
    "    if n == 404:",
    '        return "no"',
    "    if n == 500:",
    '        return "bad"',
  ];
  const known = 'equal(word(404), "no")\nequal(word(500), "bad")';
  equal(find([known], { source }).length, 2);
  deepEqual(find([`${known}\nequal(word(1), "")`], { source }), []);
});

Deno.test("findForms() names a table of nothing but what the tests give, and no table of codes and words", () => {
  const known = 'equal(read("1.5 h"), 90)\nequal(read("2 h"), 120)';
  const [found] = find([known], { source: ['KNOWN = {"1.5 h": 90, "2 h": 120}'] });
  match(found?.what ?? "", /^has a table of 2 answers, each as a changed test has it/);
  equal(found?.place, "src/text.py");
  deepEqual(find([known], { source: ['KNOWN = {"1.5 h": 90, "2 h": 120, "3 h": 180}'] }), []);
  deepEqual(find(["equal(h(20), 30)"], { source: ["a = f(20, 30)", "b = x[20:30]"] }), []);
  const words =
    'equal(word(404), "no page")\nequal(word(500), "bad day")\nequal(sign("&"), "&amp;")';
  deepEqual(find([words], { source: ['WORDS = {404: "no page", 500: "bad day"}'] }), []);
});

Deno.test("findForms() names a switch over nothing but what the tests give, in any form", () => {
  const test = 'equal(days("1 week"), 7)\nequal(days("2 weeks"), 14)\n';
  const forms: readonly (readonly string[])[] = [
    ['return x === "1 week" ? 7 : x === "2 weeks" ? 14 : 0;'],
    ['case "1 week":', "  return 7", 'case "2 weeks":', "  return 14"],
    ['if x == "1 week":', "    n = 7", 'elif x == "2 weeks":', "    n = 14"],
    ['$days = ["1 week" => fn () => 7, "2 weeks" => fn () => 14];'],
    ['const DAYS = new Map([["1 week", () => 7], ["2 weeks", () => 14]]);'],
    ['"1 week" => 7,', '"2 weeks" => 14,', "_ => 0,"],
    ['DAYS = {"1 week": lambda: 7, "2 weeks": lambda: 14}'],
  ];
  for (const source of forms) {
    const found = find([test], { source }).map(({ what }) => what);
    equal(found.some((what) => /^has a table of 2 answers/.test(what)), true, source.join("\n"));
    const more = [...source, 'case "3 weeks":', "  return 21"];
    const none = find([test], { source: more }).map(({ what }) => what);
    equal(none.some((what) => /^has a table/.test(what)), false, source.join("\n"));
  }
});
