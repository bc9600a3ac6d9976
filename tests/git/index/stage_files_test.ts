/** How many files of the repository a snapshot of many new files makes, and that it can be restored. */
import { strictEqual as equal } from "node:assert/strict";
import { takeSnapshot } from "../../../src/git/snapshots/snapshots.ts";
import { createTempRepo } from "../../support/temp_repo.ts";

const COUNT = 520;
/** Objects that git may write one by one: the tag of the snapshot, and what the repository began with. */
const FEW = 20;

const FILES = Object.fromEntries(
  Array.from({ length: COUNT }, (_, at) => [`data/d${at % 40}/f${at}.txt`, `text ${at}\r\n`]),
);

function check(name: string, attributes: string, last: string): void {
  Deno.test(`a snapshot of many new files makes few objects of their own: ${name}`, async () => {
    await using temp = await createTempRepo({ files: { ".gitattributes": attributes } });
    await temp.write(FILES);
    const options = { sessionId: "session_20260101_120000_abcd", label: "test", at: new Date() };
    const { tree, added } = await takeSnapshot(temp.repo, options);
    equal(added.files, COUNT);
    const counted = await temp.git("count-objects");
    equal(parseInt(counted) < FEW, true, counted);
    equal(await temp.git("fsck", "--strict", "--no-dangling"), "");
    // A garbage collection keeps what the snapshot needs.
    await temp.git("gc", "-q", "--prune=now");
    equal(await temp.git("show", `${tree}:data/d39/f519.txt`), last);
    equal((await takeSnapshot(temp.repo, options)).tree, tree);
  });
}

check("plain", "", "text 519\r");
check("texts with converted line ends", "* text=auto\n", "text 519");
