/** What a model has to read of the program: listing, skill, brief, and the replies of a default session. */
import { toRecord } from "../../src/base/text/json_record.ts";
import { loadTemplates } from "../../src/project/setup/templates.ts";
import { INSTRUCTIONS } from "../../src/mcp/instructions.ts";
import { createPerson } from "../demo/person.ts";
import { createSampleProject } from "../demo/sample_project.ts";
import { makeTempFolders, startServer } from "../demo/server.ts";
import type { Caller } from "./default_session.ts";
import { walkDefaultSession } from "./default_session.ts";
import type { Figure } from "./measure.ts";

/** Sizes in bytes, each reply of the session on a line of its own. */
export async function measureSizes(): Promise<readonly Figure[]> {
  await using folders = await makeTempFolders();
  await createSampleProject(folders.root);
  const { client } = await startServer({ ...folders, person: createPerson(() => {}).answer });
  let briefBytes = 0;
  const call: Caller = async (tool, args) => {
    const answer = await client.callTool(tool, args);
    // The session knows most just before its review.
    if (toRecord(args.data).reviewed_files !== undefined) {
      const { reply } = await client.callTool("get_session_status", {});
      briefBytes = toBytes(JSON.stringify(reply.brief));
    }
    return answer;
  };
  const calls = await walkDefaultSession(call, folders.root);
  await client.close();
  const { skills } = await loadTemplates();
  const replies = calls.map(({ name, sizeBytes }) => toFigure(`  ${name}`, sizeBytes, ""));
  const totalBytes = calls.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  return [
    toFigure("instructions of the server", toBytes(INSTRUCTIONS), "aim: under 2048"),
    toFigure("skill code", toBytes(skills[0]?.body ?? ""), "aim: at most 8192"),
    toFigure("brief at step 17", briefBytes, "aim: at most 10240"),
    toFigure("replies of a default session", totalBytes, `${calls.length} calls, aim: 10240`),
    ...replies,
  ];
}

function toFigure(name: string, value: number, note: string): Figure {
  return { name, value, unit: "bytes", note };
}

function toBytes(text: string): number {
  return new TextEncoder().encode(text).length;
}
