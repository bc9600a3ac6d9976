/** Random files of other people, in every form that JSONC, TOML and Markdown allow; the same for a seed. */
import { createRandom } from "../random.ts";

/** Draws whole numbers from 0 to below `below`. */
export type Draw = (below: number) => number;

/** A source of whole numbers that depends on the seed alone. */
export function createDraw(seed: number): Draw {
  const random = createRandom(seed);
  return (below) => Math.floor(random() * below);
}

/** Takes one of the values. */
export function pick<T>(draw: Draw, from: readonly T[]): T {
  return from[draw(from.length)] as T;
}

const EOLS = ["\n", "\n", "\r\n"];

interface JsonStyle {
  readonly draw: Draw;
  readonly eol: string;
  readonly unit: string;
  /** How a container is laid out: on one line, one child a line, or anyhow. */
  readonly layout: "one line" | "lines" | "wild";
  readonly hasComments: boolean;
  readonly hasTrailingCommas: boolean;
}

/** Writes a JSONC document; `names` are members that a set-up wants for itself, at random there or not. */
export function writeJson(draw: Draw, names: readonly string[]): string {
  const style: JsonStyle = {
    draw,
    eol: pick(draw, EOLS),
    unit: pick(draw, ["  ", "    ", "\t", " ", ""]),
    layout: pick(draw, ["one line", "lines", "lines", "wild", "wild"]),
    hasComments: draw(3) > 0,
    hasTrailingCommas: draw(3) === 0,
  };
  if (draw(12) === 0) return pick(draw, ["", " ", "\n", "\uFEFF", "{}", "{ }\n", "\uFEFF{}\r\n"]);
  const top: Record<string, unknown> = {};
  for (const name of [...new Set([...names, "permissions", "a", "b"])]) {
    if (draw(2) === 0) top[name] = drawValue(draw, name);
  }
  const head = pick(draw, ["", "", "\uFEFF"]);
  const end = style.hasComments ? pick(draw, ["", "", style.eol, "// the end", "/* end */"]) : "";
  return head + writeTrivia(style, 0) + writeValue(top, style, 0) +
    pick(draw, ["", style.eol, `${style.eol}${style.eol}`]) + end;
}

function drawValue(draw: Draw, name: string): unknown {
  if (name === "mcpServers") {
    return pick(draw, [{}, { x: { command: "x", args: [] } }, { x: {}, y: { command: "y" } }]);
  }
  if (name === "hooks") {
    const group = { matcher: "Bash", hooks: [{ type: "command", command: "mine" }] };
    const lists = [[], [group], [{ ...group, matcher: "" }, group]];
    const hooks: Record<string, unknown> = {};
    for (const event of ["PreToolUse", "Stop", "Notification"]) {
      if (draw(2) === 0) hooks[event] = pick(draw, lists);
    }
    return hooks;
  }
  if (name === "permissions") {
    return pick(draw, [{}, { deny: [] }, { allow: [] }, { allow: ["Bash(ls)"], ask: [] }]);
  }
  return pick<unknown>(draw, [
    1,
    "t, {x} // no",
    "/* no */",
    null,
    [],
    [1, [2, {}]],
    { k: [] },
    true,
  ]);
}

function writeValue(value: unknown, style: JsonStyle, depth: number): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const isArray = Array.isArray(value);
  const children = isArray
    ? value.map((item) => writeValue(item, style, depth + 1))
    : Object.entries(value).map(([key, member]) =>
      `${JSON.stringify(key)}${writeSide(style)}:${writeSide(style)}${
        writeValue(member, style, depth + 1)
      }`
    );
  const [open, close] = isArray ? ["[", "]"] : ["{", "}"];
  const parts = children.map((child, index) => {
    const isLast = index === children.length - 1;
    const hasComma = !isLast || (style.hasTrailingCommas && style.draw(2) === 0);
    return `${writeTrivia(style, depth + 1)}${child}${writeSide(style)}${hasComma ? "," : ""}`;
  });
  return `${open}${parts.join("")}${writeTrivia(style, depth)}${close}`;
}

/** What stands between two children: blanks, line ends and comments. */
function writeTrivia(style: JsonStyle, depth: number): string {
  const { draw, eol, unit, layout, hasComments } = style;
  const blank = {
    "one line": () => pick(draw, ["", " "]),
    lines: () => `${eol}${unit.repeat(depth)}`,
    wild: () => pick(draw, ["", " ", "\t", eol, `${eol}${eol}`, `${eol}${unit.repeat(depth)}`]),
  }[layout];
  let text = "";
  for (let count = hasComments ? draw(3) : 0; count > 0; count--) {
    text += blank() + writeComment(style);
  }
  return text + blank();
}

/** What stands beside a colon or before a comma. */
function writeSide(style: JsonStyle): string {
  const blank = pick(style.draw, ["", "", " "]);
  return style.hasComments && style.draw(8) === 0 ? blank + writeComment(style) : blank;
}

function writeComment({ draw, eol }: JsonStyle): string {
  return pick(draw, [
    "/* mine */",
    `/* two${eol} lines */`,
    '/* { "hooks": [ */',
    `// mine${eol}`,
    `// , "n" }]${eol}`,
    `//${eol}`,
    `// ends with /*${eol}`,
  ]);
}

/** Writes a TOML document. */
export function writeToml(draw: Draw): string {
  const eol = pick(draw, EOLS);
  const lines: string[] = [];
  const push = (...from: readonly string[]) => {
    for (const line of from) if (draw(2) === 0) lines.push(line);
  };
  push("# mine", 'model = "gpt-5" # a note', "", "\t", 'notify = [ "a", # one', "");
  if (lines.at(-1)?.endsWith("# one")) lines.push("]");
  else if (lines.some((line) => line.endsWith("# one"))) lines.push('  "b" ]');
  push('text = """', "");
  if (lines.includes('text = """')) lines.push("[mcp_servers.no]", '"""');
  push("[features]", "# [mcp_servers.code-intel]");
  if (lines.includes("[features]")) push("hooks = true");
  if (draw(2) === 0) lines.push("[mcp_servers.x]", 'command = "x"', "args = []");
  if (draw(3) === 0) lines.push("[[list]]", "at = 2026-01-01T00:00:00Z", "[[list]]");
  push("", "# the end", "");
  const head = pick(draw, ["", "", "\uFEFF"]);
  return head + lines.join(eol) + pick(draw, ["", eol, `${eol}${eol}`]);
}

/** Writes a Markdown document. */
export function writeMarkdown(draw: Draw): string {
  const eol = pick(draw, EOLS);
  const lines: string[] = [];
  for (let count = draw(8); count > 0; count--) {
    lines.push(pick(draw, [
      "# Rules",
      "",
      "- one  ",
      "```sh",
      "<!-- mine -->",
      "| a | b |",
      "text <!-- code-intel:end --> in a line",
      "\ttext",
    ]));
  }
  return pick(draw, ["", "", "\uFEFF"]) + lines.join(eol) + pick(draw, ["", eol, eol + eol]);
}
