/**
 * Which files are less likely to be meant, by the habits of the languages: tests, examples, what is
 * kept for old users. None is held against a file when the question asks for such files.
 * It depends on its arguments alone.
 */
import { isText, languageByName } from "../language/languages.ts";
import { toTestName } from "../language/test_names.ts";

/** Why a file counts less. */
export interface Penalty {
  readonly name: string;
  /** What its score is multiplied by. */
  readonly factor: number;
}

/** Name of the penalty of documents and data. */
export const PROSE = "prose";

/** A file that may be the answer. */
export interface RankedFile {
  readonly path: string;
  readonly language: string | null;
  /** Whether much of it says that something is defined elsewhere, as headers do. */
  readonly announces?: boolean;
}

interface PenaltyRow extends Penalty {
  readonly applies: (path: string, file: RankedFile) => boolean;
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
  {
    name: "announces",
    factor: 0.75,
    applies: (_path, { announces = false }) => announces,
    asked: ["declar", "header", "prototyp"],
  },
];

const VERSION = /^(.*(?:^|\/))v(\d+)(?=\/)/;
const OLDER: Penalty = { name: "older_version", factor: 0.7 };
// The questions are about code; what describes it or holds data comes after it.
const PROSE_PENALTY: Penalty = { name: PROSE, factor: 0.3 };

/** The penalties of each path; which version is old depends on the others. */
export function findPenalties(
  files: readonly RankedFile[],
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
  return files.map((file) => {
    const { path, language } = file;
    const found: Penalty[] = rows.filter(({ applies }) => applies(path, file))
      .map(({ name, factor }) => ({ name, factor }));
    const [, folder = "", version] = VERSION.exec(path) ?? [];
    const isOld = version !== undefined && Number(version) < (newest.get(folder) ?? 0);
    if (isOld && !words.includes(`v${version}`)) found.push(OLDER);
    if (language === null || isText(languageByName(language))) found.push(PROSE_PENALTY);
    return found;
  });
}
