/** Another process that trusts one hash: repository, state folder and hash are its arguments. */
import { SYSTEM_CLOCK } from "../../src/base/clock.ts";
import { createSeal } from "../../src/base/files/seal.ts";
import { TrustStore } from "../../src/evidence/runs/trust.ts";

const [repository = "", stateDir = "", hash = ""] = Deno.args;
const store = new TrustStore({ stateDir, seal: createSeal(stateDir), clock: SYSTEM_CLOCK });
await store.trust(repository, { commands: [], behind: [], hash }, "terminal");
