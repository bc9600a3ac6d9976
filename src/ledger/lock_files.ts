/** Which changed files follow from a cleared one: lock files beside the file that names a project's dependencies. Pure. */
import type { TreePath } from "../base/paths.ts";
import { isPackageFile } from "../base/text/document_files.ts";

/** Files of package managers that follow from another one in the same folder. */
const LOCK_FILES =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|deno\.lock|Cargo\.lock|go\.sum|go\.work\.sum|poetry\.lock|uv\.lock|pdm\.lock|Pipfile\.lock|composer\.lock|Gemfile\.lock|mix\.lock|pubspec\.lock|Package\.resolved|packages\.lock\.json|gradle\.lockfile|flake\.lock|Podfile\.lock)$/;

/** The test for lock files in the folder of a cleared file that names dependencies. */
export function toLockTest(cleared: ReadonlySet<TreePath>): (path: TreePath) => boolean {
  const manifests = new Set([...cleared].filter(isPackageFile).map(toFolder));
  return (path) => LOCK_FILES.test(path) && manifests.has(toFolder(path));
}

function toFolder(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash < 0 ? "" : path.slice(0, slash);
}
