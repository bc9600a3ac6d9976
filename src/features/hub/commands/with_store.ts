/** Opens the store that a command of a hub works with. */
import { resolve } from "node:path";
import { CodeIntelError } from "../../../base/errors.ts";
import { readControlText } from "../../../base/files/control_file.ts";
import { endProgramsWithThisProcess } from "../../../base/processes/process.ts";
import type { ExitCode, Invocation, OptionRow } from "../../../cli/command.ts";
import { HubStore } from "../hub_store.ts";
import { describeStore, parseStorePlace } from "../postgres/store_place.ts";

const STORE_VARIABLE = "CODE_INTEL_STORE";
/** Where the store is. */
export const STORE_OPTION: OptionRow = {
  name: "store-file",
  kind: "text",
  value: "FILE",
  summary: `File with the URL of the store, postgres://… (default: the variable ${STORE_VARIABLE})`,
};

/** Does the work of a command with the store, and closes it. */
export async function withStore(
  invocation: Invocation,
  act: (store: HubStore) => Promise<ExitCode>,
): Promise<ExitCode> {
  const place = parseStorePlace(readStoreUrl(invocation));
  const { state } = await Deno.permissions.query({
    name: "net",
    host: `${place.host}:${place.port}`,
  });
  if (state !== "granted") throw makeNetworkDeniedError(`to the store ${describeStore(place)}`);
  endProgramsWithThisProcess();
  const store = await HubStore.open(place);
  try {
    return await act(store);
  } finally {
    store.close();
  }
}

/** The URL comes from a file or the environment: arguments of a process are shown to everybody on the machine. */
function readStoreUrl(invocation: Invocation): string {
  const file = readText(invocation, "store-file");
  if (file !== null) return readSecret(file, invocation.projectDir);
  const url = Deno.env.get(STORE_VARIABLE) ?? "";
  if (url !== "") return url;
  throw new CodeIntelError("bad_usage", "No store is named", {
    hint:
      `Set ${STORE_VARIABLE}=postgres://USER:PASSWORD@HOST:PORT/DATABASE, or name a file that holds this line by --store-file.`,
  });
}

/** A line that only a file may hold. */
export function readSecret(file: string, base: string): string {
  const text = readControlText(resolve(base, file), "memory")?.trim() ?? "";
  if (text !== "") return text;
  throw new CodeIntelError("bad_usage", `Cannot read "${file}"`, {
    hint: "Name a file that is there and not empty.",
  });
}

/** What an executable says that may not reach other machines. */
export function makeNetworkDeniedError(where: string): CodeIntelError {
  return new CodeIntelError(
    "network_denied",
    `This executable has no permission for connections ${where}: it reaches 127.0.0.1 alone`,
    {
      hint:
        "Run the executable code-intel-hub, which has it, or lead a port of 127.0.0.1 there (ssh -L).",
    },
  );
}

/** The text of an option; null where it was not given. */
export function readText({ options }: Invocation, name: string): string | null {
  const value = options[name];
  return typeof value === "string" && value !== "" ? value : null;
}
