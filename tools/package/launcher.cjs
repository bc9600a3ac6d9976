#!/usr/bin/env node
// Starts the executable of this platform, which npm put into a package of its own, and ends as it ends.
"use strict";
const { spawn } = require("node:child_process");

const PLATFORM = `code-intel-${process.platform}-${process.arch}`;
const FILE = process.platform === "win32" ? "code-intel.exe" : "code-intel";
/** Exit code of the program where something outside of it is missing. */
const FAILED = 2;

function fail(message) {
  process.stderr.write(`code-intel: ${message}\n`);
  process.exit(FAILED);
}

function find() {
  try {
    return require.resolve(`${PLATFORM}/bin/${FILE}`);
  } catch {
    return null;
  }
}

const program = find();
if (program === null) {
  fail(
    `the package ${PLATFORM} is not installed. Install again with optional dependencies; ` +
      "where your platform has none, run the program from a clone with Deno.",
  );
} else {
  const child = spawn(program, process.argv.slice(2), { stdio: "inherit", windowsHide: true });
  // A terminal sends Ctrl-C to the program too: told twice, it would not end cleanly.
  process.on("SIGINT", () => {});
  for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("error", ({ message }) => fail(`${program} cannot be started: ${message}`));
  child.on("exit", (code, signal) => {
    if (signal === null) process.exit(code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}
