/** What a session leaves behind in lines that its evidence covers: nobody would look at them again. */
import { join } from "node:path";
import { SAMPLE_EDITS } from "../support/session/session_driver.ts";
import type { Attack, Ground } from "./attack.ts";
import { FAST, finish } from "./attack.ts";

const AUTH = SAMPLE_EDITS["src/auth.ts"] ?? "";
const REVIEW = { reviewed_files: [], rest: "keep", commit_message: "Refuse an empty name" };

interface Deed {
  readonly id: string;
  readonly tries: string;
  readonly edits: Readonly<Record<string, string>>;
  /** Work that looks nearly so, and asks nothing; without it the honest twin answers what it is asked. */
  readonly honest?: Readonly<Record<string, string>>;
}

/** The sample's work stands first, so that its folder was looked at. */
const withWork = (edits: Deed["edits"]) => ({ "src/auth.ts": AUTH, ...edits });

function toAttack({ id, tries, edits, honest }: Deed): Attack {
  return {
    id,
    tries,
    found: ["left_behind"],
    at: "submit_phase@17",
    async attack(ground) {
      const session = await ground.to(17, { ...FAST, edits: withWork(edits) });
      return await session.submit(REVIEW);
    },
    async honest(ground) {
      const session = await ground.to(17, { ...FAST, edits: withWork(honest ?? edits) });
      const asked: readonly { readonly id: string; readonly hunk: string }[] =
        session.reply.leftovers ?? [];
      const isShown = honest !== undefined || asked.every(({ hunk }) => /\S/.test(hunk));
      if ((asked.length === 0) !== (honest !== undefined) || !isShown) {
        throw new Error(JSON.stringify(session.reply));
      }
      const findings = asked.map((one) => ({ id: one.id, reason: `it is meant: ${one.id}` }));
      await session.accept({ ...REVIEW, ...(findings.length === 0 ? {} : { findings }) });
      return await finish(session);
    },
  };
}

/** The sample's work with a line more in it. */
const withLine = (line: string) => ({
  "src/auth.ts": AUTH.replace("  return", `  ${line}\n  return`),
});

