/** What a change can break, in a session and from the shell, over the real server. */
import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { runHosted } from "../support/server/hosted_cli.ts";
import { startProcess } from "../support/session/hosted_session.ts";
import { createProject } from "../support/session/session_driver.ts";

Deno.test("step 11 wants a decision for each file of must_verify, and step 17 names what was promised", async () => {
  await using project = await createProject();
  await using session = await startProcess(project, {
    answers: [false, false, true],
    flags: { no_doc: true },
  });
  await session.until(5);
  const early = await session.call("analyze_impact", { target_files: ["src/auth.ts"] });
  equal(early.ok, true, "its tests help an exploration; step 11 wants an analysis of its own");
  await session.until(11);
  const none = await session.submit({
    impact_summary: { decisions: [{ path: "src/auth.ts", status: "will_modify" }] },
  });
  equal(none.ok, false, "the analysis is required");

  const found = await session.must("analyze_impact", { target_files: ["src/auth.ts"] });
  deepEqual(found.confirmation_required.must_verify, ["src/view.ts"]);
  deepEqual([found.session_id, found.current_phase], [session.id, "IMPACT_ANALYSIS"]);
  const [caller] = found.impact_analysis.static_references.callers;
  match(caller, /^src\/view\.ts:\d+ \w+ [\w./]+( in [\w.]+)?: /);
  ok(found.next_steps.join(" ").includes("submit_phase"));
  const { brief } = await session.call("get_session_status");
  deepEqual(brief.must_verify, { shown: 1, total: 1, items: ["src/view.ts"] });

  const open = await session.submit({
    impact_summary: { decisions: [{ path: "src/auth.ts", status: "will_modify" }] },
  });
  deepEqual(open.problems.map(({ code }: { readonly code: string }) => code), ["impact_undecided"]);
  ok(open.problems[0].hint.includes("src/view.ts"));
  // The list outlives the process.
  await session.restart();
  equal((await session.submit({ impact_summary: { decisions: [] } })).ok, false);
  await session.accept({
    impact_summary: {
      decisions: [
        { path: "src/auth.ts", status: "will_modify" },
        { path: "src/view.ts", status: "will_modify" },
      ],
    },
  });
  const { state } = await session.checkpoint();
  deepEqual(state.impactFound.mustVerify, ["src/view.ts"]);

  await session.until(17);
  const shown = await session.must("review_changes");
  deepEqual(shown.will_modify_unchanged, ["src/view.ts"]);
  const reviewed = await session.next();
  deepEqual(reviewed.will_modify_unchanged, ["src/view.ts"]);
  await session.until("end");
});

Deno.test("the twin impact answers at a terminal, with --diff for what was edited", async () => {
  await using project = await createProject();
  const run = (...args: string[]) => runHosted(["impact", ...args], { cwd: project.dir });
  const empty = await run("--json");
  equal(empty.code, 64);
  ok(JSON.parse(empty.stdout).problems[0].message.includes("target_files"));
  const clean = JSON.parse((await run("--diff", "--json")).stdout);
  deepEqual([clean.ok, clean.total], [true, 0]);
  const path = join(project.dir, "src/hash.ts");
  await Deno.writeTextFile(path, (await Deno.readTextFile(path)).replace("'#'", "'##'"));
  const edited = await run("--diff", "--json");
  equal(edited.code, 0, edited.stderr);
  const reply = JSON.parse(edited.stdout);
  deepEqual(reply.confirmation_required.must_verify, ["src/auth.ts"]);
  deepEqual(reply.impact_analysis.targets[0].symbols, ["hash"]);
  const plain = await run("src/hash.ts");
  ok(plain.stdout.includes("src/auth.ts"), plain.stdout);
});
