/** How clients call an executable, by where it lies. */
import { strictEqual as equal } from "node:assert/strict";
import { detectInstallation } from "../../src/clients/installation.ts";

const PACKAGE = "node_modules/code-intel-linux-x64/bin/code-intel";

/** What the executable's path, then the words in files of a team, then those in files of this machine. */
const ROWS: readonly (readonly [path: string, shared: string, own: string])[] = [
  [`/home/ann/.npm/_npx/1f2e/${PACKAGE}`, "npx -y code-intel@V", "npx -y code-intel@V"],
  [
    "C:\\npm-cache\\_npx\\1f\\code-intel.exe",
    "npx -y code-intel@V",
    "cmd /c npx -y code-intel@V",
  ],
  ["/home/ann/.cache/uv/archive-v0/Ab1/bin/code-intel", "uvx code-intel@V", "uvx code-intel@V"],
  ["C:\\uv\\cache\\archive-v0\\x\\code-intel.exe", "uvx code-intel@V", "uvx code-intel@V"],
  [`/work/shop/${PACKAGE}`, "npx --no code-intel", `/work/shop/${PACKAGE}`],
  [`/work/shop2/${PACKAGE}`, "code-intel", `/work/shop2/${PACKAGE}`],
  [`/usr/lib/${PACKAGE}`, "code-intel", `/usr/lib/${PACKAGE}`],
  ["/home/ann/.local/share/uv/tools/code-intel/bin/code-intel", "code-intel", "the same"],
  [
    "/opt/homebrew/Cellar/code-intel/0.1.0/bin/code-intel",
    "code-intel",
    "/opt/homebrew/opt/code-intel/bin/code-intel",
  ],
  [
    "C:\\Users\\ann\\scoop\\apps\\code-intel\\0.1.0\\code-intel.exe",
    "code-intel",
    "C:\\Users\\ann\\scoop\\apps\\code-intel\\current\\code-intel.exe",
  ],
  ["/opt/code-intel", "code-intel", "the same"],
];

Deno.test("detectInstallation() names what fetched the program, the lock file's version, or a path that outlives an update", () => {
  const toText = (words: readonly string[]) => words.join(" ").replace(/@\d+\.\d+\.\d+$/, "@V");
  for (const [path, shared, own] of ROWS) {
    const found = detectInstallation(path, "/work/shop");
    equal(toText(found.shared), shared, path);
    equal(toText(found.own), own === "the same" ? path : own, path);
  }
});
