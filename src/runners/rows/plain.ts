/** Runners of which only the command is known, and what starts others: scripts of packages, tox. Pure. */
import type { Runner } from "../runner.ts";
import {
  fileWords,
  guessByManifest,
  option,
  proposeFor,
  quotePath,
  SCRIPT_LANGUAGES,
  stemOf,
} from "../runner.ts";

/** The rows. */
export const PLAIN: readonly Runner[] = [
  {
    name: "npm test",
    languages: SCRIPT_LANGUAGES,
    programs: [],
    guess: guessByManifest("npm test --", /./),
    settings: {
      files:
        /\.npmrc|\.pnpmfile\.c?js|\.yarnrc(?:\.yml)?|(?:cypress|karma|wtr|web-test-runner)\.(?:config|conf|workspace|setup)\.\w+/,
      lines: [[
        /(?:^|\/)package\.json$/,
        /"(?:pre|post)?(?:test|check|verify|ci)[\w:.-]*"\s*:|"(?:nyc|c8)"\s*:|"script-shell"/,
      ]],
    },
    leaves: { folders: /\.nyc_output/ },
  },
  {
    name: "tox",
    languages: [],
    programs: ["tox", "nox"],
    onlyTests: true,
    settings: { files: /tox\.ini|noxfile\.py/ },
    leaves: { folders: /\.[tn]ox/ },
  },
  {
    name: "sbt",
    languages: ["Java", "Kotlin", "Scala"],
    programs: ["sbt"],
    guess: {
      fits: ({ hasFile }) => hasFile("build.sbt"),
      command: (files) => `sbt "testOnly ${files.map((path) => `*${stemOf(path)}`).join(" ")}"`,
    },
  },
  {
    name: "rake test",
    languages: ["Ruby"],
    programs: ["rake"],
    guess: { command: (files) => `bundle exec rake test TEST="${files.join(" ")}"` },
    settings: { files: /test_helper\.rb/ },
  },
  {
    name: "swift test",
    languages: ["Swift"],
    programs: ["swift"],
    guess: { command: () => "swift test" },
    setup: proposeFor(
      ["Package.swift"],
      (dir) => ["swift", "test", ...option("--package-path", dir)],
    ),
  },
  {
    name: "busted",
    languages: ["Lua"],
    programs: ["busted"],
    onlyTests: true,
    guess: { command: (files) => `busted ${fileWords(files)}` },
  },
  {
    name: "cabal test",
    languages: ["Haskell"],
    programs: ["cabal"],
    guess: { command: () => "cabal test" },
  },
  {
    name: "zig test",
    languages: ["Zig"],
    programs: ["zig"],
    guess: { command: (files) => files.map((path) => `zig test ${quotePath(path)}`).join(" && ") },
    setup: proposeFor(["build.zig"], (dir) => dir === "" ? ["zig", "build", "test"] : []),
  },
  {
    name: "bash",
    languages: ["Bash"],
    programs: [],
    guess: { command: (files) => `bash ${fileWords(files)}` },
  },
];
