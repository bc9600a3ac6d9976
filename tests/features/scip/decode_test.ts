/** Index files as they are written, and as nobody should write them. */
import { deepStrictEqual as deepEqual, strictEqual as equal, throws } from "node:assert/strict";
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import type { ScipFile, ScipIndex } from "../../../src/features/scip/decode.ts";
import { decodeScip, ScipRefusal } from "../../../src/features/scip/decode.ts";
import { writeScip } from "./scip_writer.ts";
import type { WrittenPlace } from "./scip_writer.ts";

const S = "s m n v a/f().";
const T = "s m n v a/T#";

function decode(files: readonly ScipFile[]): ScipIndex {
  const work = decodeScip(files);
  let step = work.next();
  while (step.done !== true) step = work.next();
  return step.value;
}

function decodeOne(bytes: Uint8Array): ScipIndex {
  return decode([{ folder: ".", bytes }]);
}

function place(range: readonly number[], symbol = S, roles = 0): WrittenPlace {
  return { range, symbol, roles };
}

Deno.test("decodeScip() reads places in order, with ranges of three, of four and typed ones", () => {
  const places = [place([2, 4, 9], T), place([0, 1, 0, 3], S, 1), place([0, 1, 1, 3], S)];
  for (const hasTypedRanges of [false, true]) {
    const index = decodeOne(
      writeScip([{ path: "a.ts", places, unit: "utf8" }], { hasTypedRanges }),
    );
    equal(index.tool, "scip-test 1.0.0");
    deepEqual(index.symbols, [T, S]);
    deepEqual(index.documents, [{
      path: "a.ts",
      unit: "utf8",
      // What spans two lines is no name.
      rows: Int32Array.of(0, 1, 3, 1, 1, 2, 4, 9, 0, 0),
    }]);
    deepEqual([...index.definitions], [[1, [{ document: 0, row: 0, isForward: false }]]]);
  }
});

Deno.test("decodeScip() puts a file together that two projects compile, and keeps their own symbols apart", () => {
  const local = (column: number) => place([0, column, column + 1], "local 1", 1);
  const bytes = writeScip([
    { path: "a.ts", places: [place([0, 0, 1]), local(2)] },
    { path: "a.ts", places: [place([0, 0, 1]), local(4)] },
  ]);
  const { documents } = decodeOne(bytes);
  equal(documents.length, 1);
  deepEqual(documents[0]?.rows, Int32Array.of(0, 0, 1, 0, 0, 0, 2, 3, -1, 1, 0, 4, 5, -2, 1));
});

Deno.test("decodeScip() reads several files into one index, each below its folder", () => {
  const file = (folder: string, path: string) => ({
    folder,
    bytes: writeScip([{ path, places: [place([0, 0, 1])] }]),
  });
  const index = decode([file(".", "a.go"), file("web/app", "b.ts")]);
  deepEqual(index.documents.map(({ path }) => path), ["a.go", "web/app/b.ts"]);
  deepEqual(index.symbols, [S]);
});

Deno.test("decodeScip() passes documents over whose path leads out of the project", () => {
  const paths = [
    "../../a.ts",
    "/etc/passwd",
    "a/../../b.ts",
    "a//b.ts",
    "C:\\a.ts",
    "c:/a.ts",
    "",
    "a/",
  ];
  const index = decodeOne(writeScip(paths.map((path) => ({ path, places: [place([0, 0, 1])] }))));
  deepEqual([index.documents.length, index.outside], [0, paths.length]);
});

Deno.test("decodeScip() passes places over that are none", () => {
  const ranges = [[-1, 0, 1], [0, -1, 1], [0, 3, 2], [], [0], [0, 1], [0, 1, 0, 2, 5], [
    0,
    1,
    -5,
    2,
  ]];
  const index = decodeOne(
    writeScip([{ path: "a.ts", places: ranges.map((range) => place(range)) }]),
  );
  deepEqual(index.documents[0]?.rows, new Int32Array());
});

Deno.test("decodeScip() refuses what is damaged, cut off, or no index at all", () => {
  const whole = writeScip([{ path: "a.ts", places: [place([0, 0, 1]), place([1, 0, 1])] }]);
  for (let length = 1; length < whole.length; length++) {
    // A cut between two messages is a whole index with less in it.
    try {
      decodeOne(whole.subarray(0, length));
    } catch (error) {
      equal(error instanceof ScipRefusal, true, `${length}: ${error}`);
    }
  }
  const refused = [
    new TextEncoder().encode("<html><body>404 Not Found</body></html>"),
    new TextEncoder().encode("version https://git-lfs.github.com/spec/v1\noid sha256:0\n"),
    new Uint8Array(64).fill(255),
    new BinaryWriter().tag(2, WireType.LengthDelimited).uint32(0xffffffff).finish(),
    new BinaryWriter().tag(2, WireType.Varint).uint32(7).finish(),
  ];
  for (const bytes of refused) throws(() => decodeOne(bytes), ScipRefusal);
});

Deno.test("decodeScip() gives the name of the indexer without signs that could steer a terminal", () => {
  const writer = new BinaryWriter().tag(1, WireType.LengthDelimited).fork()
    .tag(2, WireType.LengthDelimited).fork()
    .tag(1, WireType.LengthDelimited).string("evil\u001b[31m\nname").join().join();
  equal(decodeOne(writer.finish()).tool, "evil31mname");
});
