/** Quotes that are in the request however they were typed, and quotes that are not. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { checkSlots, findQuote } from "../../src/request/quotes.ts";

const GA = "\u30AC";

/** Request, quote, and the words of the request that prove it (null: they are not there). */
const QUOTES: readonly (readonly [string, string, string, string | null])[] = [
  ["the same words", "Add a login form", "login form", "login form"],
  ["the whole request", "Add it", "Add it", "Add it"],
  ["white space folded", "Add a  login\n\tform now", "login form", "login\n\tform"],
  ["white space in the quote", "Add a login form", "  login \n form ", "login form"],
  ["a no-break space", "login\u00A0form", "login form", "login\u00A0form"],
  ["an ideographic space", "ログイン　画面", "ログイン 画面", "ログイン　画面"],
  ["full width letters", "ＬＯＧＩＮを直す", "LOGIN", "ＬＯＧＩＮ"],
  ["full width in the quote", "fix LOGIN", "ＬＯＧＩＮ", "LOGIN"],
  ["half width kana", "ﾛｸﾞｲﾝを直す", "ログイン", "ﾛｸﾞｲﾝ"],
  ["half width kana with a mark, alone", "ｶﾞ", GA, "ｶﾞ"],
  ["half width kana with a half voiced mark", "ﾊﾟｽ", "パス", "ﾊﾟｽ"],
  ["decomposed kana", "カ\u3099イド", `${GA}イド`, "カ\u3099イド"],
  ["decomposed Latin", "cafe\u0301 menu", "caf\u00e9", "cafe\u0301"],
  ["composed Latin, decomposed quote", "caf\u00e9 menu", "cafe\u0301", "caf\u00e9"],
  ["several marks in another order", "a\u0323\u0302", "a\u0302\u0323", "a\u0323\u0302"],
  [
    "decomposed Hangul",
    "\u1112\u1161\u11AB\u1100\u1173\u11AF",
    "한글",
    "\u1112\u1161\u11AB\u1100\u1173\u11AF",
  ],
  ["a ligature", "the ﬁle", "file", "ﬁle"],
  ["a part of a ligature is proven by all of it", "ﬁle", "f", "ﬁ"],
  ["a square sign", "5㌔ away", "5キロ", "5㌔"],
  ["an emoji with a joiner", "add 👩‍💻 here", "👩‍💻 here", "👩‍💻 here"],
  ["after an emoji", "😀 login", "login", "login"],
  ["another case", "Add a Login form", "login form", "Login form"],
  ["other quotes", 'say "a name" is missing', "say “a name”", 'say "a name"'],
  ["an ellipsis", "Add a form to the login", "add … the login", "Add a form to the login"],
  ["three points", "Add a form to the login", "Add a ... login", "Add a form to the login"],
  ["parts in another order", "Add a form to the login", "login … form", null],
  ["parts that are not there", "Add a form to the login", "add … the logout", null],
  ["an ellipsis alone", "Add a form", "…", null],
  ["words in another order", "form login", "login form", null],
  ["words that are not there", "Add a form", "login", null],
  ["a blank quote", "Add a form", "  \n", null],
  ["an empty request", "", "form", null],
  ["white space where there is none", "loginform", "login form", null],
];

for (const [name, request, quote, proof] of QUOTES) {
  Deno.test(`findQuote() ${proof === null ? "refuses" : "finds"} ${name}`, () => {
    equal(findQuote(request, quote), proof);
  });
}

Deno.test("findQuote() finds every stretch of a mixed request, and proves it by words of the request", () => {
  const request = "Fix  ﾛｸﾞｲﾝ　form: cafe\u0301 ＡＢＣ 👩‍💻, \u1112\u1161\u11AB ㌔";
  const clusters = [...new Intl.Segmenter("ja").segment(request)].map(({ segment }) => segment);
  for (let from = 0; from < clusters.length; from++) {
    for (let to = from + 1; to <= clusters.length; to++) {
      const part = clusters.slice(from, to).join("");
      if (part.trim() === "") continue;
      const proof = findQuote(request, part.normalize("NFKC"));
      equal(proof === null ? null : request.includes(proof) && proof !== "", true, part);
    }
  }
});

