/**
 * The plugins of Claude Code and Codex and the marketplaces that name them: the same entry, hooks and skills as `init`
 * writes, so that none gets old. The program itself is no part of them: it has to be on the PATH.
 */
import { parse } from "smol-toml";
import type { DesiredFile, SetupInput } from "../../src/clients/setup.ts";
import { buildClaudeSetup } from "../../src/clients/claude_code.ts";
import { buildCodexSetup } from "../../src/clients/codex.ts";
import { loadSkills } from "../../src/project/setup/templates.ts";
import { FACTS } from "../package/facts.ts";
import type { Page } from "./pages.ts";

/** A client's plugin: where it lies, and which files of a set-up its parts are. */
interface Plugin {
  readonly folder: string;
  readonly toWishes: (input: SetupInput) => readonly DesiredFile[];
  /** The file of the manifest in the folder, and what it has beside the name. */
  readonly manifest: string;
  readonly parts: Readonly<Record<string, unknown>>;
  readonly entry: string;
  readonly hooks: string;
  /** The folder of the skills in a project. */
  readonly skills: string;
}

const CLAUDE: Plugin = {
  folder: `plugins/${FACTS.name}`,
  toWishes: buildClaudeSetup,
  manifest: ".claude-plugin/plugin.json",
  parts: {},
  entry: ".mcp.json",
  hooks: ".claude/settings.json",
  skills: ".claude/skills",
};

const CODEX: Plugin = {
  folder: `plugins/codex/${FACTS.name}`,
  toWishes: buildCodexSetup,
  manifest: ".codex-plugin/plugin.json",
  parts: { skills: "./skills/", hooks: "./hooks/hooks.json", mcpServers: "./.mcp.json" },
  entry: ".codex/config.toml",
  hooks: ".codex/hooks.json",
  skills: ".agents/skills",
};

const ABOUT = { name: FACTS.name, description: FACTS.summary, version: FACTS.version };
const OWNER = { name: FACTS.name };

/** The file that `init` would write for the client in a project that a team shares. */
async function findWish({ toWishes }: Plugin, path: string): Promise<DesiredFile> {
  const wishes = toWishes({
    command: { words: [FACTS.name], isLocal: false },
    projectRoot: "/",
    skills: await loadSkills(),
    block: "",
    instructionFile: "CLAUDE.md",
  });
  const wish = wishes.find((one) => one.path === path);
  if (wish === undefined) throw new Error(`init writes no ${path}`);
  return wish;
}

/** The pieces of a JSON file, or the table of a TOML file, and nothing else. */
function toWhole(wish: DesiredFile): unknown {
  if (wish.kind === "toml") return { mcpServers: parse(wish.body)["mcp_servers"] };
  if (wish.kind !== "json") throw new Error(`${wish.path} has no pieces`);
  const whole: Record<string, Record<string, unknown>> = {};
  // A plugin cannot give itself the permission to call its tools.
  const pieces = wish.pieces.filter(({ isItem }) => isItem !== true);
  for (const { at: [first = "", second = ""], value, isHookGroup } of pieces) {
    const part = whole[first] ??= {};
    const list = part[second];
    if (isHookGroup === true) part[second] = [...Array.isArray(list) ? list : [], value];
    else part[second] = value;
  }
  return whole;
}

function toJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function toPages(plugin: Plugin): readonly Page[] {
  const { folder, manifest, parts, entry, hooks, skills } = plugin;
  const renderPieces = async (path: string) => toJson(toWhole(await findWish(plugin, path)));
  return [
    {
      path: `${folder}/${manifest}`,
      render: () => toJson({ ...ABOUT, author: OWNER, keywords: FACTS.keywords, ...parts }),
    },
    { path: `${folder}/.mcp.json`, render: () => renderPieces(entry) },
    { path: `${folder}/hooks/hooks.json`, render: () => renderPieces(hooks) },
    ...["code", "exp", "outcome"].map((name): Page => ({
      path: `${folder}/skills/${name}/SKILL.md`,
      render: async () => {
        const wish = await findWish(plugin, `${skills}/${name}/SKILL.md`);
        return wish.kind === "file" ? wish.text : "";
      },
    })),
  ];
}

/** Every file of the plugins, and the marketplaces. */
export const PLUGIN_PAGES: readonly Page[] = [
  {
    path: ".claude-plugin/marketplace.json",
    render: () =>
      toJson({
        name: FACTS.name,
        owner: OWNER,
        description: FACTS.summary,
        plugins: [{ ...ABOUT, source: `./${CLAUDE.folder}`, keywords: FACTS.keywords }],
      }),
  },
  {
    path: ".agents/plugins/marketplace.json",
    render: () =>
      toJson({
        name: FACTS.name,
        interface: { displayName: FACTS.title },
        plugins: [{
          name: FACTS.name,
          source: { source: "local", path: `./${CODEX.folder}` },
          policy: { installation: "AVAILABLE", authentication: "ON_INSTALL" },
          category: "Coding",
        }],
      }),
  },
  ...toPages(CLAUDE),
  ...toPages(CODEX),
];
