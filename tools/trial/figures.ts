/** The figures of the recorded session that the README shows, as `deno task trial --docs` last measured them, and sizes of what a model reads. */
import { INSTRUCTIONS } from "../../src/mcp/protocol.ts";
import { loadTemplates } from "../../src/project/setup/templates.ts";
import { listTools } from "../../src/tools/tools.ts";

/** What a model reads before its first call, in bytes. */
export interface ReadSizes {
  /** The listing of all tools. */
  readonly listingBytes: number;
  readonly instructionsBytes: number;
  /** Each skill by its name. */
  readonly skills: ReadonlyMap<string, number>;
}

/** Measures the listing, the instructions and the skills. */
export async function measureReading(): Promise<ReadSizes> {
  const { skills } = await loadTemplates();
  return {
    listingBytes: toBytes(JSON.stringify({ tools: listTools() })),
    instructionsBytes: toBytes(INSTRUCTIONS),
    skills: new Map(skills.map(({ name, body }) => [name, toBytes(body)])),
  };
}

/** Bytes of a text as UTF-8. */
export function toBytes(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** What the replies of the recorded session cost. */
export interface TrialFigures {
  readonly calls: number;
  readonly replyBytes: number;
}

const FILE = new URL("figures.json", import.meta.url);

/** Reads the figures that were measured last. */
export async function loadFigures(): Promise<TrialFigures> {
  return JSON.parse(await Deno.readTextFile(FILE)) as TrialFigures;
}

/** Writes new figures, as the formatter wants them; `deno task docs` puts them into the README. */
export async function saveFigures(figures: TrialFigures): Promise<void> {
  await Deno.writeTextFile(FILE, `${JSON.stringify(figures, null, 1).replaceAll(/\n\s*/g, " ")}\n`);
}
