/** Files of other people that a set-up has to leave as they are, and those that it must not touch. */

/** A file that lies in a project before `init`. */
export interface ForeignFile {
  readonly name: string;
  readonly path: string;
  /** The whole text; bytes where it is no text. */
  readonly text: string | Uint8Array;
  /** Why `init` leaves the file alone, as a part of the reason. */
  readonly refused?: RegExp;
  /** What is set by hand already, so that nothing is added. */
  readonly isKept?: true;
}

const MCP = ".mcp.json";
const SETTINGS = ".claude/settings.json";
const TOML = ".codex/config.toml";

/** Files that are edited in place, or kept because a person has set the same thing by hand. */
export const EDITED: readonly ForeignFile[] = [
  row("empty file", MCP, ""),
  row("blanks only", MCP, "  \n\n"),
  row("empty object", MCP, "{}"),
  row("empty object with blank", MCP, "{ }\n"),
  row("empty object on two lines", MCP, "{\n}\n"),
  row("comment in an empty object", MCP, "{ // servers\n}\n"),
  row(
    "other server, two blanks",
    MCP,
    '{\n  "mcpServers": {\n    "x": { "command": "x" }\n  }\n}\n',
  ),
  row(
    "other server, four blanks",
    MCP,
    '{\n    "mcpServers": {\n        "x": {\n            "command": "x"\n        }\n    }\n}\n',
  ),
  row("tabs", MCP, '{\n\t"mcpServers": {\n\t\t"x": { "command": "x" }\n\t}\n}\n'),
  row(
    "tabs and CRLF",
    MCP,
    '{\r\n\t"mcpServers": {\r\n\t\t"x": { "command": "x" }\r\n\t}\r\n}\r\n',
  ),
  row("byte order mark", MCP, '\uFEFF{\n  "mcpServers": {}\n}\n'),
  row("byte order mark, CRLF, no last line end", MCP, '\uFEFF{\r\n  "a": 1\r\n}'),
  row("no last line end", MCP, '{\n  "mcpServers": {\n    "x": { "command": "x" }\n  }\n}'),
  row("one line", MCP, '{"mcpServers":{"x":{"command":"x"}}}'),
  row("one line with blanks", MCP, '{ "mcpServers": { "x": { "command": "x" } } }\n'),
  row("trailing commas", MCP, '{\n  "mcpServers": {\n    "x": { "command": "x" },\n  },\n}\n'),
  row(
    "comments at line ends",
    MCP,
    '{\n  // ours\n  "a": 1, // one\n  "b": 2 // two\n  // end\n}\n',
  ),
  row("a comment behind a value on the first line", MCP, '{ "a": { "b": [] } // mine\n}\n'),
  row("comment behind a trailing comma", MCP, '{\n  "a": 1, // one\n}\n'),
  row("block comments", MCP, '/* top */ {\n  "a": 1 /* one */\n} /* end */\n'),
  row("comma at the line's beginning", MCP, '{\n    "a": 1\n  , "b": 2\n}\n'),
  row("odd blanks and order", MCP, '{  "z" :1 ,\n\n "mcpServers":{ } ,  "a":[ 1,2 ] }\n\n'),
  row("escapes and non-ASCII", MCP, '{\n  "ä\\u00e9": "\\/\\t日本",\n  "mcpServers": {}\n}\n'),
  row("numbers as written", MCP, '{\n  "n": 1.50e+3,\n  "big": 12345678901234567890\n}\n'),
  row(
    "the same key twice",
    MCP,
    '{\n  "mcpServers": { "a": {} },\n  "mcpServers": { "b": {} }\n}\n',
  ),
  {
    ...row(
      "our server set by hand",
      MCP,
      '{ "mcpServers": { "code-intel": { "command": "/opt/ci" } } }\n',
    ),
    isKept: true,
  },
  row(
    "settings with other hooks",
    SETTINGS,
    '{\n  "permissions": { "allow": ["Bash(ls)"] },\n  "hooks": {\n    "PreToolUse": [\n      {\n        "matcher": "Bash",\n        "hooks": [{ "type": "command", "command": "guard.sh" }]\n      }\n    ],\n    "Stop": []\n  }\n}\n',
  ),
  row(
    "settings, hooks on one line",
    SETTINGS,
    '{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"g"}]}]},"model":"x"}',
  ),
  row(
    "settings, tabs, CRLF, comments",
    SETTINGS,
    '{\r\n\t// mine\r\n\t"hooks": {\r\n\t\t"Stop": [\r\n\t\t\t{ "hooks": [] } // last\r\n\t\t]\r\n\t}\r\n}\r\n',
  ),
  row(
    "hooks of Codex",
    ".codex/hooks.json",
    '{ "description": "team", "hooks": { "Stop": [ { "hooks": [ { "type": "command", "command": "x" } ] } ] } }\n',
  ),
  row("TOML, empty", TOML, ""),
  row(
    "TOML, other tables and comments",
    TOML,
    '# mine\nmodel = "m"\n\n[mcp_servers.x]\ncommand = "x" # run\nargs = [ "a",\n  "b" ]\n',
  ),
  row("TOML, CRLF", TOML, 'model = "m"\r\n[tui]\r\nx = 1\r\n'),
  row("TOML, no last line end", TOML, "[tui]\nx = 1"),
  row(
    "TOML, byte order mark and dates",
    TOML,
    "\uFEFFat = 1979-05-27T07:32:00Z\nbig = 9007199254740993\nn = nan\n",
  ),
  row("TOML, dotted keys of a server", TOML, 'mcp_servers.x.command = "x"\n'),
  row(
    "TOML, array of tables",
    TOML,
    '[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = "command"\ncommand = "x"\n',
  ),
  {
    ...row(
      "TOML, our table set by hand",
      TOML,
      '[mcp_servers."code-intel"]\ncommand = "/opt/ci"\n',
    ),
    isKept: true,
  },
  row("CLAUDE.md", "CLAUDE.md", "# Rules\n\nBe kind.\n"),
  row("CLAUDE.md, CRLF", "CLAUDE.md", "# Rules\r\n\r\nBe kind.\r\n"),
  row("CLAUDE.md, no last line end", "CLAUDE.md", "# Rules\n\n@AGENTS.md"),
  row("CLAUDE.md, empty", "CLAUDE.md", ""),
  row("CLAUDE.md, many blank lines", "CLAUDE.md", "\n\n# Rules\n\n\n\n"),
  row("AGENTS.md, byte order mark", "AGENTS.md", "\uFEFF# Rules\n<!-- a comment -->\n"),
  row(
    "AGENTS.md, markers of others",
    "AGENTS.md",
    "# Rules\n<!-- other:begin -->\nx\n<!-- other:end -->\n",
  ),
];

