/** A registry of packages on 127.0.0.1 that only reads: what npm asks of one when it installs. */
import { createHash } from "node:crypto";
import { basename, join } from "node:path";

/** A running registry. */
export interface LocalRegistry extends AsyncDisposable {
  readonly url: string;
}

/** Packs the folders of packages with npm, and serves them. */
export async function startRegistry(
  folders: readonly string[],
  place: string,
): Promise<LocalRegistry> {
  const packages = new Map<string, { readonly about: unknown; readonly tarball: string }>();
  for (const folder of folders) {
    const { stdout, success, stderr } = await new Deno.Command("npm", {
      args: ["pack", "--json", "--offline", "--pack-destination", place],
      cwd: folder,
    }).output();
    if (!success) throw new Error(new TextDecoder().decode(stderr));
    const [{ filename }] = JSON.parse(new TextDecoder().decode(stdout));
    const about = JSON.parse(await Deno.readTextFile(join(folder, "package.json")));
    packages.set(about.name, { about, tarball: join(place, filename) });
  }
  const answer = async (request: Request): Promise<Response> => {
    const { pathname, origin } = new URL(request.url);
    const [, name = "", file] = pathname.split("/");
    const found = packages.get(name);
    if (found === undefined) return new Response("{}", { status: 404 });
    const bytes = await Deno.readFile(found.tarball);
    if (file !== undefined) return new Response(bytes);
    const about = found.about as { readonly version: string };
    const integrity = `sha512-${createHash("sha512").update(bytes).digest("base64")}`;
    const dist = { tarball: `${origin}/${name}/${basename(found.tarball)}`, integrity };
    return Response.json({
      name,
      "dist-tags": { latest: about.version },
      versions: { [about.version]: { ...about, dist } },
    });
  };
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, answer);
  return {
    url: `http://127.0.0.1:${server.addr.port}/`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}
