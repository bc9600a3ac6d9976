/**
 * Which changes of files come from a tool that the due task names: a formatter, a package manager, a generator. Its
 * files need no clearance each, because the plan said that it would run. Pure.
 */
import type { TreePath } from "../base/paths.ts";
import { isPackageFile } from "../base/text/package_files.ts";
import type { Task } from "../phase/mod.ts";

const FORMATTERS =
  /\b(?:reformat\w*|formatter|(?:run|apply|use)\b.{0,40}\bformat\w*|format (?:the |all |every )?(?:code|files?|sources?|project|repo\w*|tree|everything)|prettier|biome|dprint|(?:eslint|ruff|stylelint|rubocop|ktlint|clippy|golangci-lint)\b.{0,40}\b(?:fix|format|-a)\b|(?:run|with|by|using|apply) black|autopep8|yapf|isort|gofmt|goimports|rustfmt|cargo fmt|deno fmt|dart format|mix format|swift-?format|clang-format|google-java-format|spotless\w*|scalafmt|php-cs-fixer|laravel pint|csharpier|dotnet format|lint(?:er)? fix(?:es)?|pre-commit)\b/i;
const PACKAGES =
  /\b(?:dependenc(?:y|ies)|packages?|lock-?files?|npm|pnpm|yarn|bun|pip|pipenv|poetry|uv (?:add|lock|sync|remove)|conda|cargo (?:add|update|remove)|go (?:get|mod)|composer|bundler?|gems?|mix deps|pub (?:add|get)|nuget|dotnet add|maven|gradle|deno (?:add|install|remove)|nix flake|upgrade|bump)\b/i;
const GENERATORS =
  /\b(?:(?:re-?)?generat\w+|codegen|scaffold\w*|snapshots?|protoc|protobufs?|buf|openapi|swagger|graphql|prisma|sqlc|wire|mockgen|stringer|build_runner|migrations?|go generate|typegen|sqlx prepare|compile)\b/i;

/** Files of package managers that follow from another one in the same folder. */
const LOCK_FILES =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|deno\.lock|Cargo\.lock|go\.sum|go\.work\.sum|poetry\.lock|uv\.lock|pdm\.lock|Pipfile\.lock|composer\.lock|Gemfile\.lock|mix\.lock|pubspec\.lock|Package\.resolved|packages\.lock\.json|gradle\.lockfile|flake\.lock|Podfile\.lock)$/;
/** Files that generators write, by folder or ending. */
const GENERATED_FILES =
  /(?:^|\/)(?:gen|generated|__generated__|_generated|autogen|codegen|__snapshots__|snapshots|migrations|mocks)\/|(?:[._-](?:gen|generated|g|freezed|pb|pb\.gw|pb2|pb2_grpc|grpc|grpc\.pb|mock|designer)\.\w+|\.snap|_string\.go|_mock\.go|mock_[^/]+\.go|\.pb\.\w+|schema\.(?:json|graphql|sql)|openapi\.(?:json|ya?ml))$/i;

/** A change of a file, as far as it tells what made it. */
export interface ToolChange {
  readonly path: TreePath;
  readonly kind: "added" | "modified" | "deleted" | "type";
  readonly leadsOutside?: boolean;
}

/** What is asked of a change. */
export interface NamedToolInput {
  /** The task that is due; null where none is. */
  readonly task: Pick<Task, "description" | "checklist"> | null;
  /** Files that may be written in this visit. */
  readonly cleared: ReadonlySet<TreePath>;
}

/** The test for changes that a tool made which the task names, or that follow from a cleared file. */
export function toToolWrites(
  { task, cleared }: NamedToolInput,
): (change: ToolChange) => boolean {
  if (task === null) return () => false;
  const words = [task.description, ...task.checklist.map(({ item }) => item)].join("\n");
  const [formats, installs, generates] = [FORMATTERS, PACKAGES, GENERATORS]
    .map((pattern) => pattern.test(words));
  const manifests = new Set([...cleared].filter(isPackageFile).map(toFolder));
  return ({ path, kind, leadsOutside }) => {
    if (leadsOutside === true) return false;
    if (LOCK_FILES.test(path) && manifests.has(toFolder(path))) return true;
    if (installs === true && isPackageFile(path)) return true;
    if (generates === true && kind !== "type" && GENERATED_FILES.test(path)) return true;
    // A formatter changes files that are there, and makes or removes none.
    return formats === true && kind === "modified";
  };
}

function toFolder(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash < 0 ? "" : path.slice(0, slash);
}
