/** What a person reads before they allow commands. */
import { strictEqual as equal } from "node:assert/strict";
import { formatTrustText } from "../../../src/evidence/runs/trusted_commands.ts";

function toCommand(run: readonly string[], writes: readonly string[] = []) {
  return { name: "test", run, paths: null, writes, timeoutMs: 1_000 };
}

Deno.test("formatTrustText() shows commands as typed, what they write, and the texts behind them", () => {
  const text = formatTrustText({
    commands: [toCommand(["npm", "run", "a b"], ["out/**"])],
    behind: [
      { path: "gone.sh", name: "", text: null },
      { path: "package.json", name: "a b", text: "sh x.sh" },
      { path: "x.sh", name: "", text: "one\r\n\ttwo\nthree\nfour\n" },
    ],
  }, { maxLines: 3 });
  equal(
    text,
    [
      'test: npm run "a b"',
      "  may write out/**",
      "",
      "package.json, a b:",
      "  sh x.sh",
      "",
      "x.sh:",
      "  one",
      "      two",
      "  three",
      "  and 1 more line; read on in x.sh",
    ].join("\n"),
  );
});

Deno.test("formatTrustText() lets nothing hide from the person", () => {
  const rows: readonly (readonly [text: string, shown: string])[] = [
    ["rm x\u001b[2K\u001b[1A", "  rm x\\u{1b}[2K\\u{1b}[1A"],
    ["rm x\recho hello", "  rm x\\u{d}echo hello"],
    ["\u202eabc", "  \\u{202e}abc"],
    ["a\u200bb", "  a\\u{200b}b"],
    ["a\u2028b", "  a\\u{2028}b"],
    ["é 語 😀", "  é 語 😀"],
  ];
  for (const [text, shown] of rows) {
    const whole = formatTrustText({ commands: [], behind: [{ path: "x", name: "", text }] });
    equal(whole, `\nx:\n${shown}`);
  }
  const words = formatTrustText({ commands: [toCommand(["sh", "-c", "a\nb: true"])], behind: [] });
  equal(words, 'test: sh -c "a\\nb: true"');
});
