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

/** What one way of a session cost. */
export interface WayFigures {
  readonly calls: number;
  /** Bytes of the arguments of all calls. */
  readonly sentBytes: number;
  readonly replyBytes: number;
  /** Starts of git by the server and by hooks. */
  readonly gitStarts: number;
  readonly hookRuns: number;
  /** Time in the server, without hooks. */
  readonly serverMs: number;
}

/** What the replies of the recorded session cost. */
export interface TrialFigures {
  readonly calls: number;
  readonly replyBytes: number;
  /** The ways as they were before their last change, by name. */
  readonly ways: Readonly<Record<string, WayFigures>>;
}

const FILE = new URL("figures.json", import.meta.url);

/** Reads the figures that were measured last. */
export async function loadFigures(): Promise<TrialFigures> {
  return JSON.parse(await Deno.readTextFile(FILE)) as TrialFigures;
}

/** Writes some figures anew; `deno task docs` puts them into the README. */
export async function saveFigures(figures: Partial<TrialFigures>): Promise<void> {
  const all = { ...await loadFigures(), ...figures };
  await Deno.writeTextFile(FILE, `${JSON.stringify(all, null, 2)}\n`);
}
