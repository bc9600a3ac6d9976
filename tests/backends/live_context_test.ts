/** Which program answers. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { listFilesWithText, runText } from "../../src/backends/live_context.ts";
import { eachWay } from "../explore/sample_project.ts";

eachWay("runText() and listHolding() name the program that answered", async ({ context }, way) => {
  const query = {
    patterns: ["loadUser"],
    fixed: true,
    caseSensitive: true,
    wholeWord: true,
    contextLines: 0,
  };
  const files = ["src/load.ts", "src/model.rb"];
  const { source, result } = await runText(context, query, { files, offset: 0, maxResults: 5 });
  equal(source, way === "programs" ? "rg" : "scan");
  equal(result.kind === "found" && result.total, 2);
  const holding = await listFilesWithText(context, "LOADUSER", {
    files,
    ignoreCase: true,
    wholeWord: true,
  });
  deepEqual(holding, { files: ["src/load.ts"], source, late: 0 });
  const late = { files, ignoreCase: true, wholeWord: true, endsAt: performance.now() - 1 };
  deepEqual(await listFilesWithText(context, "LOADUSER", late), { files: [], source, late: 2 });
});
