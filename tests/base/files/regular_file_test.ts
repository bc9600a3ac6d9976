/** The door to files whose content somebody else decides: what is refused, and that nothing waits or grows. */
import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import type { FileReading } from "../../../src/base/files/regular_file.ts";
import { readRegularFile, readRegularText } from "../../../src/base/files/regular_file.ts";
import { testNeeding } from "../../support/needs.ts";

const IS_UNIX = Deno.build.os !== "windows";

interface Place {
  readonly inside: string;
  readonly outside: string;
}

Deno.test("readRegularFile() reads a file, follows links that stay inside, and says what is absent", () =>
  inPlace(async (place) => {
    deepEqual(toShown(read(place, "file")), "read hello");
    deepEqual(toShown(read(place, "empty")), "read ");
    deepEqual(toShown(read(place, "absent")), "absent");
    deepEqual(toShown(read(place, "file/below")), "absent");
    if (!IS_UNIX) return;
    deepEqual(toShown(read(place, "link_in")), "read hello");
    deepEqual(toShown(read(place, "folder/link_up")), "read hello");
    // Names that look like drives and like ways up are names.
    await Deno.writeTextFile(join(place.inside, "a:3.ts"), "3");
    await Deno.writeTextFile(join(place.inside, "..b"), "4");
    deepEqual(toShown(read(place, "a:3.ts")), "read 3");
    deepEqual(toShown(read(place, "..b")), "read 4");
  }));

testNeeding(
  ["posix"],
  "readRegularFile() opened pipes and devices and followed links out of the project",
  () =>
    inPlace((place) => {
      const rows: readonly (readonly [path: string, why: string, reason: RegExp])[] = [
        ["link_out", "link_outside", /leads out of/],
        ["folder_out/secret", "link_outside", /leads out of/],
        ["device", "link_outside", /leads out of/],
        ["dangling", "link_broken", /leads nowhere/],
        ["loop", "link_broken", /in a circle/],
        ["pipe", "not_regular", /is a pipe/],
        ["folder", "not_regular", /is a folder/],
      ];
      for (const [path, why, reason] of rows) {
        const reading = read(place, path);
        equal(reading.kind === "refused" && reading.why, why, path);
        match(reading.kind === "refused" ? reading.reason : "", reason);
        equal(readRegularText(join(place.inside, path), toOptions(place)), undefined);
      }
    }),
);

Deno.test("readRegularFile() reads up to its bound, and one byte more is too much", () =>
  inPlace(async (place) => {
    for (const [bytes, kind] of [[100, "read"], [101, "refused"]] as const) {
      await Deno.writeFile(join(place.inside, "large"), new Uint8Array(bytes));
      const path = join(place.inside, "large");
      equal(readRegularFile(path, { within: place.inside, maxBytes: 100 }).kind, kind);
    }
    await Deno.truncate(join(place.inside, "large"), 8 * 1024 ** 3);
    const before = Deno.memoryUsage().rss;
    match(toShown(read(place, "large")), /too_large: it has 8589934592 bytes, and at most/);
    // Other threads of the tests take memory too; the file would be twice the bound.
    ok(Deno.memoryUsage().rss - before < 4 * 1024 ** 3, "a sparse file was taken into memory");
  }));

testNeeding(
  ["posix", "no_root"],
  "readRegularFile() names a file that this account cannot read",
  () =>
    inPlace(async (place) => {
      await Deno.chmod(join(place.inside, "file"), 0o000);
      match(toShown(read(place, "file")), /unreadable: it cannot be read: permission denied/);
    }),
);

testNeeding(
  ["processes"],
  "readRegularFile() leaves no file open, whatever it found",
  () =>
    inPlace((place) => {
      const before = countOpen(place);
      for (let at = 0; at < 50; at++) {
        for (const path of ["file", "pipe", "device"]) read(place, path);
      }
      equal(countOpen(place), before);
    }),
);

function read(place: Place, path: string): FileReading {
  return readRegularFile(join(place.inside, path), toOptions(place));
}

function toOptions({ inside }: Place) {
  return { within: inside, maxBytes: 1000 };
}

function toShown(reading: FileReading): string {
  if (reading.kind === "read") return `read ${new TextDecoder().decode(reading.bytes)}`;
  return reading.kind === "absent" ? "absent" : `refused ${reading.why}: ${reading.reason}`;
}

/**
 * Open files of the place, and devices that its links lead to: other tests of this process open and close others
 * meanwhile. Asked of another program: this one may not look into `/proc`.
 */
function countOpen({ inside }: Place): number {
  const { stdout } = new Deno.Command("ls", { args: ["-l", `/proc/${Deno.pid}/fd`] }).outputSync();
  return new TextDecoder().decode(stdout).split("\n")
    .filter((line) => line.includes(` -> ${inside}/`) || line.endsWith(" -> /dev/zero")).length;
}

async function inPlace(work: (place: Place) => void | Promise<void>): Promise<void> {
  const dir = await Deno.realPath(await Deno.makeTempDir());
  const place = { inside: join(dir, "inside"), outside: join(dir, "outside") };
  try {
    await Deno.mkdir(join(place.inside, "folder"), { recursive: true });
    await Deno.mkdir(place.outside);
    await Deno.writeTextFile(join(place.inside, "file"), "hello");
    await Deno.writeTextFile(join(place.inside, "empty"), "");
    await Deno.writeTextFile(join(place.outside, "secret"), "secret");
    if (IS_UNIX) await makeOdd(place);
    await work(place);
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
}

async function makeOdd({ inside, outside }: Place): Promise<void> {
  const links: Readonly<Record<string, string>> = {
    link_in: "file",
    "folder/link_up": "../file",
    link_out: join(outside, "secret"),
    folder_out: outside,
    device: "/dev/zero",
    dangling: "nowhere",
    loop: "loop",
  };
  for (const [path, target] of Object.entries(links)) {
    await Deno.symlink(target, join(inside, path));
  }
  await new Deno.Command("mkfifo", { args: [join(inside, "pipe")] }).output();
}
