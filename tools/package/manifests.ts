/** Makes the files by which Homebrew, Scoop and builders of containers install a release. Pure. */
import type { Origin, Platform } from "./facts.ts";
import { FACTS, LICENCE, toFileUrl } from "./facts.ts";

const SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json";

/** Registries with a package, and the program that runs one out of each. */
const REGISTRIES = [
  { registryType: "npm", runtimeHint: "npx" },
  { registryType: "pypi", runtimeHint: "uvx" },
] as const;

/** The content of `server.json`. */
export function toServerJson(origin: Origin): Readonly<Record<string, unknown>> {
  return {
    $schema: SCHEMA,
    name: origin.serverName,
    title: FACTS.title,
    description: FACTS.summary,
    version: FACTS.version,
    repository: { url: origin.page, source: origin.source },
    packages: REGISTRIES.map((registry) => ({
      ...registry,
      identifier: FACTS.name,
      version: FACTS.version,
      transport: { type: "stdio" },
      packageArguments: [{ type: "positional", value: "serve" }],
    })),
  };
}

/** An executable of a release. */
export interface Released {
  readonly platform: Platform;
  /** SHA-256, as lower-case hexadecimal digits. */
  readonly sha256: string;
}

/**
 * The formula of Homebrew, for every platform that it runs on.
 *
 * The man page and the completions come out of the program, so that the formula has nothing that grows old.
 */
export function toFormula(released: readonly Released[], origin: Origin): string {
  const choices = (["macos", "linux"] as const).flatMap((os) => {
    const own = released.filter(({ platform }) => platform.formula?.os === os);
    return own.length === 0 ? [] : [
      `  on_${os} do`,
      ...own.flatMap(({ platform, sha256 }) => [
        `    on_${platform.formula?.cpu} do`,
        `      url "${toFileUrl(origin, platform.target.output)}"`,
        `      sha256 "${sha256}"`,
        "    end",
      ]),
      "  end",
      "",
    ];
  });
  return `class ${toClassName(FACTS.name)} < Formula
  desc "${FACTS.summary}"
  homepage "${origin.page}"
  version "${FACTS.version}"

${choices.join("\n")}
  def install
    bin.install Dir["${FACTS.name}-*"].first => "${FACTS.name}"
    chmod 0755, bin/"${FACTS.name}"
    generate_completions_from_executable(bin/"${FACTS.name}", "completions")
    (man1/"${FACTS.name}.1").write Utils.safe_popen_read(bin/"${FACTS.name}", "help", "--man")
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/${FACTS.name} --version")
  end
end
`;
}

function toClassName(name: string): string {
  return name.split("-").map((part) => part.slice(0, 1).toUpperCase() + part.slice(1)).join("");
}

/** The manifest of Scoop; null where the release has nothing for Windows. */
export function toScoop(
  released: readonly Released[],
  origin: Origin,
): Readonly<Record<string, unknown>> | null {
  const windows = released.find(({ platform }) => platform.npm.os === "win32");
  if (windows === undefined) return null;
  const { target, file } = windows.platform;
  return {
    version: FACTS.version,
    description: FACTS.summary,
    homepage: origin.page,
    license: LICENCE.scoop,
    suggest: { ripgrep: "main/ripgrep", git: "main/git" },
    architecture: {
      // Behind the # stands the name that the file gets.
      "64bit": { url: `${toFileUrl(origin, target.output)}#/${file}`, hash: windows.sha256 },
    },
    bin: file,
    checkver: "github",
    autoupdate: {
      architecture: {
        "64bit": {
          url: `${origin.page}/releases/download/v$version/${target.output}#/${file}`,
        },
      },
    },
  };
}

/**
 * The container file: git, ripgrep and the executable, which the build takes from a folder named after the processor.
 *
 * Any user may run it (`--user`), so that what it writes into a mounted project belongs to the person.
 */
export function toContainerfile(origin: Origin | null): string {
  const server = origin === null ? "" : `LABEL org.opencontainers.image.source="${origin.page}" \\
      io.modelcontextprotocol.server.name="${origin.serverName}"
`;
  return `# The server and the commands of ${FACTS.name} for one mounted project:
#   docker run -i --rm --user "$(id -u):$(id -g)" -v "$PWD:$PWD" -w "$PWD" IMAGE serve
# The tests of the project run inside, too: begin an image of your own with this one, and add what they need.
FROM debian:bookworm-slim
ARG TARGETARCH
LABEL org.opencontainers.image.title="${FACTS.title}" \\
      org.opencontainers.image.description="${FACTS.summary}" \\
      org.opencontainers.image.version="${FACTS.version}"
${server}RUN apt-get update \\
    && apt-get install -y --no-install-recommends ca-certificates git ripgrep \\
    && rm -rf /var/lib/apt/lists/* \\
    && git config --system --add safe.directory '*' \\
    && mkdir -m 1777 /home/person
ENV HOME=/home/person
COPY THIRD_PARTY_LICENSES /usr/share/doc/${FACTS.name}/
COPY --chmod=755 \${TARGETARCH}/${FACTS.name} /usr/local/bin/${FACTS.name}
WORKDIR /project
ENTRYPOINT ["${FACTS.name}"]
CMD ["serve"]
`;
}
