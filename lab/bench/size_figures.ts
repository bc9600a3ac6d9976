/** What a model has to read of the program after it lost its memory; `deno task trial` prints all else. */
import { toRecord } from "../../src/base/text/json_record.ts";
import { createPerson } from "../../tools/demo/person.ts";
import { createSampleProject } from "../../tools/demo/sample_project.ts";
import { makeTempFolders, startServer } from "../../tools/demo/server.ts";
import type { Caller } from "../../tools/trial/replay.ts";
import { loadDefaultSession, replay } from "../../tools/trial/replay.ts";
import { toBytes } from "../../tools/trial/sizes.ts";
import type { Figure } from "../../tools/measure.ts";

/** The size of the brief where a session knows most. */
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
  await replay(await loadDefaultSession(), { call, root: folders.root });
  await client.close();
  const note = "aim: at most 10240";
  return [{ name: "brief at step 17", value: briefBytes, unit: "bytes", note }];
}
