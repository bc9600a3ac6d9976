/** Claude Code: the files that it reads, and the hooks that it runs. */
import type {
  DesiredFile,
  HookRow,
  JsonPiece,
  ProgramCommand,
  SetupInput,
  SkillText,
} from "./setup.ts";
import { listHookRows, PERMISSION_NOTE, SERVER_KEY } from "./setup.ts";

/** Matches our tools under each name that the client gives them, those of a plugin included. */
const OWN_TOOLS = "mcp__(plugin_.+_)?code[-_]intel__";
const EDIT_TOOLS = "Edit|Write|MultiEdit|NotebookEdit";
const SHELL_TOOLS = "Bash|PowerShell";

const HOOKS = listHookRows({
  pre: `^(${EDIT_TOOLS}|${SHELL_TOOLS}|${OWN_TOOLS}start_session)$`,
  post: `^(Read|${EDIT_TOOLS}|${SHELL_TOOLS}|${OWN_TOOLS}.*)$`,
});

/**
 * Asks Claude Code, which searches for tools and loads them late, to load one of a listing at once: a key of the
 * tool's `_meta`. Codex has nothing like it; there the names and first sentences have to be found.
 */
export const LOADED_AT_ONCE = "anthropic/alwaysLoad";

/**
 * What Claude Code needs in its files. A command that only works on this machine goes into files
 * that are not committed.
 */
export function buildClaudeSetup(input: SetupInput): readonly DesiredFile[] {
  const { command, skills, block, instructionFile } = input;
  return [
    buildClaudeEntry(input),
    {
      kind: "json",
      path: chooseSettingsPath(command),
      ...buildPermission(input, HOOKS.map((row) => buildHookPiece(row, command))),
    },
    ...skills.map((skill): DesiredFile => ({
      kind: "file",
      path: `.claude/skills/${skill.name}/SKILL.md`,
      text: formatSkillFile(skill),
      policy: "upgrade",
    })),
    { kind: "block", path: instructionFile, body: block },
  ];
}

/**
 * What questions about code need: the server and the permission to call it, in files that git does
 * not show.
 */
export function buildClaudeMinimum(input: SetupInput): readonly DesiredFile[] {
  const ignore: DesiredFile = {
    kind: "file",
    path: ".claude/.gitignore",
    text: "/settings.local.json\n/.gitignore\n",
    policy: "once",
  };
  return [
    buildClaudeEntry(input),
    { kind: "json", path: chooseSettingsPath(input.command), ...buildPermission(input, []) },
    ...(input.isAsking === true ? [] : [ignore]),
  ];
}

/**
 * Adds the permission to call all tools of the server to the pieces of the settings. Without it the
 * client asks once per tool, and where no person is (`claude -p`) it refuses each call.
 */
function buildPermission(
  { isAsking = false }: SetupInput,
  pieces: readonly JsonPiece[],
): Pick<Extract<DesiredFile, { readonly kind: "json" }>, "pieces" | "note"> {
  const at = ["permissions", "allow"];
  const piece = { at, value: `mcp__${SERVER_KEY}`, isItem: true, isUnwanted: isAsking } as const;
  return { pieces: [...pieces, piece], ...(isAsking ? {} : { note: PERMISSION_NOTE }) };
}

function chooseSettingsPath({ isLocal }: ProgramCommand): string {
  return isLocal ? ".claude/settings.local.json" : ".claude/settings.json";
}

function buildClaudeEntry(
  { command, projectRoot }: Pick<SetupInput, "command" | "projectRoot">,
): DesiredFile {
  const names = ["mcpServers", SERVER_KEY];
  const at = command.isLocal ? ["projects", projectRoot, ...names] : names;
  const path = command.isLocal ? "~/.claude.json" : ".mcp.json";
  return { kind: "json", path, pieces: [{ at, value: buildServerEntry(command) }] };
}

/** The entry of the server as `.mcp.json` has it. */
export function buildServerEntry({ words: [program = "", ...args] }: ProgramCommand): unknown {
  return { type: "stdio", command: program, args: [...args, "serve"] };
}

function buildHookPiece(
  { event, word, matcher, timeoutS }: HookRow,
  command: ProgramCommand,
): JsonPiece {
  const [program, ...args] = command.words;
  return {
    at: ["hooks", event],
    value: {
      ...(matcher === undefined ? {} : { matcher }),
      hooks: [{
        type: "command",
        command: program,
        args: [...args, "hook", word, "--client", "claude"],
        timeout: timeoutS,
      }],
    },
    isHookGroup: true,
  };
}

function formatSkillFile({ name, description, argumentHint, body }: SkillText): string {
  // The client appends the arguments itself where the text of a skill does not contain $ARGUMENTS.
  return `---
name: ${name}
description: ${JSON.stringify(description)}
argument-hint: ${JSON.stringify(argumentHint)}
---

${body.replaceAll("{{request}}", "$ARGUMENTS")}`;
}
