/** Which files belong to package managers, by their names: manifests and lock files. Pure. */
const PACKAGE_FILES =
  /(?:^|\/)(?:package(?:-lock)?\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-(?:lock|workspace)\.yaml|bun\.lockb?|deno\.(?:jsonc?|lock)|Cargo\.(?:toml|lock)|go\.(?:mod|sum|work|work\.sum)|pyproject\.toml|poetry\.lock|uv\.lock|pdm\.lock|Pipfile(?:\.lock)?|requirements[^/]*\.txt|composer\.(?:json|lock)|Gemfile(?:\.lock)?|mix\.(?:exs|lock)|pubspec\.(?:yaml|lock)|Package\.(?:swift|resolved)|packages\.lock\.json|[^/]+\.csproj|pom\.xml|gradle\.lockfile|libs\.versions\.toml|flake\.lock|Podfile(?:\.lock)?)$/;

/** Whether a package manager writes in a file. */
export function isPackageFile(path: string): boolean {
  return PACKAGE_FILES.test(path);
}
