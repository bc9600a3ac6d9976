/** Codex: the files that it reads, and the hooks that it runs. */
import type {
  DesiredFile,
  HookRow,
  JsonPiece,
  ProgramCommand,
  SetupInput,
  SkillText,
} from "./setup.ts";
import { listHookRows, PERMISSION_NOTE, quoteShellWords, SERVER_KEY } from "./setup.ts";

const OWN_TOOLS = "mcp__code[-_]intel__";

const HOOKS = listHookRows({
  pre: `^(apply_patch|Bash|${OWN_TOOLS}start_session)$`,
  post: `^(apply_patch|Bash|${OWN_TOOLS}.*)$`,
});

/**
 * What Codex needs in its files. A command that only works on this machine goes into the user's
 * own folder.
 */
export function buildCodexSetup(input: SetupInput): readonly DesiredFile[] {
  const { command, skills, block } = input;
  return [
    buildCodexEntry(input),
    {
      kind: "json",
      path: `${chooseFolder(command)}/hooks.json`,
      pieces: HOOKS.map((row) => buildHookPiece(row, command)),
    },
    ...skills.map((skill): DesiredFile => ({
      kind: "file",
      path: `.agents/skills/${skill.name}/SKILL.md`,
      text: formatSkillFile(skill),
      policy: "upgrade",
    })),
    { kind: "block", path: "AGENTS.md", body: block },
  ];
}

/** The entry of the server alone, which is all that questions about code need. */
export function buildCodexEntry(
  { command, isAsking = false }: Pick<SetupInput, "command" | "isAsking">,
): DesiredFile {
  return {
    kind: "toml",
    path: `${chooseFolder(command)}/config.toml`,
    table: ["mcp_servers", SERVER_KEY],
    body: formatTomlTable(command, { isAsking }),
    ...(isAsking ? {} : { note: PERMISSION_NOTE }),
  };
}

function chooseFolder({ isLocal }: ProgramCommand): string {
  return isLocal ? "~/.codex" : ".codex";
}

/**
 * The server's table in TOML. Codex clears the environment of servers, so the variables that name
 * the user's folders are listed.
 */
export function formatTomlTable(
  { words: [program = "", ...args] }: ProgramCommand,
  { isAsking = false }: Pick<SetupInput, "isAsking"> = {},
): string {
  const approval = isAsking ? "" : 'default_tools_approval_mode = "approve"\n';
  const list = [...args, "serve"].map((word) => JSON.stringify(word)).join(", ");
  return `[mcp_servers.${SERVER_KEY}]
command = ${JSON.stringify(program)}
args = [${list}]
env_vars = ["CODE_INTEL_STATE_DIR", "CODE_INTEL_CACHE_DIR"]
startup_timeout_sec = 20
tool_timeout_sec = 300
${approval}supports_parallel_tool_calls = true
`;
}

function buildHookPiece(
  { event, word, matcher, timeoutS }: HookRow,
  command: ProgramCommand,
): JsonPiece {
  return {
    at: ["hooks", event],
    value: {
      ...(matcher === undefined ? {} : { matcher }),
      hooks: [{
        type: "command",
        command: quoteShellWords([...command.words, "hook", word, "--client", "codex"]),
        timeout: timeoutS,
      }],
    },
    isHookGroup: true,
  };
}

/**
 * Codex has no placeholder for arguments: text typed after the name is simply part of the prompt.
 */
function formatSkillFile({ name, description, body }: SkillText): string {
  return `---
name: ${name}
description: ${JSON.stringify(description)}
---

${body.replaceAll("{{request}}", "the text behind the name of this skill")}`;
}
