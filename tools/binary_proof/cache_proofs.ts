/** The file that has to be unpacked: once, shared, mended, and done without where there is no place for it. */
import { join } from "node:path";
import type { Sandbox } from "./sandbox.ts";
import { expect } from "./sandbox.ts";

interface Row {
  readonly id: string;
  readonly status: string;
  readonly detail: string;
  readonly fix: string | null;
}

/** What `doctor` says of the extension that is unpacked. */
async function readRow(
  sandbox: Sandbox,
  options: Parameters<Sandbox["run"]>[1],
): Promise<Row> {
  const { stdout, stderr } = await sandbox.run(["doctor", "--json"], options);
  const { checks } = JSON.parse(stdout === "" ? "{}" : stdout) as {
    readonly checks?: readonly Row[];
  };
  const row = checks?.find(({ detail }) => detail.includes("sqlite-vec"));
  if (row === undefined) throw new Error(`doctor does not speak of sqlite-vec: ${stderr}`);
  return row;
}

/** Four processes at once unpack one file; a damaged one is written anew. */
export async function proveShared(sandbox: Sandbox): Promise<void> {
  const cwd = await sandbox.makeRepository();
  const cache = join(sandbox.folder, "shared cache");
  const env = { ...sandbox.env, CODE_INTEL_CACHE_DIR: cache };
  const rows = await Promise.all([1, 2, 3, 4].map(() => readRow(sandbox, { cwd, env })));
  expect(rows.every(({ status }) => status === "ok"), `all load it: ${JSON.stringify(rows)}`);
  const files = await listFiles(cache);
  expect(files.length === 1, `one file is unpacked: ${files.join(", ")}`);
  const [path = ""] = files;
  await Deno.writeTextFile(path, "damaged");
  const { status } = await readRow(sandbox, { cwd, env });
  expect(status === "ok", "a damaged file is written anew");
}

/** Places where nothing can be unpacked or loaded, each as a mount that only this process sees. */
const PLACES: readonly { readonly name: string; readonly mount: string }[] = [
  { name: "read-only", mount: "-o ro,size=1m" },
  { name: "noexec", mount: "-o noexec,size=1m" },
  { name: "full", mount: "-o size=16k" },
];

/** A read-only home, one where nothing may be executed, a full disk: said clearly, and searches go on. */
export async function provePlaces(sandbox: Sandbox): Promise<void> {
  const cwd = await sandbox.makeRepository({
    "a.ts": "export function pay(): number { return 1; }\n",
  });
  for (const { name, mount } of PLACES) {
    const home = await Deno.makeTempDir({ dir: sandbox.folder });
    const before = await sandbox.mounted(`mount -t tmpfs ${mount} none ${home}`);
    const env = { ...sandbox.env, HOME: home };
    const { status, detail, fix } = await readRow(sandbox, { cwd, env, before });
    const isSaid = status === "warn" && /^Vectors are compared without sqlite-vec/.test(detail);
    expect(isSaid && /CODE_INTEL_CACHE_DIR/.test(fix ?? ""), `${name}: ${detail}`);
    const found = await sandbox.run(["search", "pay", "--json"], { cwd, env, before });
    expect(found.code === 0 && found.stdout.includes("a.ts"), `${name}: ${found.stderr}`);
  }
}

/** Commands that only read answer in a project that cannot be written, and write nothing to it. */
export async function proveReadOnlyProject(sandbox: Sandbox): Promise<void> {
  const cwd = await sandbox.makeRepository({
    "src/pay.ts": "export function pay(): number {\n  return 1;\n}\n\nexport const paid = pay();\n",
  });
  const before = await sandbox.mounted(
    `mount --bind ${cwd} ${cwd} && mount -o remount,ro,bind ${cwd}`,
  );
  const rows: readonly (readonly string[])[] = [
    ["def", "pay"],
    ["refs", "pay"],
    ["text", "pay"],
    ["files", "**/*.ts"],
    ["symbols", "src/pay.ts"],
    ["structure", "src"],
    ["function", "src/pay.ts", "2"],
    ["search", "pay"],
  ];
  for (const words of rows) {
    const { code, stdout, stderr } = await sandbox.run([...words, "--project", cwd], {
      // The shell that mounts was there before the folder became another one.
      cwd: sandbox.folder,
      before,
    });
    expect(code === 0 && stdout.includes("pay"), `${words.join(" ")}: ${code} ${stderr}${stdout}`);
  }
}

async function listFiles(folder: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    if (isDirectory) found.push(...await listFiles(join(folder, name)));
    else found.push(join(folder, name));
  }
  return found;
}
