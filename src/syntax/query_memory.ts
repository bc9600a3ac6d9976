/**
 * Compiled patterns as bytes. Compiling holds patterns against the whole table of their grammar, up to a second for each
 * grammar in each thread; what comes of it is a few arrays in the runtime's memory, which can be kept and put back.
 *
 * The layout is that of `struct TSQuery` in tree-sitter's `lib/src/query.c`, with the four-byte addresses of WebAssembly.
 * Whoever keeps the bytes has to tell by which runtime they were made: another version may lay its memory out otherwise.
 */
import { concatBytes } from "../base/bytes.ts";

/** The module of the runtime: an object that is given to its start and filled by it. */
export interface RuntimeModule {
  /** The memory; another object after each time that it grew. */
  readonly HEAPU8?: Uint8Array;
  readonly _malloc?: (bytes: number) => number;
  /** Compiles patterns; answers the address of a `TSQuery`. */
  _ts_query_new?: (...values: readonly number[]) => number;
}

/** What is needed to put arrays into the memory. */
interface Memory {
  readonly module: RuntimeModule;
  readonly allocate: (bytes: number) => number;
}

/** Bytes of the items of each array of the structure, in its order. */
const ITEM_BYTES = [
  1, // characters of the names of captures
  8, // slices of these
  1, // characters of the texts in predicates
  8, // slices of these
  12, // quantifiers of the captures of each pattern: arrays themselves
  20, // steps
  6, // pattern map
  8, // steps of predicates
  28, // patterns
  8, // offsets of steps
  2, // negated fields
  1, // a buffer that is empty once all is compiled
  2, // symbols of repetitions
];
/** Which of the arrays holds arrays of bytes. */
const NESTED = 4;
/** Bytes of an array: its address, the number of its items, and of how many there is room. */
const ARRAY_BYTES = 12;
const WORD_BYTES = 4;
const LANGUAGE_AT = ITEM_BYTES.length * ARRAY_BYTES;
/** A number of two bytes, and two that fill the structure up. */
const COUNT_AT = LANGUAGE_AT + WORD_BYTES;
const QUERY_BYTES = COUNT_AT + WORD_BYTES;

/** The compiled query at an address of the runtime's memory: the numbers of items, then the items of each array. */
export function takeQuery({ HEAPU8: bytes }: RuntimeModule, address: number): Uint8Array {
  if (bytes === undefined) throw new Error("the runtime shows no memory");
  const view = new DataView(bytes.buffer);
  const counts: number[] = [];
  const parts: Uint8Array[] = [];
  const take = (at: number, itemBytes: number) => {
    const [start, count] = [view.getUint32(at, true), view.getUint32(at + WORD_BYTES, true)];
    counts.push(count);
    return bytes.slice(start, start + count * itemBytes);
  };
  ITEM_BYTES.forEach((itemBytes, index) => {
    const at = address + index * ARRAY_BYTES;
    const items = take(at, itemBytes);
    if (index !== NESTED) return parts.push(items);
    const start = view.getUint32(at, true);
    for (let inner = 0; inner < items.length; inner += ARRAY_BYTES) {
      parts.push(take(start + inner, 1));
    }
  });
  counts.push(view.getUint16(address + COUNT_AT, true));
  const head = new DataView(new ArrayBuffer((1 + counts.length) * WORD_BYTES));
  [counts.length, ...counts].forEach((count, at) => head.setUint32(at * WORD_BYTES, count, true));
  return concatBytes([new Uint8Array(head.buffer), ...parts]);
}

/**
 * Puts what {@link takeQuery} took into the memory of a runtime of the same version.
 *
 * @param language address of the grammar that the patterns were compiled for.
 * @returns the address of the query; null where the runtime lets nobody into its memory.
 * @throws when there is no memory left.
 */
export function putQuery(
  module: RuntimeModule,
  packed: Uint8Array,
  language: number,
): number | null {
  const memory = wrapMemory(module);
  if (memory === null) return null;
  const head = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  let nextCount = WORD_BYTES;
  let next = WORD_BYTES * (1 + head.getUint32(0, true));
  const takeCount = () => {
    const count = head.getUint32(nextCount, true);
    nextCount += WORD_BYTES;
    return count;
  };
  const putItems = (count: number, itemBytes: number) =>
    putBytes(memory, packed.subarray(next, next += count * itemBytes));
  const query = new DataView(new ArrayBuffer(QUERY_BYTES));
  ITEM_BYTES.forEach((itemBytes, index) => {
    const count = takeCount();
    const at = index * ARRAY_BYTES;
    if (index !== NESTED) return setArray(query, at, [putItems(count, itemBytes), count]);
    const arrays = new DataView(new ArrayBuffer(count * ARRAY_BYTES));
    for (let inner = 0; inner < count; inner++) {
      const size = takeCount();
      setArray(arrays, inner * ARRAY_BYTES, [putItems(size, 1), size]);
    }
    setArray(query, at, [putBytes(memory, new Uint8Array(arrays.buffer)), count]);
  });
  query.setUint32(LANGUAGE_AT, language, true);
  query.setUint16(COUNT_AT, takeCount(), true);
  return putBytes(memory, new Uint8Array(query.buffer));
}

function wrapMemory(module: RuntimeModule): Memory | null {
  const { HEAPU8, _malloc } = module;
  if (HEAPU8 === undefined || _malloc === undefined) return null;
  const allocate = (bytes: number) => {
    const address = _malloc(bytes);
    if (address === 0) throw new Error("the runtime of the grammars has no memory left");
    return address;
  };
  return { module, allocate };
}

/** The address of a copy in the memory; 0 for nothing, as the runtime has it. */
function putBytes({ module, allocate }: Memory, bytes: Uint8Array): number {
  if (bytes.length === 0) return 0;
  const address = allocate(bytes.length);
  module.HEAPU8?.set(bytes, address);
  return address;
}

function setArray(view: DataView, at: number, [start, count]: readonly [number, number]): void {
  [start, count, count].forEach((value, word) =>
    view.setUint32(at + word * WORD_BYTES, value, true)
  );
}
