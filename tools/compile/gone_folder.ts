/**
 * Lets an executable for Linux on x64 say in one line that its present folder was removed, where it needs that folder.
 * Deno's runtime asks for that folder before it runs a line of the program, and ends with a panic where there is none, so
 * the question is put before the runtime: a few instructions at the entry point ask the kernel, and go on where all is
 * well. Pure.
 */

const PAGE = 0x1000;
const LOAD = 1;
const EXECUTABLE = 1;
/** Of the header of the file. */
const ENTRY_AT = 0x18;
/** Of a row of the table of segments. */
const ROW = { flags: 4, offset: 8, address: 16, physical: 24, fileBytes: 32, memoryBytes: 40 };

const COMMAND_TEXT = "code-intel: the present folder is gone: cd to an existing one\n";
const HOOK_TEXT =
  "code-intel hook: the present folder is gone: start the client in one that exists; nothing was decided\n";

interface Segment {
  /** Where its row begins in the file. */
  readonly row: number;
  readonly offset: number;
  readonly address: number;
  readonly fileBytes: number;
  readonly memoryBytes: number;
  readonly isExecutable: boolean;
}

/**
 * The executable with the question before its entry point. The instructions stand in the unused end of the page that lies
 * in the file before the code; the segment of the code is made to begin with that page, at the free address before its own.
 *
 * @throws {Error} when the file is not laid out as the linker of Deno 2.6 does it.
 */
export function guardPresentFolder(executable: Uint8Array): Uint8Array {
  const bytes = executable.slice();
  const view = new DataView(bytes.buffer);
  const segments = readSegments(view);
  const at = segments.findIndex(({ isExecutable }) => isExecutable);
  const [before, code] = [segments[at - 1], segments[at]];
  if (before === undefined || code === undefined) throw toUnknown("it has no code behind its data");
  const start = before.offset + before.fileBytes;
  const entry = Number(view.getBigUint64(ENTRY_AT, true));
  const move = code.address - code.offset;
  const guard = toGuard(start + move, entry);
  const isFree = code.offset % PAGE === 0 && code.address % PAGE === 0 &&
    code.offset - start >= guard.length && code.offset - start < PAGE &&
    before.address + before.memoryBytes <= code.address - PAGE &&
    bytes.subarray(start, code.offset).every((byte) => byte === 0);
  if (!isFree) throw toUnknown("there is no room before its code");
  bytes.set(guard, start);
  view.setBigUint64(ENTRY_AT, BigInt(start + move), true);
  const change = (field: keyof typeof ROW, by: number) => {
    const place = code.row + ROW[field];
    view.setBigUint64(place, view.getBigUint64(place, true) + BigInt(by), true);
  };
  for (const field of ["offset", "address", "physical"] as const) change(field, -PAGE);
  for (const field of ["fileBytes", "memoryBytes"] as const) change(field, PAGE);
  return bytes;
}

function readSegments(view: DataView): readonly Segment[] {
  const table = Number(view.getBigUint64(0x20, true));
  const [size, count] = [view.getUint16(0x36, true), view.getUint16(0x38, true)];
  const rows = Array.from({ length: count }, (_, at) => table + at * size);
  const number = (row: number, field: keyof typeof ROW) =>
    Number(view.getBigUint64(row + ROW[field], true));
  return rows.filter((row) => view.getUint32(row, true) === LOAD).map((row) => ({
    row,
    offset: number(row, "offset"),
    address: number(row, "address"),
    fileBytes: number(row, "fileBytes"),
    memoryBytes: number(row, "memoryBytes"),
    isExecutable: (view.getUint32(row + ROW.flags, true) & EXECUTABLE) !== 0,
  }));
}

