/** Projects of others on which step 15 is measured: the command, and the change of a session that brings a test. */
import { basename } from "node:path";

/** One project; texts are added at the end of a file. */
export interface VerifiedProject {
  /** Name that its folder ends with. */
  readonly name: string;
  readonly language: string;
  /** Program and arguments of the only verification command. */
  readonly run: readonly string[];
  readonly source: Addition;
  readonly test: Addition;
}

/** What is added to a file. */
export interface Addition {
  readonly path: string;
  readonly text: string;
}

/** Python is the one of a virtual environment with pytest, which `VERIFY_PYTHON` names. */
function toPython(): string {
  return Deno.env.get("VERIFY_PYTHON") ?? "python3";
}

const PROJECTS: readonly VerifiedProject[] = [
  {
    name: "cobra",
    language: "Go",
    // Two of its tests fail where the user may write everywhere.
    run: ["go", "test", "-count=1", "-skip", "CompletionFile", "./..."],
    source: { path: "cobra.go", text: "\nfunc half(a int) int {\n\treturn a / 2\n}\n" },
    test: {
      path: "cobra_test.go",
      text: "\nfunc TestHalf(t *testing.T) {\n\tif half(4) != 2 {\n\t\tt.Fatal(half(4))\n\t}\n}\n",
    },
  },
  {
    name: "click",
    language: "Python",
    run: ["env", "PYTHONPATH=src", toPython(), "-m", "pytest", "-q", "-pno:cacheprovider"],
    source: {
      path: "src/click/utils.py",
      text: "\n\ndef half(a: int) -> int:\n    return a // 2\n",
    },
    test: {
      path: "tests/test_basic.py",
      text: "\n\ndef test_half():\n    assert click.utils.half(4) == 2\n",
    },
  },
  {
    name: "express",
    language: "JavaScript",
    run: [
      "npx",
      "mocha",
      "--require",
      "test/support/env",
      "--reporter",
      "spec",
      "--check-leaks",
      "test/",
      "test/acceptance/",
    ],
    source: {
      path: "lib/utils.js",
      text: "\nexports.half = function half (a) {\n  return a / 2;\n};\n",
    },
    test: {
      path: "test/utils.js",
      text:
        "\ndescribe('utils.half()', function () {\n  it('halves', function () {\n    assert.strictEqual(utils.half(4), 2);\n  });\n});\n",
    },
  },
  {
    name: "serde",
    language: "Rust",
    // git ignores its Cargo.lock: without --offline cargo would look for newer crates in each clean checkout.
    run: [
      "cargo",
      "test",
      "--offline",
      "--package",
      "serde_test_suite",
      "--test",
      "test_ignored_any",
    ],
    source: {
      path: "serde/src/lib.rs",
      text: "\n/// Half.\npub fn half(a: u32) -> u32 {\n    a / 2\n}\n",
    },
    test: {
      path: "test_suite/tests/test_ignored_any.rs",
      text: "\n#[test]\nfn halves() {\n    assert_eq!(serde::half(4), 2);\n}\n",
    },
  },
];

/**
 * The project of a folder, by its name.
 *
 * @throws {Error} Nothing is known of a folder of this name.
 */
export function findProject(folder: string): VerifiedProject {
  const found = PROJECTS.find(({ name }) => basename(folder).endsWith(name));
  if (found === undefined) {
    throw new Error(`lab/bench/verify_projects.ts has no row for ${folder}`);
  }
  return found;
}
