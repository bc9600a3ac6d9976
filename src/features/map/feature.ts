/** What the map of the code adds to the program. */
import type { Feature } from "../../cli/command.ts";

/** The script of its page. */
export const MAP_SCRIPT = "templates/pages/map.js";

/** The row. */
export const MAP_FEATURE: Feature = {
  name: "map",
  commands: [{
    name: "map",
    summary: "Show the code as a picture: folders, files, their changes and what leads where",
    load: async () => (await import("./map_command.ts")).MAP,
  }],
  files: [MAP_SCRIPT],
};