/** Value, quote, and whether the value follows from it. */
const FITS: readonly (readonly [string, string, "FACT" | "HYPOTHESIS"])[] = [
  ["login", "login form", "FACT"],
  ["the login form of the page", "login form", "FACT"],
  ["LOGIN", "login", "FACT"],
  ["form validation", "login form", "FACT"],
  ["ログイン画面", "ログイン", "FACT"],
  ["画面のログイン", "ログインの画面", "FACT"],
  ["forms", "login form", "FACT"],
  ["auth", "the authentication of users", "FACT"],
  ["Refuse empty names in login", "login", "FACT"],
  ["login", "login of AuthService", "FACT"],
  ["AuthService", "the auth service", "FACT"],
  ["kubernetes cluster", "login of AuthService", "HYPOTHESIS"],
  ["kubernetes login cluster", "login of AuthService", "HYPOTHESIS"],
  ["delete the account", "the login of a user", "HYPOTHESIS"],
  ["sends nothing on", "what is sent twice", "FACT"],
  ["HTTPRequest", "a request of HTTP", "FACT"],
  ["delete what was kept", "what is sent twice", "HYPOTHESIS"],
  ["tokens", "no token is given", "FACT"],
  ["token", "login form", "HYPOTHESIS"],
  ["のを", "はが", "HYPOTHESIS"],
];

for (const [value, quote, source] of FITS) {
  Deno.test(`checkSlots() keeps "${value}" quoted as "${quote}" as ${source}`, () => {
    const { slots, problems } = checkSlots(`please: ${quote}`, {
      target_feature: { value, quote },
    });
    deepEqual(problems, []);
    deepEqual(slots.target_feature, { value, quote, source });
  });
}

Deno.test("checkSlots() takes a value for a fact that the request says elsewhere than in its quote", () => {
  const request =
    "Classify preflights per the standard. All other requests reach their handler. Add tests.";
  const quote = "All other requests reach their handler";
  const read = (value: string) =>
    checkSlots(request, { desired_action: { value, quote } }).slots.desired_action?.source;
  equal(read("classify preflights per standard, add tests"), "FACT");
  equal(read("classify preflights per standard, add caching"), "HYPOTHESIS");
  // What only says that something is to change, and another form of a word, is said again and not new.
  equal(read("fix wrong preflights"), "FACT");
  equal(read("ensure handlers reached by others always"), "FACT");
  equal(read("fix wrong caching"), "HYPOTHESIS");
  equal(read("fix the wrong behavior"), "HYPOTHESIS");
});

Deno.test("checkSlots() names every quote that is not in the request, and keeps what is unknown as null", () => {
  const { slots, problems } = checkSlots("add a login form", {
    target_feature: { value: "login", quote: "login form" },
    trigger_condition: null,
    observed_issue: { value: "crash", quote: "it crashes" },
    desired_action: { value: "remove", quote: "remove" },
  });
  deepEqual(problems.map(({ code, at }) => [code, at]), [
    ["quote_not_found", "data.slots.observed_issue.quote"],
    ["quote_not_found", "data.slots.desired_action.quote"],
  ]);
  deepEqual(Object.keys(slots), ["target_feature", "trigger_condition"]);
  equal(slots.trigger_condition, null);
});

Deno.test("checkSlots() shows the sentence that a wrong quote may mean", () => {
  const request = "Keep the view. Refuse an empty name in the login.";
  const slot = { value: "x", quote: "an empty name is refused at login" };
  const [problem] = checkSlots(request, { target_feature: slot }).problems;
  equal(String(problem?.hint).endsWith('It says: "Refuse an empty name in the login".'), true);
});
