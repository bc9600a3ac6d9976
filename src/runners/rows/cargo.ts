/** `cargo test` and `cargo nextest`. Pure. */
import type { ReportFormat } from "../report.ts";
import { nextLine, parseCount, sumOf, Tally } from "../report.ts";
import type { Runner } from "../runner.ts";
import { option, proposeFor, stemOf } from "../runner.ts";

const SUMMARY = /^test result: \w+\. (\d+) passed; (\d+) failed; (\d+) ignored;/;

/** The sums over all binaries. */
const readTests: ReportFormat = (lines) => {
  const tally = new Tally("cargo test");
  const sum = { passed: 0, failed: 0, skipped: 0 };
  let isCargo = false;
  lines.forEach((line, at) => {
    const summary = SUMMARY.exec(line);
    if (summary !== null) {
      isCargo = true;
      sum.passed += parseCount(summary[1]);
      sum.failed += parseCount(summary[2]);
      sum.skipped += parseCount(summary[3]);
    }
    const test = /^test (.+?) \.\.\. (ok|FAILED|ignored)\b/.exec(line);
    if (test !== null) tally.note(test[2] ?? "", test[1] ?? "");
    const quiet = /^(\S.*) --- FAILED$/.exec(line)?.[1];
    if (quiet !== undefined) tally.fail(quiet);
    const said = /^---- (.+) stdout ----$/.exec(line)?.[1];
    if (said !== undefined) tally.explain(said, readPanic(lines, at));
    const broken = /^error: could not compile (`[^`]+`.*?)(?: due to.*)?$/.exec(line)?.[1];
    if (broken !== undefined) {
      isCargo ||= lines.some((one) => /\(.*test.*\)/.test(one));
      tally.error(broken, lines.find((one) => /^error(?:\[|: (?!could))/.test(one)) ?? "");
    }
  });
  if (!isCargo) return null;
  return tally.toReport(sum);
};

/** What a test panicked with, which stands below the line with the place. */
function readPanic(lines: readonly string[], at: number): string {
  const place = lines.findIndex((line, index) =>
    index > at && index < at + 20 && / panicked at /.test(line)
  );
  return place < 0 ? nextLine(lines, at) : nextLine(lines, place);
}

/** `cargo nextest run`. */
const readNextest: ReportFormat = (lines) => {
  const summary = lines.findLast((line) => /^\s*Summary \[.*\] .*tests? run: /.test(line));
  if (summary === undefined) return null;
  const tally = new Tally("cargo nextest");
  for (const line of lines) {
    const test = /^\s*(PASS|FAIL|SIGABRT|SIGSEGV|TIMEOUT|SKIP) \[[^\]]*\] (?:\([^)]*\) )?(\S+ \S+)$/
      .exec(line);
    if (test !== null) tally.note(test[1] ?? "", test[2] ?? "");
  }
  return tally.toReport({
    passed: sumOf(summary, "passed"),
    failed: sumOf(summary, "failed", "timed out"),
    skipped: sumOf(summary, "skipped"),
  });
};

/** The row. */
export const CARGO: Runner = {
  name: "cargo test",
  languages: ["Rust"],
  programs: ["cargo"],
  guess: {
    command: (files) => {
      const own = files.filter((path) => /(?:^|\/)tests\/[^/]+\.rs$/.test(path));
      const names = own.map((path) => `--test ${stemOf(path)}`);
      return own.length === files.length ? `cargo test ${names.join(" ")}` : "cargo test";
    },
  },
  setup: proposeFor(
    ["Cargo.toml"],
    (dir) => ["cargo", "test", ...option("--manifest-path", dir, "/Cargo.toml")],
  ),
  reports: [readTests, readNextest],
  coverage: { files: ["lcov.info", "cobertura.xml"] },
  settings: {
    files: /nextest\.toml/,
    lines: [[
      /(?:^|\/)Cargo\.toml$/,
      /^\s*(?:auto)?tests?\s*=|^\s*harness\s*=|\[\[test\]\]|\[profile\.test/,
    ]],
  },
  switches: /#\[\s*(?:ignore|should_panic)\b/,
  variables: ["RUSTC_WRAPPER", "RUSTFLAGS", "CARGO_BUILD_RUSTC_WRAPPER"],
};
