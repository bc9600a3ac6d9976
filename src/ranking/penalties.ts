/**
 * Which files are less likely to be meant, by the habits of the languages: tests, examples, what is
 * kept for old users. None is held against a file when the question asks for such files.
 * It depends on its arguments alone.
 */
import { isText, languageByName, toTestName } from "../language/mod.ts";

/** Why a file counts less. */
export interface Penalty {
  readonly name: string;
  /** What its score is multiplied by. */
  readonly factor: number;
}

/** Name of the penalty of documents and data. */
export const PROSE = "prose";

interface PenaltyRow extends Penalty {
  readonly applies: (path: string) => boolean;
  /** Stems of words by which a question asks for such files. */
  readonly asked: readonly string[];
}

const FOLDERS =
  /(?:^|\/)(?:legacy|deprecated|examples?|samples?|demos?|benchmarks?|vendor|fixtures?)\//i;

const ROWS: readonly PenaltyRow[] = [
  {
    name: "test",
    factor: 0.3,
    applies: (path) =>
      toTestName(path) !== null || /(?:^|\/)(?:testdata|__mocks__|test_\w+)\//.test(path),
    asked: ["test", "spec", "mock", "fixtur", "unittest"],
  },
  {
    name: "aside",
    factor: 0.3,
    applies: (path) => FOLDERS.test(path),
    asked: [
      "legaci",
      "deprec",
      "exampl",
      "sampl",
      "demo",
      "benchmark",
      "bench",
      "vendor",
      "fixtur",
    ],
  },
  {
    name: "init",
    factor: 0.5,
    applies: (path) => /(?:^|\/)__init__\.py$/.test(path),
    asked: ["init"],
  },
  {
    name: "declaration",
    factor: 0.7,
    applies: (path) => /\.d\.[cm]?ts$/.test(path),
    asked: ["declar"],
  },
];

const VERSION = /^(.*(?:^|\/))v(\d+)(?=\/)/;
const OLDER: Penalty = { name: "older_version", factor: 0.7 };
// The questions are about code; what describes it or holds data comes after it.
const PROSE_PENALTY: Penalty = { name: PROSE, factor: 0.3 };

/** The penalties of each path; which version is old depends on the others. */
export function findPenalties(
  files: readonly { readonly path: string; readonly language: string | null }[],
  words: readonly string[],
): Penalty[][] {
  const newest = new Map<string, number>();
  for (const { path } of files) {
    const [, folder, version] = VERSION.exec(path) ?? [];
    if (folder !== undefined) {
      newest.set(folder, Math.max(newest.get(folder) ?? 0, Number(version)));
    }
  }
  const rows = ROWS.filter(({ asked }) => !asked.some((word) => words.includes(word)));
  return files.map(({ path, language }) => {
    const found: Penalty[] = rows.filter(({ applies }) => applies(path))
      .map(({ name, factor }) => ({ name, factor }));
    const [, folder = "", version] = VERSION.exec(path) ?? [];
    const isOld = version !== undefined && Number(version) < (newest.get(folder) ?? 0);
    if (isOld && !words.includes(`v${version}`)) found.push(OLDER);
    if (language === null || isText(languageByName(language))) found.push(PROSE_PENALTY);
    return found;
  });
}
