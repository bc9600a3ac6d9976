/** Which folders of a machine belong to no single project. */
import { strictEqual as equal } from "node:assert/strict";
import { readSharedPlaces, toSharedPlace } from "../../src/place/project_place.ts";
import { testNeeding } from "../support/needs.ts";

testNeeding(
  ["posix"],
  "toSharedPlace() knows the top, homes and folders for temporary files",
  async () => {
    const own = await Deno.realPath(Deno.env.get("TMPDIR") ?? "/tmp");
    const rows: readonly (readonly [path: string, expected: string | null])[] = [
      ["/", "top"],
      ["/home", "homes"],
      ["/home/ann", "home"],
      ["/home/ann/work", null],
      ["/root", "home"],
      [await Deno.realPath("/tmp"), "temporary"],
      [own, "temporary"],
      [`${own}/x`, null],
      ["/srv", null],
    ];
    const places = readSharedPlaces();
    for (const [path, expected] of rows) equal(toSharedPlace(path, places), expected, path);
  },
);
