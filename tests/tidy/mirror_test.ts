/** Each file of `src` has its test, at the same place below `tests`, or a reason why not. */
import { expectNone, readSourceFiles } from "./source_files.ts";

/**
 * Files without a test of their own, each with the test that covers it or the reason why there is
 * nothing to test. A folder ends with `/`.
 */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  "src/syntax/wasm_files.ts": "tests/syntax/tree_sitter_test.ts",
  "src/analysis/trees/typed_names.ts": "tests/analysis/trees/type_facts_test.ts",
  "src/resolve/context_types.ts": "tests/impact/agreement_test.ts",
  "src/resolve/expression_types.ts": "tests/impact/agreement_test.ts",
  "src/resolve/import_trail.ts": "tests/resolve/resolve_reference_test.ts",
  "src/resolve/modules/module_bindings.ts": "tests/impact/agreement_scripts_test.ts",
  "src/resolve/modules/other_names.ts": "tests/impact/agreement_scripts_test.ts",
  "src/resolve/neighbours.ts": "tests/resolve/resolve_reference_test.ts",
  "src/language/fact_marks.ts": "tests/impact/agreement_scripts_test.ts",
  "src/resolve/typed.ts": "tests/impact/agreement_test.ts",
  "src/base/paths.ts": "types only",
  "src/resolve/proof.ts": "tests/explore/names/proven_definitions_test.ts",
  "src/resolve/proof_store.ts": "tests/explore/names/proven_definitions_test.ts",
  "src/language/language_row.ts": "types only",
  "src/language/rows.ts": "tests/language/languages_test.ts",
  "src/language/rows/": "tests/language/languages_test.ts",
  "src/language/signs.ts": "tests/language/languages_test.ts",
  "src/impact/code_file.ts": "tests/impact/likely/find_likely_test.ts",
  "src/impact/likely/ask_past.ts": "tests/impact/likely/likely_files_test.ts",
  "src/impact/likely/feature_table.ts": "a table; tests/impact/likely/likely_files_test.ts",
  "src/impact/likely/past_features.ts": "tests/impact/likely/likely_files_test.ts",
  "src/scip/scip_index.ts": "tests/scip/decode_test.ts",
  "src/scip/wait_at_most.ts": "tests/scip/scip_source_test.ts",
  "src/scip/scip_places.ts": "tests/scip/trust_test.ts",
  "src/explore/answer_types.ts": "types only",
  "src/workflow/effects/effect_context.ts": "tests/workflow/effects/effects_test.ts",
  "src/workflow/present_tree.ts": "tests/workflow/changes/inspect_test.ts",
  "src/workflow/sessions/note_state.ts": "tests/workflow/sessions/learn_test.ts",
  "src/base/clock.ts": "one line; every test of sessions holds its own clock",
  "src/context/load_yaml.ts": "tests/context/update_context_test.ts",
  "src/context/yaml.ts": "tests/context/update_context_test.ts",
  "src/cli/command.ts": "tests/cli/help_test.ts",
  "src/cli/bindings.ts": "tests/cli/twins_test.ts",
  "src/cli/person_reader.ts": "tests/cli/person_words_test.ts",
  "src/cli/twin_rows.ts": "a table; tests/cli/twins_test.ts",
  "src/cli/commands/doctor.ts": "tests/cli/run_test.ts",
  "src/cli/commands/doctor_vectors.ts": "tools/binary_proof/proofs.ts, beside the source",
  "src/project/setup/placed_wishes.ts": "tests/project/edits/link_targets_test.ts",
  "src/project/setup/server_entries.ts": "tests/project/setup/setup_check_test.ts",
  "src/project/finding.ts": "tests/project/doctor_test.ts",
  "src/cli/commands/help.ts": "tests/cli/run_test.ts",
  "src/hooks/apply_patch.ts": "tests/hooks/hook_call_test.ts",
  "src/workflow/hook_door.ts": "tests/cli/commands/hook_test.ts",
  "src/workflow/sessions/hooks_seen.ts": "tests/cli/commands/hook_test.ts",
  "src/cli/commands/licenses.ts": "tests/licenses/licenses_test.ts",
  "src/cli/version_text.ts": "tests/cli/run_test.ts",
  "src/cli/commands/init.ts": "tests/cli/init_test.ts",
  "src/cli/commands/serve.ts": "tests/e2e/handshake_test.ts",
  "src/cli/commands/session.ts": "tests/cli/session_test.ts",
  "src/cli/commands/uninstall.ts": "tests/cli/init_test.ts",
  "src/cli/setup_target.ts": "tests/cli/init_test.ts",
  "src/hooks/active_session.ts": "tests/cli/init_test.ts",
  "src/clients/claude_code.ts": "tests/project/setup/init_test.ts",
  "src/clients/codex.ts": "tests/project/setup/init_test.ts",
  "src/cli/commands/outcome.ts": "tests/cli/commands/stats_test.ts",
  "src/cli/commands/snapshots.ts": "tests/cli/commands/restore_test.ts",
  "src/embedding/embedder_worker.ts": "tests/embedding/embedder_test.ts",
  "src/evidence/runs/report/cargo.ts": "tests/evidence/runs/report/read_report_test.ts",
  "src/evidence/runs/report/ctest.ts": "tests/evidence/runs/report/read_report_test.ts",
  "src/evidence/runs/report/deno.ts": "tests/evidence/runs/report/read_report_test.ts",
  "src/evidence/runs/report/dotnet.ts": "tests/evidence/runs/report/read_report_test.ts",
  "src/evidence/runs/report/go_json.ts": "tests/evidence/runs/report/read_report_test.ts",
  "src/evidence/runs/report/go_text.ts": "tests/evidence/runs/report/read_report_test.ts",
  "src/evidence/runs/report/jest.ts": "tests/evidence/runs/report/read_report_test.ts",
  "src/evidence/runs/report/junit_xml.ts": "tests/evidence/runs/report/read_report_test.ts",
  "src/evidence/runs/report/jvm.ts": "tests/evidence/runs/report/read_report_test.ts",
  "src/evidence/runs/report/mocha.ts": "tests/evidence/runs/report/read_report_test.ts",
  "src/evidence/runs/report/node_spec.ts": "tests/evidence/runs/report/read_report_test.ts",
  "src/evidence/runs/report/phpunit.ts": "tests/evidence/runs/report/read_report_test.ts",
  "src/evidence/runs/report/pytest.ts": "tests/evidence/runs/report/read_report_test.ts",
  "src/evidence/runs/report/report.ts": "tests/evidence/runs/report/read_report_test.ts",
  "src/evidence/runs/report/rspec.ts": "tests/evidence/runs/report/read_report_test.ts",
  "src/evidence/runs/report/tap.ts": "tests/evidence/runs/report/read_report_test.ts",
  "src/evidence/runs/report/unittest.ts": "tests/evidence/runs/report/read_report_test.ts",
  "src/evidence/runs/report/vitest.ts": "tests/evidence/runs/report/read_report_test.ts",
  "src/evidence/runs/verification.ts": "types only",
  "src/evidence/empty/empty_bodies.ts": "tests/evidence/empty/empty_body_test.ts",
  "src/evidence/empty/empty_calls.ts": "tests/evidence/empty/empty_body_test.ts",
  "src/evidence/empty/empty_rules.ts": "tests/evidence/empty/empty_body_test.ts",
  "src/evidence/empty/empty_tree.ts": "tests/evidence/empty/empty_body_test.ts",
  "src/git/branches/own_refs.ts": "tests/project/setup/purge_test.ts",
  "src/git/branches/hooks.ts": "tests/git/branches/commit_test.ts",
  "src/git/index/index_notes.ts": "tests/git/snapshots/snapshots_test.ts",
  "src/git/branches/intents.ts": "tests/git/branches/commit_test.ts",
  "src/git/index/loose_objects.ts": "tests/git/index/private_index_test.ts",
  "src/git/trees/merge_file.ts": "tests/git/branches/merge_test.ts",
  "src/git/trees/merge_trees.ts": "tests/git/branches/merge_test.ts",
  "src/git/trees/odd_files.ts": "tests/git/snapshots/snapshots_test.ts",
  "src/git/index/real_index.ts": "tests/git/branches/commit_test.ts",
  "src/git/repository_opener.ts": "tests/e2e/without_git_test.ts",
  "src/git/index/seed_index.ts": "tests/git/snapshots/snapshots_test.ts",
  "src/git/trees/session_changes.ts": "tests/git/trees/commit_tree_test.ts",
  "src/git/branches/switch_files.ts": "tests/git/branches/switch_branch_test.ts",
  "src/git/trees/untracked.ts": "tests/git/branches/switch_branch_test.ts",
  "src/git/index/young_files.ts": "tests/git/snapshots/snapshots_test.ts",
  "src/ranking/glossary_ja.ts": "tests/ranking/translate_test.ts",
  "src/analysis/analysis.ts": "types only",
  "src/analysis/chunks/chunk_split.ts": "tests/analysis/chunks/chunker_test.ts",
  "src/analysis/analyser.ts": "tests/analysis/analysis_pool_test.ts",
  "src/index/read/chunk_queries.ts": "tests/index/read/read_view_test.ts",
  "src/analysis/content.ts": "tests/index/read/read_view_test.ts",
  "src/index/store/content_writer.ts": "tests/index/read/read_view_test.ts",
  "src/index/store/index_folder.ts": "tests/index/store/index_file_test.ts",
  "src/project/own_parts.ts": "tests/hostile/links_out_test.ts",
  "src/index/read/file_queries.ts": "tests/index/read/read_view_test.ts",
  "src/index/scan/file_reader.ts": "tests/index/scan/scanner_test.ts",
  "src/index/scan/file_stamp.ts": "tests/index/scan/scanner_test.ts",
  "src/index/store/file_table.ts": "tests/index/code_index_test.ts",
  "src/index/store/database.ts": "tests/index/store/index_file_test.ts",
  "src/index/index_api.ts": "types only",
  "src/index/vectors/meaning_api.ts": "types only",
  "src/analysis/analysis_worker.ts": "tests/analysis/real_analysis_test.ts",
  "src/index/read/mention_queries.ts": "tests/index/read/read_view_test.ts",
  "src/analysis/doc_text.ts": "tests/analysis/languages_test.ts",
  "src/analysis/embedded.ts": "tests/analysis/languages_test.ts",
  "src/analysis/occurrences.ts": "tests/analysis/languages_test.ts",
  "src/analysis/queries/": "tests/analysis/languages_test.ts",
  "src/analysis/scanners/blade.ts": "tests/analysis/languages_test.ts",
  "src/analysis/scanners/places.ts": "tests/analysis/languages_test.ts",
  "src/analysis/trees/raw_tags.ts": "types only",
  "src/analysis/rule_analysis.ts": "tests/analysis/languages_test.ts",
  "src/analysis/chunks/": "tests/analysis/chunks/find_units_test.ts",
  "src/analysis/symbols.ts": "tests/analysis/languages_test.ts",
  "src/analysis/trees/tag_reader.ts": "tests/analysis/languages_test.ts",
  "src/analysis/trees/tree_analysis.ts": "tests/analysis/languages_test.ts",
  "src/analysis/occurrence_kinds.ts": "types only",
  "src/index/read/ranking_queries.ts": "tests/ranking/code_search_test.ts",
  "src/index/store/schema.ts": "tests/index/store/index_file_test.ts",
  "src/index/read/symbol_queries.ts": "tests/index/read/read_view_test.ts",
  "src/index/looks.ts": "tests/index/code_index_test.ts",
  "src/index/sync_job.ts": "tests/index/code_index_test.ts",
  "src/index/sync_run.ts": "tests/index/code_index_test.ts",
  "src/index/store/variant.ts": "tests/index/code_index_test.ts",
  "src/index/read/view.ts": "types only",
  "src/index/store/worktree_state.ts": "tests/index/code_index_test.ts",
  "src/ledger/git_trees.ts": "tests/ledger/observe_test.ts",
  "src/ledger/manifest_lines.ts": "tests/ledger/manifest_trees_test.ts",
  "src/ledger/trees.ts": "types only",
  "src/index/vectors/embed_file.ts": "tests/index/vectors/meaning_test.ts",
  "src/index/vectors/sqlite_vec.ts": "tests/index/vectors/vector_table_test.ts",
  "src/main.ts": "tests/e2e/handshake_test.ts",
  "src/tools/fields.ts": "tests/tools/call_test.ts",
  "src/mcp/instructions.ts": "tests/tools/tools_test.ts",
  "src/services/lazy.ts": "tests/services/services_test.ts",
  "src/tools/lazy.ts": "tests/tools/tools_test.ts",
  "src/mcp/lazy.ts": "tests/e2e/handshake_test.ts",
  "src/mcp/transport/server.ts": "tests/e2e/handshake_test.ts",
  "src/tools/tool.ts": "types only",
  "src/tools/rows/": "tests/tools/tools_test.ts",
  "src/phase/facts.ts": "types only",
  "src/phase/state.ts": "types only",
  "src/base/settings/config_check.ts": "tests/base/settings/config_test.ts",
  "src/services/hook_services.ts": "tests/cli/commands/hook_test.ts",
  "src/request/lazy.ts": "tests/request/measure_symbols_test.ts",
  "src/services/project_basis.ts": "tests/services/services_test.ts",
  "src/services/project_doctor.ts": "tests/cli/run_test.ts",
  "src/services/project_files.ts": "tests/services/services_test.ts",
  "src/services/project_index.ts": "tests/services/services_test.ts",
  "src/project/folder_size.ts": "tests/project/setup/purge_test.ts",
  "src/project/setup/places.ts": "tests/project/edits/link_targets_test.ts",
  "src/project/setup/purge_plan.ts": "tests/project/setup/purge_test.ts",
  "src/project/unfinished_writes.ts": "tests/project/setup/purge_slow.ts",
  "src/project/edits/file_edit.ts": "tests/project/setup/init_test.ts",
  "src/project/edits/file_state.ts": "tests/project/setup/init_test.ts",
  "src/project/setup/init_plan.ts": "tests/project/setup/init_test.ts",
  "src/project/lazy.ts": "tests/project/setup/init_test.ts",
  "src/project/setup/setup_manifest.ts": "tests/project/setup/init_test.ts",
  "src/project/setup/uninstall.ts": "tests/project/setup/init_test.ts",
  "src/project/setup/uninstall_plan.ts": "tests/project/setup/init_test.ts",
  "src/evidence/runs/run_lookup.ts": "tests/evidence/runs/verification_runner_test.ts",
  "src/session/brief_notes.ts": "tests/session/brief_test.ts",
  "src/session/checkpoint_reader.ts": "tests/session/store_test.ts",
  "src/resolve/hit_names.ts": "tests/resolve/resolve_reference_test.ts",
  "src/explore/index_access.ts": "tests/explore/project_explorer_test.ts",
  "src/explore/ground.ts": "tests/explore/file_peek_test.ts",
  "src/explore/names/nearest_definitions.ts": "tests/explore/names/definitions_test.ts",
  "src/explore/names/text_facts.ts": "tests/explore/structure_test.ts",
  "src/explore/names/text_mentions.ts": "tests/explore/names/references_test.ts",
  "src/analysis/own_thread.ts": "tests/index/peek_test.ts",
  "src/explore/meaning/meaning_types.ts": "types only",
  "src/question/plan_steps.ts": "tests/question/run_plan_test.ts",
  "src/resolve/modules/builtin_modules.ts": "tests/resolve/modules/module_map_test.ts",
  "src/resolve/fact_store.ts": "tests/impact/agreement_test.ts",
  "src/explore/names/inherited.ts": "tests/explore/project_explorer_test.ts",
  "src/resolve/index_facts.ts": "tests/impact/agreement_test.ts",
  "src/explore/structure_types.ts": "types only",
  "src/ranking/candidates.ts": "tests/ranking/code_search_test.ts",
  "src/history/past_fields.ts": "tests/history/similar_work_test.ts",
  "src/explore/meaning/chunk_detail.ts": "tests/explore/meaning/semantic_search_test.ts",
  "src/explore/meaning/chunk_text.ts": "tests/explore/meaning/semantic_search_test.ts",
  "src/ranking/content_facts.ts": "tests/ranking/features_test.ts",
  "src/explore/explorer.ts": "types only",
  "src/ranking/feature_table.ts": "tests/ranking/rank_test.ts",
  "src/ranking/weights.ts": "tests/ranking/rank_test.ts",
  "src/impact/dependents.ts": "tests/impact/analyze_test.ts",
  "src/impact/edges.ts": "types only",
  "src/impact/file_stem.ts": "tests/impact/naming_test.ts",
  "src/impact/hierarchy.ts": "tests/impact/analyze_test.ts",
  "src/impact/importers.ts": "tests/impact/analyze_test.ts",
  "src/impact/symbol_shape.ts": "tests/impact/analyze_test.ts",
  "src/impact/targets.ts": "tests/impact/analyze_test.ts",
  "src/resolve/modules/build_files.ts": "tests/resolve/modules/module_map_test.ts",
  "src/resolve/modules/path_index.ts": "tests/resolve/modules/module_map_test.ts",
  "src/resolve/modules/python_modules.ts": "tests/resolve/modules/module_map_test.ts",
  "src/resolve/modules/script_exports.ts": "tests/resolve/modules/module_map_test.ts",
  "src/resolve/modules/project_modules.ts": "tests/impact/analyze_test.ts",
  "src/resolve/reference_facts.ts": "types only",
  "src/resolve/resolver.ts": "tests/resolve/resolve_reference_test.ts",
  "src/resolve/reference_tables.ts": "tests/resolve/resolve_reference_test.ts",
  "src/resolve/receiver_types.ts": "tests/impact/analyze_test.ts",
  "src/session/store_api.ts": "types only",
  "src/workflow/context_deps.ts": "tests/services/services_test.ts",
  "src/workflow/deps.ts": "tests/workflow/changes/inspect_test.ts",
  "src/evidence/runs/run_id.ts": "tests/evidence/runs/verification_runner_test.ts",
  "src/workflow/verify/baseline.ts": "tests/workflow/verify_races_test.ts",
  "src/workflow/effects/clean_branches.ts": "tests/workflow/effects/effect_stale_test.ts",
  "src/workflow/sessions/discard.ts": "tests/workflow/person/ask_decision_test.ts",
  "src/workflow/verify/run_wait.ts": "tests/workflow/verify/verify_step_test.ts",
  "src/workflow/changes/command_writes.ts": "tests/workflow/verify_races_test.ts",
  "src/workflow/advance/named_files.ts": "tests/workflow/advance/advance_test.ts",
  "src/workflow/verify/run_watch.ts": "tests/workflow/verify_races_test.ts",
  "src/workflow/verify/verify_trust.ts": "tests/workflow/verify/verify_step_test.ts",
  "src/workflow/changes/server_writes.ts": "tests/workflow/workflow_test.ts",
  "src/workflow/workflow_api.ts": "types only",
};

