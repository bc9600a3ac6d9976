/** The templates: complete, within their sizes, true about options, tools and steps. */
import {
  deepStrictEqual as deepEqual,
  match,
  ok,
  strictEqual as equal,
  throws,
} from "node:assert/strict";
import { join } from "node:path";
import {
  loadTemplates,
  parseSkill,
  PROJECT_TEMPLATES,
} from "../../../src/project/setup/templates.ts";
import { FLAGS } from "../../../src/phase/table/flags.ts";
import { PHASES, STAGES } from "../../../src/phase/table/phases.ts";
import { ContractFile } from "../../../src/workflow/context/contract_file.ts";
import { buildClaudeSetup } from "../../../src/clients/claude_code.ts";
import { buildCodexSetup } from "../../../src/clients/codex.ts";
import { TOOLS } from "../../../src/tools/tools.ts";

const MOST_SKILL_BYTES = 8 * 1024;
/** Tools that the skills name with what to do where the server has none of them yet. */
const LATER = ["sync_index", "record_outcome"];

Deno.test("R56: each prompt file that a step names has a template", () => {
  const names: readonly string[] = PROJECT_TEMPLATES;
  for (const stage of STAGES) {
    for (const prompt of PHASES[stage].prompts ?? []) {
      ok(names.some((name) => name === prompt || name.startsWith(`${prompt}/`)), prompt);
    }
  }
});

Deno.test("each template says something by itself, in English and without leftovers", async () => {
  const { project, skills, claudeBlock, agentsBlock } = await loadTemplates();
  const texts = [...Object.values(project), ...skills.map(({ body }) => body)];
  for (const text of [...texts, claudeBlock, agentsBlock]) {
    ok(text.length > 250, text.slice(0, 60));
    match(text, /^[\p{ASCII}–·→…“”≥≤]+$/u);
    ok(!/\b(?:chroma|forest|TODO|FIXME)\b/i.test(text), text.slice(0, 60));
    ok(text.endsWith("\n") && !text.endsWith("\n\n"));
  }
});

Deno.test("R19, R55: the skills keep their size and name every option, existing tools and real flags", async () => {
  const { skills } = await loadTemplates();
  for (const { name, description, body } of skills) {
    ok(new TextEncoder().encode(body).length <= MOST_SKILL_BYTES, name);
    ok(description.length <= 1000, name);
    const known = [...TOOLS.map((tool) => tool.name), ...LATER];
    const named = [...body.matchAll(/`([a-z]+_[a-z_]+)`/g)].map(([, word]) => word ?? "");
    const tools = named.filter((word) =>
      /^(?:search|find|get|check|add|start|submit|review|sync|record|cleanup|update)_/.test(word)
    );
    deepEqual(tools.filter((word) => !known.includes(word)), [], name);
  }
  const code = skills[0]?.body ?? "";
  for (const [flag, { option }] of Object.entries(FLAGS)) {
    ok(code.includes(`flags.${flag}`), flag);
    for (const form of option.split(", ")) ok(code.includes(`\`${form}\``), form);
  }
  for (
    const form of [
      "--gate=full",
      "-g=",
      "--resume",
      "-r",
      "--clean",
      "-c",
      "--rebuild",
      "--doc-research=a,b",
      "doc_research_prompts",
      "Step n/19: PHASE",
      "get_session_status",
      "compaction_count",
    ]
  ) {
    ok(code.includes(form), form);
  }
});

Deno.test("the contract template changes nothing and is read without a notice", async () => {
  const dir = await Deno.makeTempDir();
  const { project } = await loadTemplates();
  const text = project["phase_contract.yml"] ?? "";
  await Deno.writeTextFile(join(dir, "phase_contract.yml"), text);
  const loaded = await new ContractFile(dir, null).load();
  deepEqual([loaded.warning, loaded.notices, loaded.problems], [null, [], []]);
  for (const stage of STAGES.filter((name) => name !== "SESSION_COMPLETE")) {
    ok(text.includes(stage), stage);
  }
  const example = text.split("\n").filter((line) => /^# (?:phases:| )/.test(line)).map((line) =>
    line.slice(2)
  );
  const from = example.findIndex((line) => line === "phases:");
  await Deno.writeTextFile(join(dir, "phase_contract.yml"), example.slice(from).join("\n"));
  const shown = await new ContractFile(dir, null).load();
  deepEqual([shown.warning, shown.problems], [null, []]);
  equal(shown.contract.EXPLORATION.minDistinctTools, 3);
});

Deno.test("both clients get the same skills, each in its own form", async () => {
  const { skills, claudeBlock: block } = await loadTemplates();
  const input = {
    command: { words: ["code-intel"], isLocal: false },
    projectRoot: "/p",
    skills,
    block,
    instructionFile: "CLAUDE.md",
  };
  const claude = buildClaudeSetup(input).filter(({ path }) => path.endsWith("SKILL.md"));
  const codex = buildCodexSetup(input).filter(({ path }) => path.endsWith("SKILL.md"));
  deepEqual(
    claude.map(({ path }) => path.replace(".claude/", "")),
    codex.map(({ path }) => path.replace(".agents/", "")),
  );
  const toText = (wish: (typeof claude)[number] | undefined) =>
    wish?.kind === "file" ? wish.text : "";
  match(
    toText(claude[0]),
    /^---\nname: code\ndescription: ".+"\nargument-hint: ".+"\n---\n\n# \/code\n\nRequest: \$ARGUMENTS\n/,
  );
  match(
    toText(codex[0]),
    /^---\nname: code\ndescription: ".+"\n---\n\n# \/code\n\nRequest: the text behind/,
  );
});

Deno.test("parseSkill() refuses a text without its front matter", () => {
  throws(() => parseSkill("# x\n"), /begins with name/);
});
