/** Large files are hashed once for as long as they stay the same. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { scanLargeFiles } from "../../../src/git/trees/unstored_files.ts";
import { createTempRepo } from "../support.ts";

Deno.test("scanLargeFiles() hashes a file anew only where it may have changed", async () => {
  await using temp = await createTempRepo();
  await temp.write({ "big.bin": new Uint8Array(1024 * 1024 + 1) });
  const scan = async (known: Parameters<typeof scanLargeFiles>[1]["known"]) => {
    const paths = ["big.bin", "README.md"];
    const options = { paths, tracked: new Set<string>(), maxFileMb: 1, known };
    return (await scanLargeFiles(temp.repo, options)).large;
  };
  const [first] = await scan([]);
  const hash = await temp.git("hash-object", "big.bin");
  deepEqual([first?.path, first?.sizeBytes, first?.hash], ["big.bin", 1024 * 1024 + 1, hash]);
  if (first === undefined) return;
  deepEqual(await scan([{ ...first, hash: "known" }]), [{ ...first, hash: "known" }]);
  deepEqual(await scan([{ ...first, hash: "known", signature: "another" }]), [first]);
});
