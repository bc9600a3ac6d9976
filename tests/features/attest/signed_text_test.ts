/** Texts that the person's git signs and checks, with keys of SSH and OpenPGP; nothing may wait for a passphrase. */
import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import {
  checkSignatures,
  parseSignedText,
  signText,
} from "../../../src/features/attest/signed_text.ts";
import { testNeeding } from "../../support/needs.ts";
import { createTempRepo, expectUntouched } from "../../support/temp_repo.ts";
import type { TempRepo } from "../../support/temp_repo.ts";

const TEXT = '{"a":"ä \\u0000 🙂"}\n';

async function useKey(temp: TempRepo, passphrase: string): Promise<string> {
  const path = join(temp.dir, ".git", "key");
  const args = ["-q", "-t", "ed25519", "-N", passphrase, "-C", "", "-f", path];
  await new Deno.Command("ssh-keygen", { args }).output();
  await temp.git("config", "gpg.format", "ssh");
  await temp.git("config", "user.signingKey", path);
  return await Deno.readTextFile(`${path}.pub`);
}

Deno.test("signText() without a key writes the text all the same, in either format of objects", async () => {
  for (const objectFormat of ["sha1", "sha256"] as const) {
    await using temp = await createTempRepo({ objectFormat });
    const made = await expectUntouched(temp, () => signText(temp.repo, TEXT));
    equal(made.kind, "unsigned");
    equal(made.kind === "unsigned" && made.failed, false);
    deepEqual(parseSignedText(made.raw, temp.repo), { text: TEXT, hasSignature: false });
    deepEqual((await checkSignatures(temp.repo, [made.raw])).map(({ state }) => state), ["none"]);
  }
});

testNeeding(
  ["ssh_keygen"],
  "signText() signs with the key of SSH, and git by itself can check it",
  async () => {
    for (const objectFormat of ["sha1", "sha256"] as const) {
      await using temp = await createTempRepo({ objectFormat });
      const key = await useKey(temp, "");
      const made = await signText(temp.repo, TEXT);
      equal(made.kind, "signed");
      const signers = join(temp.dir, ".git", "signers");
      await Deno.writeTextFile(signers, `anna@example.org ${key}`);
      const other = made.raw.replace("🙂", "🙁");
      const states = await checkSignatures(temp.repo, [made.raw, other], {
        allowedSigners: signers,
      });
      deepEqual(states.map(({ state, signer }) => [state, signer]), [
        ["good", "anna@example.org"],
        ["bad", ""],
      ]);
      // As the documents say it can be done by hand.
      await Deno.writeTextFile(join(temp.dir, ".git", "raw"), made.raw);
      const id = await temp.git("hash-object", "-t", "commit", "-w", ".git/raw");
      await temp.git("-c", `gpg.ssh.allowedSignersFile=${signers}`, "verify-commit", id);
    }
  },
);

testNeeding(
  ["ssh_keygen"],
  "signText() neither asks for a passphrase nor waits for a program that hangs",
  async () => {
    await using temp = await createTempRepo();
    await useKey(temp, "secret");
    const made = await signText(temp.repo, TEXT);
    equal(made.kind, "unsigned");
    ok(made.kind === "unsigned" && made.failed);
    match(made.why, /could not sign without asking/);
    await temp.git("config", "user.signingKey", "/no/such/key");
    equal((await signText(temp.repo, TEXT)).kind, "unsigned");
  },
);

testNeeding(
  ["posix", { what: "gpg", hindrance: hinderGpg() }],
  "a signature of OpenPGP is told apart by whether its key is known",
  async () => {
    await using temp = await createTempRepo();
    // The agent's socket has a short path.
    const home = await Deno.makeTempDir({ dir: "/tmp", prefix: "gpg-" });
    await Deno.chmod(home, 0o700);
    const gpg = join(home, "gpg.sh");
    await Deno.writeTextFile(gpg, `#!/bin/sh\nexec gpg --homedir ${home} "$@"\n`, { mode: 0o700 });
    const args = ["--homedir", home, "--batch", "--quiet", "--passphrase", ""];
    const make = [
      "--quick-generate-key",
      "Test Person <person@example.org>",
      "ed25519",
      "sign",
      "0",
    ];
    await new Deno.Command("gpg", { args: [...args, ...make], stderr: "null" }).output();
    await temp.git("config", "commit.gpgSign", "true");
    await temp.git("config", "gpg.program", gpg);
    const made = await signText(temp.repo, TEXT);
    const [known] = await checkSignatures(temp.repo, [made.raw]);
    deepEqual([made.kind, known?.state, known?.signer], [
      "signed",
      "good",
      "Test Person <person@example.org>",
    ]);
    const stop = ["--homedir", home, "--kill", "gpg-agent"];
    await new Deno.Command("gpgconf", { args: stop, stderr: "null" }).output();
    await Deno.writeTextFile(gpg, `#!/bin/sh\nexec gpg --homedir ${temp.dir}/.git "$@"\n`);
    const [strange] = await checkSignatures(temp.repo, [made.raw]);
    equal(strange?.state, "unchecked");
  },
);

/** Why no key can be made here; null where one can. */
function hinderGpg(): string | null {
  try {
    new Deno.Command("gpgconf", { args: ["--version"], stdout: "null" }).outputSync();
    return null;
  } catch {
    return "it is not installed";
  }
}