/** The instructions at `address`, which go on at `entry`. What the runtime expects in `rdx` and on the stack is kept. */
function toGuard(address: number, entry: number): Uint8Array {
  const [command, hook] = [COMMAND_TEXT, HOOK_TEXT].map((text) => new TextEncoder().encode(text));
  const ask = [
    ...[0x52], //                                              push rdx
    ...[0x48, 0x81, 0xec, ...word(PAGE)], //                   sub  rsp, 4096
    ...[0xb8, ...word(79)], //                                 mov  eax, getcwd
    ...[0x48, 0x89, 0xe7], //                                  mov  rdi, rsp
    ...[0xbe, ...word(PAGE)], //                               mov  esi, 4096
    ...[0x0f, 0x05], //                                        syscall
    ...[0x48, 0x83, 0xf8, 0xfe], //                            cmp  rax, -ENOENT
    ...[0x74, 13], //                                          je   to what says so
    ...[0x48, 0x81, 0xc4, ...word(PAGE)], //                   add  rsp, 4096
    ...[0x5a], //                                              pop  rdx
  ];
  const goOn = [0xe9, ...word(entry - (address + ask.length + 5))]; // jmp entry
  const toRestore = ask.length - 8;
  const asHook = (texts: number) => [
    ...[0xbb, ...word(1)], //                                  mov  ebx, 1
    ...[0x48, 0x8d, 0x35, ...word(texts + (command?.length ?? 0))], // lea rsi, [text of hooks]
    ...[0xba, ...word(hook?.length ?? 0)], //                  mov  edx, its length
  ];
  const say = [
    ...[0xb8, ...word(1)], //                                  mov  eax, write
    ...[0xbf, ...word(2)], //                                  mov  edi, standard error
    ...[0x0f, 0x05], //                                        syscall
    ...[0x89, 0xdf], //                                        mov  edi, ebx
    ...[0xb8, ...word(231)], //                                mov  eax, exit_group
    ...[0x0f, 0x05], //                                        syscall
  ];
  const hookBytes = asHook(0).length;
  const isHook = [
    ...[0x48, 0x83, 0xbc, 0x24, ...word(PAGE + 8), 2], //      cmp  qword [argc], 2
    ...[0x72, 8 + 6 + 2 + 4 + 2 + hookBytes], //               jb   to say
    ...[0x48, 0x8b, 0x84, 0x24, ...word(PAGE + 24)], //        mov  rax, [argv[1]]
    ...[0x81, 0x38, ...new TextEncoder().encode("hook")], //   cmp  dword [rax], "hook"
    ...[0x75, 4 + 2 + hookBytes], //                           jne  to say
    ...[0x80, 0x78, 4, 0], //                                  cmp  byte [rax + 4], 0
    ...[0x75, hookBytes], //                                   jne  to say
  ];
  const asCommand = (texts: number) => [
    ...[0xbb, ...word(2)], //                                  mov  ebx, 2
    ...[0x48, 0x8d, 0x35, ...word(texts)], //                  lea  rsi, [text of commands]
    ...[0xba, ...word(command?.length ?? 0)], //               mov  edx, its length
  ];
  // An address counts from the end of its instruction, which here is followed by one of five bytes.
  const behindSeek = asCommand(0).length + isHook.length + hookBytes + say.length +
    (command?.length ?? 0) + (hook?.length ?? 0);
  const seekAt = ask.length + goOn.length;
  const behindHook = 5 + say.length;
  const behindCommand = 5 + isHook.length + hookBytes + say.length;
  return Uint8Array.from([
    ...ask,
    ...goOn,
    ...toSeek({ at: seekAt, restore: toRestore, top: behindSeek }),
    ...asCommand(behindCommand),
    ...isHook,
    ...asHook(behindHook),
    ...say,
    ...(command ?? []),
    ...(hook ?? []),
    ...new TextEncoder().encode("/\0"),
  ]);
}

/** The first bytes of the options that need no present folder. */
const FOLDERLESS = { whole: ["--ve", "--he"], short: ["-V\0\0", "-h\0\0"] } as const;

/**
 * Goes on from the top of the file system where an argument says that the present folder is not needed: `--version`,
 * `--help` and `--project`.
 *
 * @param place how far behind the start of the guard this begins, and where the stack is restored; how far behind the end
 * of this the path of the top stands.
 */
function toSeek(
  { at, restore, top }: { readonly at: number; readonly restore: number; readonly top: number },
): readonly number[] {
  const take = (text: string) => [...new TextEncoder().encode(text)];
  const compare = (text: string, distance: number) => [
    ...[0x81, 0xf9, ...take(text)], //                         cmp  ecx, text
    ...[0x74, distance], //                                    je   to the end of the loop
  ];
  const project = [
    ...[0x81, 0xf9, ...take("--pr")], //                       cmp  ecx, "--pr"
    ...[0x75, 9], //                                           jne  past the second half
    ...[0x81, 0x78, 4, ...take("ojec")], //                    cmp  dword [rax + 4], "ojec"
  ];
  const cut = [0x81, 0xe1, 0xff, 0xff, 0xff, 0]; //            and  ecx, 0xffffff
  const head = [
    ...[0x48, 0x8b, 0x03], //                                  mov  rax, [rbx]
    ...[0x48, 0x85, 0xc0], //                                  test rax, rax
  ];
  const step = [
    ...[0x48, 0x83, 0xc3, 8], //                               add  rbx, 8
    ...[0x8b, 0x08], //                                        mov  ecx, [rax]
  ];
  const again = 2;
  // The tests, from the last one on: each says how far it is to the end of the loop.
  let tests: readonly number[] = [];
  for (const text of FOLDERLESS.short.toReversed()) {
    tests = [...compare(text, tests.length + again), ...tests];
  }
  tests = [...cut, ...tests];
  tests = [...project, 0x74, tests.length + again, ...tests]; // je to the end
  for (const text of FOLDERLESS.whole.toReversed()) {
    tests = [...compare(text, tests.length + again), ...tests];
  }
  const loop = head.length + 2 + step.length + tests.length + again;
  const first = [0x48, 0x8d, 0x9c, 0x24, ...word(PAGE + 24)]; // lea  rbx, [argv[1]]
  const change = (back: number) => [
    ...[0xb8, ...word(80)], //                                 mov  eax, chdir
    ...[0x48, 0x8d, 0x3d, ...word(top + 7)], //                lea  rdi, [path of the top]
    ...[0x0f, 0x05], //                                        syscall
    ...[0xe9, ...word(back)], //                               jmp  to where the stack is restored
  ];
  const size = change(0).length;
  const end = at + first.length + loop + size;
  return [
    ...first,
    ...head,
    ...[0x74, step.length + tests.length + again + size], //   jz   past all of this
    ...step,
    ...tests,
    ...[0xeb, 256 - loop], //                                  jmp  to the next argument
    ...change(restore - end),
  ];
}

/** Four bytes, the least first. */
function word(value: number): readonly number[] {
  return [0, 8, 16, 24].map((shift) => (value >> shift) & 0xff);
}

function toUnknown(why: string): Error {
  return new Error(
    `the executable is not laid out as this task knows it (${why}); compile with Deno 2.6.10`,
  );
}