/** Files that are refused, each with its own reason; nothing of them changes and the rest goes on. */
export const REFUSED: readonly ForeignFile[] = [
  { ...row("broken JSON", MCP, '{ "mcpServers": { \n'), refused: /line 2, column 1/ },
  { ...row("JSON with two tops", MCP, "{} {}\n"), refused: /at line 1, column 4/ },
  { ...row("JSON with an array on top", MCP, "[]\n"), refused: /its top is array/ },
  {
    ...row("JSON with a text in the way", MCP, '{ "mcpServers": "x" }\n'),
    refused: /mcpServers is not an object/,
  },
  {
    ...row("JSON with null in the way", MCP, '{ "mcpServers": null }\n'),
    refused: /mcpServers is not an object/,
  },
  {
    ...row("hooks that are no list", SETTINGS, '{ "hooks": { "Stop": {} } }\n'),
    refused: /hooks\.Stop is not an array/,
  },
  {
    ...row("JSON in Latin-1", MCP, new Uint8Array([0x7b, 0x22, 0xe4, 0x22, 0x3a, 0x31, 0x7d])),
    refused: /not UTF-8/,
  },
  { ...row("broken TOML", TOML, "model = \n"), refused: /line 1, column/ },
  {
    ...row(
      "TOML with an inline table in the way",
      TOML,
      "mcp_servers = { x = { command = 'x' } }\n",
    ),
    refused: /no room/,
  },
  {
    ...row(
      "half a block",
      "CLAUDE.md",
      "<!-- code-intel:begin (written by `code-intel init`) -->\nx\n",
    ),
    refused: /do not pair up/,
  },
];

function row(name: string, path: string, text: string | Uint8Array): ForeignFile {
  return { name, path, text };
}
