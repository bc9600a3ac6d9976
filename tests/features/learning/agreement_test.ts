/** Agreements as Markdown: read back, merged, and reviewed by hand. */
import {
  deepStrictEqual as deepEqual,
  match,
  notStrictEqual as notEqual,
  ok,
  strictEqual as equal,
} from "node:assert/strict";
import type { LearnedTerm } from "../../../src/features/learning/agreement.ts";
import {
  formatLearnedTerm,
  isSamePair,
  mergeAgreements,
  nameLearnedTerm,
  parseAgreement,
  updateAgreementText,
} from "../../../src/features/learning/agreement.ts";
import { sampleAgreement } from "./samples.ts";

function plain(patch: Partial<LearnedTerm> = {}): LearnedTerm {
  const { name: _, ...agreement } = sampleAgreement(patch);
  return agreement;
}

async function parse(text: string): Promise<LearnedTerm> {
  const parsed = await parseAgreement(text);
  if (parsed.kind === "none") throw new Error(parsed.reason);
  return parsed.agreement;
}

Deno.test("formatLearnedTerm() writes what parseAgreement() reads back", async () => {
  for (
    const agreement of [
      plain(),
      plain({ terms: ['a "quoted": term', "ログイン画面"], symbols: ["a::b", "C#d"], files: [] }),
    ]
  ) deepEqual(await parse(formatLearnedTerm(agreement)), agreement);
});

Deno.test("parseAgreement() reads files by hand and of earlier programs, and says why others are none", async () => {
  const hand = await parse("---\nterm: billing run\nsymbol: runBilling\n---\nOurs since 2024.\n");
  deepEqual([hand.terms, hand.symbols, hand.sessions], [["billing run"], ["runBilling"], []]);
  deepEqual([hand.confirmed, hand.learnedAt, hand.isRejected], [1, null, false]);
  const old = await parse(
    "---\nnl_term: login\nsymbol: login\nsession_id: s1\nconfirmed: -3\n---\n",
  );
  deepEqual([old.terms, old.sessions, old.confirmed], [["login"], ["s1"], 1]);
  ok((await parse("---\nterm: a\nsymbol: b\nstatus: rejected\n---\n")).isRejected);
  const rows: readonly (readonly [text: string, reason: RegExp])[] = [
    ["# only text\n", /front matter/],
    ["---\nsymbols: [a]\n---\n", /terms/],
    ["---\nterm: a\nsymbols: []\n---\n", /symbols/],
  ];
  for (const [text, reason] of rows) {
    const parsed = await parseAgreement(text);
    match(parsed.kind === "none" ? parsed.reason : "read", reason);
  }
});

Deno.test("mergeAgreements() counts another session once and keeps what was known first", () => {
  const added = plain({
    terms: ["login form", "sign-in"],
    files: ["src/new.ts"],
    sessions: ["session_2"],
    updatedAt: "2026-02-02T00:00:00.000Z",
    evidence: ["seen again"],
  });
  const merged = mergeAgreements(plain(), added);
  deepEqual(merged.terms, ["login form", "sign-in"]);
  deepEqual([merged.confirmed, merged.sessions.length, merged.files], [2, 2, ["src/new.ts"]]);
  deepEqual(merged.evidence, ["login: defined in src/auth.ts", "seen again"]);
  deepEqual(mergeAgreements(merged, added), merged, "the same session a second time");
});

Deno.test("updateAgreementText() keeps a person's words, keys and order, and adds the evidence", async () => {
  const text = "---\nterm: login form\nowner: team-a\nsymbols:\n  - AuthService.login\n---\n" +
    "# Ours\n\nAsk Ada.\n\n## Evidence\n\n- by hand\n\n## Notes\n\n- stays\n";
  const merged = mergeAgreements(await parse(text), plain());
  const updated = await updateAgreementText(text, merged);
  match(updated, /^---\ndoc_type: agreement\nterms: \["login form"\]\n/);
  match(updated, /\nowner: team-a\n/);
  match(
    updated,
    /\n# Ours\n\nAsk Ada\.\n\n## Evidence\n\n- by hand\n- login: defined in src\/auth\.ts\n/,
  );
  match(updated, /\n## Notes\n\n- stays\n$/);
  deepEqual(await parse(updated), merged);
  equal(await updateAgreementText(updated, merged), updated, "nothing new changes nothing");
});

Deno.test("updateAgreementText() keeps the newest twenty lines of evidence", async () => {
  let text = formatLearnedTerm(plain({ evidence: [] }));
  for (let n = 1; n <= 25; n++) {
    const added = plain({ sessions: [`session_${n}`], evidence: [`seen ${n}`] });
    text = await updateAgreementText(text, mergeAgreements(await parse(text), added));
  }
  const { evidence, confirmed, sessions } = await parse(text);
  deepEqual([evidence.length, evidence.at(0), evidence.at(-1)], [20, "seen 6", "seen 25"]);
  deepEqual([confirmed, sessions.length], [26, 10]);
});

Deno.test("nameLearnedTerm() is readable, safe, and one for one pair", () => {
  const name = nameLearnedTerm(plain({ terms: ["../Login  Form?"] }));
  match(name, /^login-form--authservice-login-[0-9a-f]{8}\.md$/);
  equal(nameLearnedTerm(plain({ terms: ["../login form?"] })), name);
  notEqual(nameLearnedTerm(plain({ terms: ["login form!"] })), name, "another term");
  match(nameLearnedTerm(plain({ terms: ["ログイン画面"] })), /^ログイン画面--/);
  match(nameLearnedTerm(plain({ terms: ["???"], symbols: ["$"] })), /^x--x-[0-9a-f]{8}\.md$/);
});

Deno.test("isSamePair() wants a common term and the very symbols", () => {
  ok(isSamePair(plain(), plain({ terms: ["LOGIN  form"] })));
  equal(isSamePair(plain(), plain({ terms: ["sign-in"] })), false);
  equal(isSamePair(plain(), plain({ symbols: ["AuthService.login", "x"] })), false);
});
