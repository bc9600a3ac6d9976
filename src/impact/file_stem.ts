/** What a file is called without what says its language. Pure. */

/** The name of a file without its endings. */
export function toStem(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return name.replace(/\.blade\.php$|\.d\.[mc]?ts$|\.[^.]+$/, "").replace(/^_(?!_)/, "");
}
