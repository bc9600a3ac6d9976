/** Watches PHPUnit: one run with its own report, which names the tests of each line as pcov or Xdebug counted them. */
import { join } from "node:path";
import { lstatIfThere } from "../../../base/files/file_stamp.ts";
import { readRegularText } from "../../../base/files/regular_file.ts";
import { LIMITS } from "../../../base/settings/limits.ts";
import { listTestCases, readXmlAttribute } from "../../../runners/junit_xml.ts";
import type { ApartContext, ApartWay, Recording } from "../record/recording.ts";
import { SELECTED, STOPPED } from "../record/channel.ts";
import { BUILD_MS, PART_MS, PartTally, readWritten } from "./parts.ts";

/** Folders that hold the code of a project whose settings name none. */
const USUAL = ["src", "lib", "app"];
/** Settings that name the folders of the code. */
const NAMES_CODE = /<(?:source|whitelist|include)\b/;
/** Options and settings that leave tests out, and settings that stop at the first of a kind. */
const CHOOSES =
  /^--(?:filter|group|exclude-group|exclude-filter|testsuite|exclude-testsuite|covers|uses)\b/;
const CHOSEN = /<groups>|\bdefaultTestSuite=/;
const STOPS = /\bstopOn\w+\s*=\s*"true"/;
/** What keeps a test from being told the lines of anything but what it names. */
const COVERS = /@covers\w*\b|#\[Covers/;

/** The way. */
export const PHP_WAY: ApartWay = {
  kind: "apart",
  findHindrance: async ({ run, execute }) => {
    if (!run.some((word) => /(?:^|\/)phpunit(?:\.phar)?$/.test(word))) {
      return `\`${
        run.join(" ")
      }\` does not name phpunit. Name its own command: code-intel runs record -- vendor/bin/phpunit.`;
    }
    const { exitCode, output } = await execute({ run: ["php", "-m"], timeoutMs: PART_MS });
    return exitCode === 0 && /^(?:pcov|xdebug)$/im.test(output)
      ? null
      : "PHP has neither pcov nor Xdebug. Install one, such as Debian's package php-pcov.";
  },
  record,
};

async function record(context: ApartContext): Promise<Recording> {
  const { cwd: root, folder, run, execute } = context;
  const read = (path: string) =>
    readRegularText(join(root, path), { within: root, maxBytes: LIMITS.wholeFileBytes.value });
  const settings = ["phpunit.xml", "phpunit.xml.dist"].map((name) => read(name) ?? "").join("");
  const own = USUAL.filter((name) => lstatIfThere(join(root, name))?.isDirectory);
  const code = NAMES_CODE.test(settings) ? [] : own.flatMap((name) => ["--coverage-filter", name]);
  const [report, cases] = [join(folder, "lines"), join(folder, "cases.xml")];
  const { exitCode } = await execute({
    run: [...run, "--coverage-xml", report, "--log-junit", cases, ...code],
    env: { XDEBUG_MODE: "coverage" },
    timeoutMs: BUILD_MS,
  });
  const tally = new PartTally(context);
  if (exitCode === null) tally.leaveOut("PHPUnit did not end.");
  if (run.some((word) => CHOOSES.test(word)) || CHOSEN.test(settings)) tally.leaveOut(SELECTED);
  const stops = run.some((word) => word.startsWith("--stop-on-")) || STOPS.test(settings);
  const ran = new Map<string, Set<number>>();
  const index = readWritten(folder, join(report, "index.xml")) ?? "";
  if (index === "") tally.leaveOut("PHPUnit wrote no report of the lines that ran.");
  const source = /<project source="([^"]*)"/.exec(index)?.[1] ?? root;
  for (const [, href = ""] of index.matchAll(/<file name="[^"]*" href="([^"]+)\.xml"/g)) {
    const path = tally.toPath(join(source, href));
    const text = readWritten(folder, join(report, `${href}.xml`));
    if (text === null) tally.leaveOut(`The report of ${path} could not be read.`);
    else if (context.isSource(path)) addFile(tally, ran, { path, text });
  }
  const files = new Set<string>();
  for (const { type, name, file, outcome } of listTestCases(readWritten(folder, cases) ?? "")) {
    const [key, path] = [`${type.replaceAll(".", "\\")}::${name}`, tally.toPath(file)];
    files.add(path);
    const how = outcome === "passed" || outcome === "skipped" ? outcome : "failed";
    if (how === "failed" && stops) tally.leaveOut(STOPPED);
    const one = { name: key, file: path, unit: "test", outcome: how, ms: 0 } as const;
    tally.add(one, ran.get(key) ?? []);
  }
  if ([...files].some((path) => COVERS.test(read(path) ?? ""))) {
    tally.leaveOut("Tests that name what they cover are recorded for that alone.");
  }
  return tally.toRecording("phpunit");
}

/** Gives the lines of a file to the tests that ran them. */
function addFile(
  tally: PartTally,
  ran: Map<string, Set<number>>,
  { path, text }: { readonly path: string; readonly text: string },
): void {
  for (const [, line = "", tests = ""] of text.matchAll(/<line nr="(\d+)">([\s\S]*?)<\/line>/g)) {
    const id = tally.find(path, Number(line));
    for (const [, head = ""] of tests.matchAll(/<covered( [^>]*)>/g)) {
      const name = readXmlAttribute(head, "by");
      ran.set(name, (ran.get(name) ?? new Set()).add(id));
    }
  }
}
