/** What a synchronisation says of agreements: which of them the code has left behind. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { syncIndexTool } from "../../../src/tools/rows/sync_index.ts";
import { createProject } from "../../workflow/project_fixture.ts";

Deno.test("sync_index names agreements whose symbols are gone, wholly or in part, and files that are none", async () => {
  const learned = ".code-intel/agreements";
  const toText = (symbols: string) => `---\nterms: [keeping]\nsymbols: [${symbols}]\n---\n`;
  await using project = await createProject({
    files: {
      "models.py":
        "class User:\n    def save(self):\n        return store(self)\n\n\ndef store(user):\n    return user\n",
      [`${learned}/good.md`]: toText("User.save"),
      [`${learned}/half.md`]: toText("store, removedLater"),
      [`${learned}/old.md`]: toText("User.load"),
      [`${learned}/none.md`]: "no front matter\n",
    },
  });
  const sync = async (hasMap: boolean) => {
    const context = {
      services: project.services,
      signal: new AbortController().signal,
      progress: () => {},
    } as unknown as Parameters<typeof syncIndexTool.run>[1];
    const { reply } = await syncIndexTool.run({ force: false, sync_map: hasMap }, context);
    return reply.ok ? reply["map_sync"] : reply;
  };
  equal(await sync(false), undefined);
  deepEqual(await sync(true), {
    ...{ agreements: 3, usable: 2, stale: 1 },
    stale_agreements: [{ id: "old.md", missing: ["User.load"] }],
    partly_stale: [{ id: "half.md", missing: ["removedLater"] }],
    unreadable: [{ name: "none.md", reason: "it has no front matter between --- lines" }],
  });
});