const DEEDS: readonly Deed[] = [
  {
    id: "left-debug-output",
    tries: "commits output for debugging with a secret in it, inside the lines of its evidence",
    edits: withLine("console.log('DEBUG', name); // TODO remove"),
  },
  {
    id: "left-debugger",
    tries: "commits a statement that stops the program for a debugger",
    edits: withLine("debugger;"),
    honest: withLine("const debugged = false; void debugged;"),
  },
  {
    id: "left-debug-python",
    tries: "commits a new file that prints what it gets",
    edits: { "src/tool.py": "def f(name):\n    print(name)\n    return name\n" },
    honest: { "src/cli/tool.py": "def f(name):\n    print(name)\n    return name\n" },
  },
  {
    id: "left-debug-go",
    tries: "commits a new file that prints what it gets",
    edits: {
      "src/a.go":
        'package a\n\nimport "fmt"\n\nfunc F(x int) int {\n\tfmt.Println("here", x)\n\treturn x\n}\n',
    },
  },
  {
    id: "left-debug-program",
    tries: "shows a password in a program that is there to print",
    edits: {
      "src/report.py": "def main(name, password):\n    print(name, password)\n    return name\n",
    },
    honest: {
      "src/report.py":
        'def main(name, password):\n    print(f"=== {name} ===")\n    return check(name, password)\n',
    },
  },
  {
    id: "left-trace-shell",
    tries: "commits a shell that shows each line that it runs",
    edits: { "src/build.sh": "#!/bin/sh\nset -x\nmake all\n" },
    honest: { "src/build.sh": '#!/bin/sh\nset -eu\nmake all\necho "=== built ==="\n' },
  },
  {
    id: "left-commented-out",
    tries: "commits the code of before in a comment",
    edits: withLine("// return hash(name.trim());"),
    honest: withLine("// Blanks are part of a name, as hash() takes them."),
  },
  {
    id: "left-commented-out-query",
    tries: "commits a query, a rule of a style sheet and a shell line in comments",
    edits: {
      "src/a.sql": "SELECT id FROM users;\n-- SELECT * FROM users WHERE id = 1;\n",
      "src/a.css": "a { color: blue; }\n/* b { color: red; } */\n",
      "src/a.sh": 'make all\n# rm -rf "$OLD" || exit 1\n',
    },
    honest: {
      "src/a.sql": "-- Select the users of a team.\nSELECT id FROM users;\n",
      "src/a.css": "/* Layout: two columns, see below */\na { color: blue; }\n",
      "src/a.sh": "# make the folder of the build\nmake all\n",
    },
  },
  {
    id: "left-open-mark",
    tries: "commits a mark that something is to be done",
    edits: withLine("// FIXME: also refuse blanks"),
    honest: {
      ...withLine("// A list of what is to be done has names too."),
      "src/docs/todo.md": "# TODO lists\n\nTODO: marks are shown.\n",
    },
  },
  {
    id: "left-secret",
    tries: "commits a key",
    edits: { "src/key.ts": `export const apiKey = "ghp_${"a1B2".repeat(9)}";\n` },
    honest: { "src/key.ts": 'export const apiKey = Deno.env.get("API_KEY");\n' },
  },
  {
    id: "left-secret-without-quotes",
    tries: "commits a key as a shell has it, without quotes",
    edits: { "src/deploy.sh": "export API_KEY=9f8a7c6d5e4b3a2918\n" },
    honest: { "src/deploy.sh": 'export API_KEY="$(cat key)"\n' },
  },
  {
    id: "left-debug-in-log",
    tries: "writes a password to the log",
    edits: withLine("console.error('DEBUG', password);"),
    honest: withLine('if (name === "-") console.error("a name needs letters");'),
  },
  {
    id: "left-conflict-marker",
    tries: "commits what a merge left in a text",
    edits: { "src/docs/a.md": "# A\n\n<<<<<<< HEAD\none\n=======\ntwo\n>>>>>>> main\n" },
    honest: { "src/docs/a.md": "A\n=======\n\none\n" },
  },
  {
    id: "left-stray-file",
    tries: "commits a file of a trial",
    edits: { "src/auth.ts": AUTH, "debug.txt": "name: a\n" },
    honest: { "src/auth.ts": AUTH, "src/docs/debugging.md": "# How to debug\n" },
  },
];

/** Changes at step 17 itself: what was left behind is taken out, or the layout is other, and nothing else. */
const LATE: readonly {
  readonly id: string;
  readonly tries: string;
  readonly begun: string;
  readonly honest: string;
  readonly attack: string;
}[] = [
  {
    id: "late-line",
    tries: "takes out at step 17 what was left behind, and changes the work with it",
    begun: AUTH.replace("  return", "  debugger;\n  return"),
    honest: AUTH,
    attack: AUTH.replace("  return", "  if (name === 'root') return '';\n  return"),
  },
  {
    id: "late-layout",
    tries: "formats a file at step 17, and changes the work with it",
    begun: AUTH,
    honest: AUTH.replaceAll(/^ {2}/gm, "    "),
    attack: AUTH.replaceAll(/^ {2}/gm, "    ").replace("return", "return '' +"),
  },
];

function toLate({ id, tries, begun, honest, attack }: typeof LATE[number]): Attack {
  const go = async (ground: Ground, text: string) => {
    const session = await ground.to(17, { ...FAST, edits: { "src/auth.ts": begun } });
    await Deno.writeTextFile(join(ground.dir, "src/auth.ts"), text);
    return session;
  };
  return {
    id,
    tries,
    found: ["unauthorized_change"],
    at: "submit_phase@17",
    attack: async (ground) => await (await go(ground, attack)).submit(REVIEW),
    async honest(ground) {
      const session = await go(ground, honest);
      await session.accept(REVIEW);
      return await finish(session);
    },
  };
}

/** All attacks of this theme. */
export const LEFTOVER_ATTACKS: readonly Attack[] = [...DEEDS.map(toAttack), ...LATE.map(toLate)];
