/**
 * The plugin of Claude Code and the marketplace that names it: the same entry, hooks and skills as `init` writes, so that
 * neither gets old. The program itself is no part of it: it has to be on the PATH.
 */
import type { FileWish } from "../../src/clients/mod.ts";
import { toClaudeSetup } from "../../src/clients/mod.ts";
import { loadSkills } from "../../src/project/mod.ts";
import { FACTS } from "../package/facts.ts";
import type { Page } from "./pages.ts";

const FOLDER = `plugins/${FACTS.name}`;
const ABOUT = { name: FACTS.name, description: FACTS.summary, version: FACTS.version };
const OWNER = { name: FACTS.name };

/** What `init` wants for Claude Code in a project that a team shares. */
async function listWishes(): Promise<readonly FileWish[]> {
  return toClaudeSetup({
    command: { words: [FACTS.name], isLocal: false },
    projectRoot: "/",
    skills: await loadSkills(),
    block: "",
    instructionFile: "CLAUDE.md",
  });
}

/** The file of a set-up with the pieces of its wish and nothing else. */
async function renderPieces(path: string): Promise<string> {
  const wish = (await listWishes()).find((one) => one.path === path);
  if (wish?.kind !== "json") throw new Error(`init wants no JSON in ${path}`);
  const whole: Record<string, Record<string, unknown>> = {};
  for (const { at: [first = "", second = ""], value, isHookGroup } of wish.pieces) {
    const part = whole[first] ??= {};
    const list = part[second];
    if (isHookGroup === true) part[second] = [...Array.isArray(list) ? list : [], value];
    else part[second] = value;
  }
  return toJson(whole);
}

async function renderSkill(name: string): Promise<string> {
  const path = `.claude/skills/${name}/SKILL.md`;
  const wish = (await listWishes()).find((one) => one.path === path);
  if (wish?.kind !== "file") throw new Error(`init writes no ${path}`);
  return wish.text;
}

function toJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** Every file of the plugin, and the marketplace. */
export const PLUGIN_PAGES: readonly Page[] = [
  {
    path: ".claude-plugin/marketplace.json",
    render: () =>
      toJson({
        name: FACTS.name,
        owner: OWNER,
        plugins: [{ ...ABOUT, source: `./${FOLDER}`, keywords: FACTS.keywords }],
      }),
  },
  {
    path: `${FOLDER}/.claude-plugin/plugin.json`,
    render: () => toJson({ ...ABOUT, author: OWNER, keywords: FACTS.keywords }),
  },
  { path: `${FOLDER}/.mcp.json`, render: () => renderPieces(".mcp.json") },
  { path: `${FOLDER}/hooks/hooks.json`, render: () => renderPieces(".claude/settings.json") },
  ...["code", "exp", "outcome"].map((name): Page => ({
    path: `${FOLDER}/skills/${name}/SKILL.md`,
    render: () => renderSkill(name),
  })),
];
