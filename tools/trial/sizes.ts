/** Bytes of what a model reads of the program before it begins. */
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
