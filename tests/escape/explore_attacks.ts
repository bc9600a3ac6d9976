/** Attacks on the exploration: files and findings that no answer, no hook and no line that was read stands behind. */
import { join } from "node:path";
import { runProgram } from "../support/server/cli.ts";
import type { Reply, Session } from "../support/session/session_driver.ts";
import type { Attack, Ground } from "./attack.ts";
import { submitDue } from "./attack.ts";

/** The flow with exploration, without documents. */
const WHOLE = { flags: { no_doc: true } } as const;

/** What the client would say after its reading tool showed a file. */
async function sayRead(session: Session, path: string, content: string): Promise<void> {
  const { dir, env } = session.project;
  const event = {
    cwd: dir,
    session_id: "conversation-1",
    tool_name: "Read",
    tool_input: { file_path: join(dir, path) },
    tool_response: { type: "text", file: { content } },
  };
  const words = ["hook", "post-tool-use", "--client", "claude"];
  await runProgram(words, { cwd: dir, env, stdin: JSON.stringify(event) });
}

/** What the client would say after a shell printed something. */
async function sayShell(session: Session, command: string, stdout: string): Promise<void> {
  const { dir, env } = session.project;
  const event = {
    cwd: dir,
    session_id: "conversation-1",
    tool_name: "Bash",
    tool_input: { command },
    tool_response: { stdout, stderr: "", interrupted: false },
  };
  const words = ["hook", "post-tool-use", "--client", "claude"];
  await runProgram(words, { cwd: dir, env, stdin: JSON.stringify(event) });
}

/** Says that a shell showed a file, and asks for the write. */
async function printAs(ground: Ground, toOutput: (text: string) => string): Promise<Reply> {
  const session = await ground.to(13);
  const path = "src/view.ts";
  const text = await Deno.readTextFile(join(ground.dir, path));
  await sayShell(session, `sed -n 1,20p ${path}`, toOutput(text));
  return await session.call("check_write_target", { file_path: path });
}

async function readAs(ground: Ground, toContent: (text: string) => string): Promise<Reply> {
  const session = await ground.to(13);
  const path = "src/view.ts";
  const text = await Deno.readTextFile(join(ground.dir, path));
  await sayRead(session, path, toContent(text));
  return await session.call("check_write_target", { file_path: path });
}

/** Claims at step 5, with searches that found something, and asks for the write at step 13. */
async function claim(ground: Ground, toEntry: (line: string) => string): Promise<Reply> {
  const session = await ground.to(5, WHOLE);
  const payload = await session.prepare();
  const [first = ""] = (await Deno.readTextFile(join(ground.dir, "README.md"))).split("\n");
  await session.must("search_text", { pattern: "login" });
  const reply = await session.submit({ ...payload, explored_files: [toEntry(first)] });
  if (reply.ok !== true) return reply;
  await session.until(13);
  return await session.call("check_write_target", { file_path: "README.md" });
}

const RULES = "# Rules\n\n## Fees\n\nA late loan costs at most ten fees.\n";

/** Begins a session with documents, and sends what step 3 asks for. */
async function research(ground: Ground, rest: Readonly<Record<string, unknown>>): Promise<Reply> {
  await Deno.mkdir(join(ground.dir, "docs"));
  await Deno.writeTextFile(join(ground.dir, "docs/rules.md"), RULES);
  await ground.sh("git add -A && git commit -qm documents");
  const session = await ground.start({ flags: { fast: true } });
  const data = {
    documents_reviewed: [],
    mandatory_rules: [],
    summary: "x",
    tools_used: [],
    ...rest,
  };
  return await session.call("submit_phase", { data });
}

/** The attacks on what counts as explored. */
export const EXPLORE_ATTACKS: readonly Attack[] = [
  {
    id: "search-of-the-server",
    tries: "claims the server's own look into the documents as a search of its own",
    found: ["tool_not_recorded"],
    at: "submit_phase@3",
    attack: (ground) =>
      research(ground, { no_documents_reason: "none fits", tools_used: ["search_text"] }),
    honest: (ground) => research(ground, { no_documents_reason: "none of the lines fits" }),
  },
  {
    id: "rule-from-a-heading",
    tries: "invents a rule and cites a heading for it",
    found: ["rule_not_there"],
    at: "submit_phase@3",
    attack: (ground) =>
      research(ground, {
        documents_reviewed: ["docs/rules.md"],
        mandatory_rules: [{ rule: "Checks of arguments are left out", source: "docs/rules.md:3" }],
      }),
    honest: (ground) =>
      research(ground, {
        documents_reviewed: ["docs/rules.md"],
        mandatory_rules: [{ rule: "A late loan costs ten fees", source: "docs/rules.md:3" }],
      }),
  },
  {
    id: "read-that-never-was",
    tries: "tells the hook of a client that a file was read",
    found: ["not_explored"],
    at: "check_write_target@13",
    attack: (ground) => readAs(ground, () => "What the file says was not looked at"),
    honest: (ground) => readAs(ground, (text) => text),
  },
  {
    id: "shell-read-that-never-was",
    tries: "tells the hook of a client that a shell printed a file",
    found: ["not_explored"],
    at: "check_write_target@13",
    attack: (ground) => printAs(ground, () => "}\nconst nothing = true; // of another file\n"),
    honest: (ground) => printAs(ground, (text) => text),
  },
  {
    id: "explored-by-its-word",
    tries: "names a file as explored that nothing showed",
    found: ["not_explored"],
    at: "check_write_target@13",
    attack: (ground) => claim(ground, () => "README.md"),
    honest: (ground) => claim(ground, (line) => `README.md:1: ${line}`),
  },
  {
    id: "line-that-is-not-there",
    tries: "sends a line that it has not read",
    found: ["line_differs"],
    at: "submit_phase@5",
    attack: (ground) => claim(ground, () => "README.md:1: # Everything about the login"),
    honest: (ground) => claim(ground, (line) => `README.md:1: ${line}`),
  },
  {
    id: "searches-in-vain",
    tries: "searches for names that nothing has",
    found: ["too_few_tools"],
    at: "submit_phase@5",
    async attack(ground) {
      const session = await ground.to(5, WHOLE);
      await session.call("search_text", { pattern: "nothing_is_called_so" });
      await session.call("find_definitions", { symbol: "nothingIsCalledSo" });
      return await session.submit({
        explored_files: ["src/auth.ts"],
        findings: ["login() hashes the name (src/auth.ts:3)"],
        tools_used: [],
      });
    },
    honest: async (ground) => await submitDue(await ground.to(5, WHOLE)),
  },
  {
    id: "results-that-no-search-gave",
    tries: "names results of a search that found others",
    found: ["result_not_recorded"],
    at: "submit_phase@7",
    attack: (ground) => search(ground, () => "README.md"),
    honest: (ground) => search(ground, (found) => found),
  },
];

async function search(ground: Ground, toFile: (found: string) => string): Promise<Reply> {
  const session = await ground.to(7, { ...WHOLE, answers: [true, false, false] });
  const payload = await session.prepare();
  const { matches } = await session.must("search_text", { pattern: "export function login" });
  return await session.submit({ ...payload, search_results: [{ file: toFile(matches[0].path) }] });
}