Deno.test("each file of src has its test file or a reason in the list of exceptions", async () => {
  const { bare } = await readMirror();
  expectNone(bare.filter((path) => !Object.keys(EXCEPTIONS).some((entry) => covers(entry, path))));
});

Deno.test("no exception has become needless, and the tests that they name exist", async () => {
  const { bare, tests } = await readMirror();
  const needless = Object.keys(EXCEPTIONS).filter((entry) =>
    !bare.some((path) => covers(entry, path))
  );
  const gone = Object.values(EXCEPTIONS).filter((reason) =>
    reason.startsWith("tests/") && !tests.has(reason)
  );
  expectNone([...needless, ...gone]);
});

Deno.test("types only means that no code is left when types are taken away", async () => {
  const files = await readSourceFiles("src");
  const said = files.filter(({ path }) => EXCEPTIONS[path] === "types only");
  expectNone(said.filter(({ text }) => HAS_CODE.test(text)).map(({ path }) => path));
});

const HAS_CODE = /^(?:export )?(?:async )?(?:function|const|let|class)\b/m;

function covers(entry: string, path: string): boolean {
  return entry.endsWith("/") ? path.startsWith(entry) : path === entry;
}

interface Mirror {
  /** Files of `src` without a test at the mirrored place. Doors hold no code, so they need none. */
  readonly bare: readonly string[];
  readonly tests: ReadonlySet<string>;
}

async function readMirror(): Promise<Mirror> {
  const tests = new Set((await readSourceFiles("tests")).map(({ path }) => path));
  const bare = (await readSourceFiles("src"))
    .map(({ path }) => path)
    .filter((path) => !path.endsWith("/mod.ts") && !tests.has(toTestPath(path)));
  return { bare, tests };
}

function toTestPath(path: string): string {
  return path.replace(/^src\//, "tests/").replace(/\.ts$/, "_test.ts");
}
