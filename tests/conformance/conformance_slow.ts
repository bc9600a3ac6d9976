/**
 * The protocol's own suite and client against the real server. Both come from the package registry: where
 * it cannot be reached the tests say so and are skipped.
 */
import { deepStrictEqual as deepEqual, ok } from "node:assert/strict";
import { runInspector } from "../../tools/conformance/inspector.ts";
import { findUnknown, judgeRuns } from "../../tools/conformance/judge.ts";
import EXCEPTIONS from "../../tools/conformance/not_applicable.json" with { type: "json" };
import {
  CONFORMANCE,
  fetchPackage,
  INSPECTOR,
  REVISIONS,
  runRevision,
} from "../../tools/conformance/suite.ts";
import { serveSample } from "../../tools/conformance/served_project.ts";
import { testNeeding } from "../support/needs.ts";
import type { OtherNeed } from "../support/needs.ts";

const folder = await Deno.makeTempDir();
const [noSuite, noInspector] = [
  await fetchPackage(CONFORMANCE, { cwd: folder }),
  await fetchPackage(INSPECTOR, { cwd: folder }),
];

function toNeed(hindrance: string | null): OtherNeed {
  return { what: "a package of the registry", hindrance };
}

testNeeding(
  [toNeed(noSuite)],
  "every scenario of the suite that applies passes",
  async () => {
    await using served = await serveSample();
    const runs = [];
    for (const revision of REVISIONS) runs.push(...await runRevision(served, revision));
    const failed = judgeRuns(runs, EXCEPTIONS).filter(({ kind }) => kind === "failed");
    deepEqual(failed, []);
    deepEqual(findUnknown(runs, EXCEPTIONS), []);
    ok(runs.length > 80, `${runs.length} runs`);
  },
);

testNeeding(
  [toNeed(noInspector)],
  "the inspector lists and calls tools in both eras over both transports",
  async () => {
    await using served = await serveSample();
    const runs = await runInspector(served, ["tools/list", "tools/call"]);
    deepEqual(runs.filter(({ fault }) => fault !== null), []);
    deepEqual(runs.length, 12);
  },
);
