/**
 * Which quick tests can start a program that a bare machine lacks: ripgrep, or what needs a terminal or a mount. `.ci/run`
 * runs all quick tests on a bare machine, and these once more where the programs are.
 */
import { dirname, join, normalize } from "node:path";

/**
 * What such a test does or asks for, itself or through a file of `tests`: it makes the finder of ripgrep and does not turn it
 * off; it starts the program; or it needs what a bare machine may lack.
 */
const STARTING =
  /createBackends\((?!\{ env: \{ get: \(\) => "none")|support\/(?:\w+\/)?(?:mcp_client|cli|hosted_cli|session_driver|http_server|asking_server|follower)\.ts"|(?:testNeeding\(\s*|needs: )\[[^\]]*"(?!posix"|no_root"|processes")\w/;

/**
 * Tests that start the program, which searches no text for them: run with a ripgrep that writes its calls down, they called
 * none. A run beside ripgrep is the bare one again.
 */
export const NEVER_SEARCHING: readonly string[] = [
  "tests/features/map/map_command_test.ts",
  "tests/features/report/report_command_test.ts",
  "tests/features/learning/stats_command_test.ts",
  "tests/cli/commands/verify_test.ts",
  "tests/cli/named_file_test.ts",
  "tests/e2e/handshake_test.ts",
  "tests/features/http/http_command_test.ts",
  "tests/escape/escape_test.ts",
  "tests/mcp/malformed_params_test.ts",
];

const IMPORT = /from "(\.[^"]+\.ts)"/g;

/**
 * Those of the files that can start such a program, in their order.
 *
 * @param files paths from the top of the repository.
 */
export async function listStarting(
  repository: string,
  files: readonly string[],
): Promise<readonly string[]> {
  const known = new Map<string, boolean>();
  const isStarting = async (path: string): Promise<boolean> => {
    const found = known.get(path);
    if (found !== undefined) return found;
    // A circle adds nothing: what is being looked at counts as no.
    known.set(path, false);
    const starts = await look(path);
    known.set(path, starts);
    return starts;
  };
  const look = async (path: string): Promise<boolean> => {
    // Imports in the text of a sample name files that are not there.
    const text = await Deno.readTextFile(join(repository, path)).catch(() => "");
    if (STARTING.test(text)) return true;
    for (const [, from = ""] of text.matchAll(IMPORT)) {
      const at = normalize(join(dirname(path), from)).replaceAll("\\", "/");
      if (at.startsWith("tests/") && await isStarting(at)) return true;
    }
    return false;
  };
  const starting: string[] = [];
  for (const file of files) {
    if (!NEVER_SEARCHING.includes(file) && await isStarting(file)) starting.push(file);
  }
  return starting;
}
