/** Generates projects of code that looks like real code: names from a vocabulary, comments, calls between files. */
import { dirname, join } from "node:path";
import { runGit } from "../../tools/demo/sample_project.ts";

/** Writes files of the sample below a folder; each turn gives them another content. */
export async function writeSamples(
  root: string,
  count: number,
  { from = 0, turn = 0 }: { readonly from?: number; readonly turn?: number } = {},
): Promise<void> {
  for (let at = from; at < from + count; at++) {
    const { path, text } = makeSampleFile(at, turn);
    await Deno.mkdir(dirname(join(root, path)), { recursive: true });
    await Deno.writeTextFile(join(root, path), text);
  }
}

/** Commits all files of a folder, which becomes a repository where it is none; answers their paths. `flags` are those of `git add`. */
export async function commitAll(
  root: string,
  ...flags: readonly string[]
): Promise<readonly string[]> {
  await runGit(root, ["init", "--quiet", "--initial-branch=main"]);
  const settings = {
    "user.name": "Bench",
    "user.email": "bench@example.org",
    "commit.gpgsign": "false",
  };
  for (const [key, value] of Object.entries(settings)) await runGit(root, ["config", key, value]);
  await runGit(root, ["add", "--all", ...flags]);
  await runGit(root, ["commit", "--quiet", "--message", "Everything"]);
  const listed = await runGit(root, ["ls-files", "-z"]);
  return listed.split("\0").filter((path) => path !== "");
}

const WORDS =
  ("user account order invoice payment session token cache queue worker report filter index " +
    "search chunk parser buffer stream request response handler router policy rule event record customer " +
    "address currency balance ledger snapshot branch commit merge config option value result error status")
    .split(" ");
const VERBS =
  ("get set find load save create update remove parse render check merge split build read " +
    "write send receive open close start stop apply resolve compute collect validate format").split(
      " ",
    );
const FILE_BYTES = 8_000;
const LANGUAGES = ["ts", "py", "go", "java"] as const;

/** File number `at`, about 8 KB, always the same for the same number and `turn`. */
function makeSampleFile(
  at: number,
  turn: number,
): { readonly path: string; readonly text: string } {
  const language = LANGUAGES[at % LANGUAGES.length] ?? "ts";
  const pick = createPicker(at * 7919 + turn * 104729 + 1);
  const path = `src/${WORDS[at % WORDS.length]}/${
    WORDS[(at * 7) % WORDS.length]
  }_${at}.${language}`;
  const parts = [FORMS[language].head(toType(pick), at)];
  for (let bytes = 0; bytes < FILE_BYTES;) {
    const part = FORMS[language].member(toName(pick), pick);
    parts.push(part);
    bytes += part.length;
  }
  parts.push(FORMS[language].tail);
  return { path, text: parts.join("\n") };
}

type Picker = (count: number) => number;

function createPicker(seed: number): Picker {
  let state = seed % 2147483647;
  return (count) => {
    state = state * 48271 % 2147483647;
    return state % count;
  };
}

const toWord = (pick: Picker) => WORDS[pick(WORDS.length)] ?? "";
const toUpper = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
const toType = (pick: Picker) => toUpper(toWord(pick)) + toUpper(toWord(pick));
const toName = (pick: Picker) =>
  (VERBS[pick(VERBS.length)] ?? "") + toUpper(toWord(pick)) + toUpper(toWord(pick));

interface Form {
  readonly head: (type: string, at: number) => string;
  readonly member: (name: string, pick: Picker) => string;
  readonly tail: string;
}

const FORMS: Readonly<Record<typeof LANGUAGES[number], Form>> = {
  ts: {
    head: (type, at) =>
      `import { ${type}Base } from "./base.ts";\n\n/** Looks after the ${type}. */\nexport class ${type}${at} extends ${type}Base {`,
    member: (name, pick) =>
      `  /** Does the ${toWord(pick)} for each ${toWord(pick)} of the ${toWord(pick)}. */
  async ${name}(${toWord(pick)}: ${toType(pick)}, limit: number): Promise<${toType(pick)}[]> {
    const found = await this.${toName(pick)}(limit + ${pick(100)});
    // The ${toWord(pick)} comes first, because the ${toWord(pick)} needs it.
    if (found.length > limit) throw new Error("too many ${toWord(pick)}");
    return found.filter((one) => one.${toWord(pick)} !== null).map((one) => ${toName(pick)}(one));
  }\n`,
    tail: "}\n",
  },
  py: {
    head: (type, at) =>
      `from app.base import ${type}Base\n\n\nclass ${type}${at}(${type}Base):\n    """Looks after the ${type}."""\n`,
    member: (name, pick) =>
      `    def ${name}(self, ${toWord(pick)}_in, limit=${pick(100)}):
        """Does the ${toWord(pick)} for each ${toWord(pick)}."""
        found = self.${toName(pick)}(limit)
        # The ${toWord(pick)} comes first.
        for one in found:
            if one.${toWord(pick)} is None:
                raise ValueError("no ${toWord(pick)}")
            ${toName(pick)}(one, ${toWord(pick)}_in)
        return found\n`,
    tail: "",
  },
  go: {
    head: (type, at) =>
      `package app\n\nimport "fmt"\n\n// ${type}${at} looks after it.\ntype ${type}${at} struct {\n\tName string\n}\n`,
    member: (name, pick) =>
      `// ${name} does the ${toWord(pick)} for each ${toWord(pick)}.
func ${name}${pick(10_000)}(in *${toType(pick)}, limit int) (int, error) {
\tfound, err := ${toName(pick)}(limit + ${pick(100)})
\tif err != nil {
\t\treturn 0, fmt.Errorf("no ${toWord(pick)}: %w", err)
\t}
\tfor _, one := range found {
\t\tin.${toUpper(toWord(pick))} = one.${toUpper(toWord(pick))}
\t}
\treturn len(found), nil
}\n`,
    tail: "",
  },
  java: {
    head: (type, at) =>
      `package app;\n\nimport app.base.${type}Base;\n\n/** Looks after the ${type}. */\npublic class ${type}${at} extends ${type}Base {`,
    member: (name, pick) =>
      `  /** Does the ${toWord(pick)} for each ${toWord(pick)}. */
  public int ${name}(${toType(pick)} ${toWord(pick)}, int limit) {
    int found = this.${toName(pick)}(limit + ${pick(100)});
    // The ${toWord(pick)} comes first.
    if (found > limit) {
      throw new IllegalStateException("too many ${toWord(pick)}");
    }
    return ${toName(pick)}(found, ${toWord(pick)}.${toName(pick)}());
  }\n`,
    tail: "}\n",
  },
};
