// Draws the treemap of a map page and answers pointer and keyboard. The page brings the data and allows this script by its
// hash; nothing is loaded. Every text of others is set as text, never as markup.
"use strict";
(() => {
  const data = JSON.parse(document.querySelector("#data").textContent);
  const [base, over] = document.querySelectorAll("canvas");
  const one = (id) => document.getElementById(id);
  const [room, said, now, panel, crumbs] = ["room", "said", "now", "file-body", "crumbs"].map(one);

  // The tree of folders. A file's value is its lines; an empty file still has a place.
  const toNode = (name, parent, file) => ({ name, parent, file, kids: [], value: 0, rect: null });
  const root = toNode(data.project, null, -1);
  const nodes = data.files.map(([path, lines], file) => {
    let folder = root;
    const names = path.split("/");
    for (const name of names.slice(0, -1)) {
      folder.byName ??= new Map();
      let next = folder.byName.get(name);
      if (next === undefined) {
        next = toNode(name, folder, -1);
        folder.byName.set(name, next);
        folder.kids.push(next);
      }
      folder = next;
    }
    const node = toNode(names.at(-1), folder, file);
    folder.kids.push(node);
    for (let at = node; at !== null; at = at.parent) at.value += Math.max(1, lines);
    return node;
  });
  const sort = (node) => {
    node.kids.sort((a, b) => b.value - a.value);
    node.kids.forEach(sort);
  };
  sort(root);

  // Links by file: places in the flat list [from, to, by, calls, uses, …].
  const STEP = 5;
  const leads = nodes.map(() => []);
  const ledBy = nodes.map(() => []);
  for (let at = 0; at < data.links.length; at += STEP) {
    leads[data.links[at]].push(at);
    ledBy[data.links[at + 1]].push(at);
  }
  const circleOf = new Map(data.cycles.flatMap((group) => group.map((file) => [file, group])));

  let shown = root;
  let here = null;
  let colour = "changes";
  let palette = {};
  let sizes = { width: 0, height: 0 };
  const most = data.files.reduce((best, [, , changes]) => Math.max(best, changes), 1);

  function readPalette() {
    const style = getComputedStyle(document.documentElement);
    const get = (name) => style.getPropertyValue(`--${name}`).trim();
    palette = {
      heat: [0, 1, 2, 3, 4].map((level) => get(`heat-${level}`)),
      onHeat: [0, 1, 2, 3, 4].map((level) => get(`on-heat-${level}`)),
      ...Object.fromEntries(
        ["ink", "line", "soft", "paper", "bad", "link", "warn", "faint"].map((name) => [
          name,
          get(name),
        ]),
      ),
    };
  }

  /** 0 is unchanged; the others share the range on a logarithmic scale. */
  function toLevel([, , changes, inSession, , functions = 0, notRun = 0]) {
    if (colour === "session") return inSession === 1 ? 4 : 0;
    if (colour === "runs") {
      if (functions === 0 || notRun === 0) return functions === 0 ? 0 : 1;
      return notRun === functions ? 4 : notRun * 2 < functions ? 2 : 3;
    }
    if (changes <= 0) return 0;
    return most === 1 ? 2 : 1 + Math.min(3, Math.floor(Math.log(changes) / Math.log(most) * 3.999));
  }

  // A squarified treemap (Bruls, Huizing, van Wijk): rows along the shorter side while their shapes get better.
  function place(kids, x, y, width, height) {
    let left = kids.reduce((sum, { value }) => sum + value, 0);
    for (let first = 0; first < kids.length;) {
      const side = Math.min(width, height);
      const scale = width * height / left;
      let sum = 0;
      let worst = Infinity;
      let last = first;
      while (last < kids.length) {
        const next = sum + kids[last].value;
        const length = next * scale / side;
        const worse = Math.max(
          kids[first].value * scale / length / length,
          length * length / (kids[last].value * scale),
        );
        if (worse > worst) break;
        worst = worse;
        sum = next;
        last++;
      }
      const thick = side === 0 ? 0 : sum * scale / side;
      let along = width < height ? x : y;
      for (; first < last; first++) {
        const long = sum === 0 ? 0 : kids[first].value / sum * side;
        kids[first].rect = width < height
          ? { x: along, y, width: long, height: thick }
          : { x, y: along, width: thick, height: long };
        along += long;
      }
      if (width < height) [y, height] = [y + thick, Math.max(0, height - thick)];
      else [x, width] = [x + thick, Math.max(0, width - thick)];
      left -= sum;
    }
  }

  const HEAD = 16;
  const hasHead = ({ width, height }) => width > 46 && height > 34;

  /** Gives places to what is below a folder; what would be smaller than a point keeps none. */
  function layOut(node) {
    const { x, y, width, height } = node.rect;
    for (const kid of node.kids) kid.rect = null;
    if (width < 3 || height < 3) return;
    const head = node === shown ? 0 : hasHead(node.rect) ? HEAD : 1;
    const edge = node === shown ? 0 : 1;
    place(node.kids, x + edge, y + head, width - 2 * edge, height - head - edge);
    for (const kid of node.kids) if (kid.file < 0) layOut(kid);
  }

  function forget(node) {
    node.rect = null;
    node.kids.forEach(forget);
  }

  function draw() {
    const pen = base.getContext("2d");
    pen.setTransform(sizes.ratio, 0, 0, sizes.ratio, 0, 0);
    pen.fillStyle = palette.paper;
    pen.fillRect(0, 0, sizes.width, sizes.height);
    pen.textBaseline = "middle";
    pen.direction = "ltr";
    const face = getComputedStyle(document.body).fontFamily;
    for (const kid of shown.kids) drawNode(pen, kid, face);
  }

  function drawNode(pen, node, face) {
    const { rect } = node;
    if (rect === null || rect.width < .4 || rect.height < .4) return;
    const { x, y, width, height } = rect;
    if (node.file < 0) {
      pen.fillStyle = palette.soft;
      pen.fillRect(x, y, width, height);
      pen.strokeStyle = palette.line;
      pen.lineWidth = 1;
      pen.strokeRect(x + .5, y + .5, Math.max(0, width - 1), Math.max(0, height - 1));
      if (hasHead(rect)) {
        write(pen, node.name, rect, { face, top: HEAD, weight: 600, fill: palette.ink });
      }
      for (const kid of node.kids) drawNode(pen, kid, face);
      return;
    }
    const level = toLevel(data.files[node.file]);
    const gap = width > 4 && height > 4 ? 1 : 0;
    pen.fillStyle = palette.heat[level];
    pen.fillRect(x, y, width - gap, height - gap);
    const isRound = circleOf.has(node.file);
    if (isRound) {
      pen.strokeStyle = palette.bad;
      pen.lineWidth = 2;
      pen.strokeRect(x + 1, y + 1, Math.max(0, width - gap - 2), Math.max(0, height - gap - 2));
    }
    if (width > 34 && height > 15) {
      const text = isRound ? `↻ ${node.name}` : node.name;
      write(pen, text, rect, { face, top: 18, weight: 400, fill: palette.onHeat[level] });
    }
  }

  function write(pen, text, { x, y, width }, { face, top, weight, fill }) {
    pen.font = `${weight} 11px ${face}`;
    const fit = Math.floor((width - 8) / 5.2);
    const short = text.length <= fit ? text : fit < 3 ? "" : `${text.slice(0, fit - 1)}…`;
    pen.fillStyle = fill;
    pen.fillText(short, x + 4, y + top / 2, Math.max(1, width - 6));
  }

  const isBelow = (node, folder) => {
    for (let at = node; at !== null; at = at.parent) if (at === folder) return true;
    return false;
  };
  /** What is drawn for a file: itself, or the folder that has a place. */
  const toDrawn = (node) => {
    for (let at = node; at !== null && at !== shown; at = at.parent) {
      if (at.rect !== null) return at;
    }
    return null;
  };
  const toMiddle = ({ x, y, width, height }) => [x + width / 2, y + height / 2];
  const filesOf = (node) => node.file >= 0 ? [node.file] : node.kids.flatMap(filesOf);
  const MOST_LINES = 400;

  function drawOver() {
    const pen = over.getContext("2d");
    pen.setTransform(sizes.ratio, 0, 0, sizes.ratio, 0, 0);
    pen.clearRect(0, 0, sizes.width, sizes.height);
    if (here === null || here.rect === null) return;
    const files = filesOf(here);
    const lines = [];
    for (const file of files) {
      for (const at of leads[file]) lines.push([nodes[data.links[at + 1]], at, true]);
      for (const at of ledBy[file]) lines.push([nodes[data.links[at]], at, false]);
      if (lines.length > MOST_LINES) break;
    }
    const [x, y] = toMiddle(here.rect);
    for (const [node, at, isOut] of lines.slice(0, MOST_LINES)) {
      const target = isBelow(node, here) ? null : toDrawn(node);
      if (target === null || isBelow(here, target)) continue;
      const [toX, toY] = toMiddle(target.rect);
      for (
        const [width, style] of [[4, palette.paper], [1.6, isOut ? palette.link : palette.warn]]
      ) {
        pen.lineWidth = data.links[at + 2] === 2 && width < 4 ? .8 : width;
        pen.strokeStyle = style;
        pen.setLineDash(isOut ? [] : [6, 4]);
        pen.beginPath();
        pen.moveTo(x, y);
        pen.quadraticCurveTo(
          (x + toX) / 2 + (toY - y) / 8,
          (y + toY) / 2 - (toX - x) / 8,
          toX,
          toY,
        );
        pen.stroke();
      }
      pen.beginPath();
      pen.arc(toX, toY, 3.5, 0, 7);
      pen.fillStyle = isOut ? palette.link : palette.warn;
      pen.fill();
    }
    pen.setLineDash([]);
    for (const [width, style] of [[5, palette.paper], [3, palette.link]]) {
      pen.lineWidth = width;
      pen.strokeStyle = style;
      pen.strokeRect(here.rect.x + 1, here.rect.y + 1, here.rect.width - 2, here.rect.height - 2);
    }
  }

  let isDue = false;
  /** Draws with the next frame, however many events come before it. */
  function drawSoon() {
    if (isDue) return;
    isDue = true;
    requestAnimationFrame(() => {
      isDue = false;
      drawOver();
    });
  }

  function showAll() {
    const width = room.clientWidth;
    const height = Math.round(Math.max(260, Math.min(innerHeight * .68, width * .95)));
    const ratio = Math.min(2, devicePixelRatio || 1);
    sizes = { width, height, ratio };
    room.style.height = `${height}px`;
    for (const canvas of [base, over]) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
    }
    forget(root);
    shown.rect = { x: 0, y: 0, width, height };
    layOut(shown);
    if (here !== null && here.rect === null) here = null;
    draw();
    drawOver();
  }

  const count = (number, word) =>
    `${number.toLocaleString("en")} ${word}${number === 1 ? "" : "s"}`;
  const toPath = (node) => {
    const names = [];
    for (let at = node; at.parent !== null; at = at.parent) names.unshift(at.name);
    return names.join("/");
  };
  function describe(node) {
    if (node.file < 0) {
      return `${toPath(node)}/: ${count(filesOf(node).length, "file")}, ${
        count(node.value, "line")
      }`;
    }
    const [path, lines, changes, , , functions = 0, notRun = 0] = data.files[node.file];
    const round = circleOf.has(node.file) ? ", in a circle of imports" : "";
    const past = changes < 0 ? "" : `, ${count(changes, "change")}`;
    const idle = functions === 0
      ? ""
      : `, ${notRun} of ${count(functions, "function")} not run by a recorded test`;
    return `${path}: ${count(lines, "line")}${past}, leads to ${
      count(leads[node.file].length, "file")
    }, ${ledBy[node.file].length} lead to it${idle}${round}`;
  }

  function point(node, { isSpoken = false } = {}) {
    if (node === here && !isSpoken) return;
    here = node;
    now.textContent = node === null ? now.dataset.empty : describe(node);
    if (isSpoken && node !== null) said.textContent = describe(node);
    drawSoon();
  }

  function enter(folder, { focus = null, isSpoken = false } = {}) {
    shown = folder;
    here = null;
    showAll();
    crumbs.replaceChildren();
    const line = [];
    for (let at = folder; at !== null; at = at.parent) line.unshift(at);
    for (const node of line) {
      const button = document.createElement("button");
      button.type = "button";
      button.append(toIsolated(node.name));
      if (node === folder) button.setAttribute("aria-current", "true");
      button.addEventListener("click", () => enter(node));
      const item = document.createElement("li");
      item.append(button);
      crumbs.append(item);
    }
    point(focus, { isSpoken });
  }

  function toIsolated(text) {
    const element = document.createElement("bdi");
    element.textContent = text;
    return element;
  }
  function add(parent, name, ...kids) {
    const element = document.createElement(name);
    element.append(...kids);
    parent.append(element);
    return element;
  }
  const BY = ["imports", "shares a package", "by the name alone"];

  function listLinks(title, places, side) {
    if (places.length === 0) return;
    add(panel, "h3", `${title} (${places.length})`);
    const list = add(panel, "ul");
    for (const at of places) {
      const item = add(list, "li");
      const button = add(item, "button", toIsolated(data.files[data.links[at + side]][0]));
      button.type = "button";
      button.addEventListener("click", () => open(nodes[data.links[at + side]]));
      const [by, calls, uses] = data.links.slice(at + 2, at + STEP);
      const words = [BY[by]];
      if (calls > 0) words.push(`calls ${count(calls, "name")}`);
      if (uses > 0) words.push(`mentions ${count(uses, "other name")}`);
      add(item, "span", ` ${words.join(", ")}`).className = "faint";
    }
  }

  /** Shows a file with its symbols and links, and where it is. */
  function open(node) {
    if (!isBelow(node, shown) || toDrawn(node) !== node) enter(node.parent);
    point(node);
    const [, , , , total] = data.files[node.file];
    panel.replaceChildren();
    const title = add(panel, "p");
    title.tabIndex = -1;
    add(title, "strong", toIsolated(data.files[node.file][0]));
    add(panel, "p", describe(node).slice(data.files[node.file][0].length + 2));
    const group = circleOf.get(node.file);
    if (group !== undefined) {
      const names = group.slice(0, 12).map((file) => data.files[file][0]).join(", ");
      const rest = group.length > 12 ? ` and ${group.length - 12} more` : "";
      add(panel, "p", `These files import each other in a circle: ${names}${rest}`).className =
        "box bad";
    }
    const symbols = data.symbols[node.file];
    if (total > 0) {
      add(panel, "h3", `Definitions (${total})`);
      const list = add(panel, "ul");
      list.className = "symbols";
      for (let at = 0; at < symbols.length; at += 3) {
        const item = add(list, "li");
        add(item, "code", toIsolated(symbols[at]));
        add(item, "span", ` ${data.kinds[symbols[at + 1]]}, line ${symbols[at + 2]}`).className =
          "faint";
      }
      const rest = total - symbols.length / 3;
      if (rest > 0) add(list, "li", `and ${rest} more`);
    }
    listLinks("Leads to", leads[node.file], 1);
    listLinks("Is led to by", ledBy[node.file], 0);
    title.focus({ preventScroll: true });
    panel.scrollIntoView({ block: "nearest" });
  }

  /** The innermost thing at a point of the canvas. */
  function find(x, y) {
    let found = null;
    const inside = ({ rect }) =>
      rect !== null && x >= rect.x && y >= rect.y && x < rect.x + rect.width &&
      y < rect.y + rect.height;
    for (let kids = shown.kids;;) {
      const next = kids.find(inside);
      if (next === undefined) return found;
      found = next;
      kids = next.kids;
    }
  }
  const at = (event) => {
    const { left, top } = over.getBoundingClientRect();
    return find(event.clientX - left, event.clientY - top);
  };
  over.addEventListener("pointermove", (event) => point(at(event)));
  over.addEventListener("pointerleave", () => point(null));
  over.addEventListener("click", (event) => {
    const node = at(event);
    if (node === null) return;
    if (node.file >= 0) open(node);
    else enter(node);
  });

  const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  function step(key) {
    if (here === null) return shown.kids[0];
    const [right, down] = ARROWS[key];
    const [x, y] = toMiddle(here.rect);
    let best = here;
    let nearest = Infinity;
    for (const kid of here.parent.kids) {
      if (kid === here || kid.rect === null) continue;
      const [toX, toY] = toMiddle(kid.rect);
      const ahead = (toX - x) * right + (toY - y) * down;
      const aside = Math.abs((toX - x) * down) + Math.abs((toY - y) * right);
      if (ahead > .5 && ahead + 2 * aside < nearest) [best, nearest] = [kid, ahead + 2 * aside];
    }
    return best;
  }
  over.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const spoken = { isSpoken: true };
    if (Object.hasOwn(ARROWS, event.key)) point(step(event.key), spoken);
    else if (event.key === "Enter" || event.key === " ") {
      if (here === null) point(shown.kids[0], spoken);
      else if (here.file >= 0) open(here);
      else enter(here, { focus: here.kids[0], ...spoken });
    } else if (event.key === "Escape" || event.key === "Backspace") {
      if (shown.parent !== null) enter(shown.parent, { focus: shown, ...spoken });
    } else if (event.key === "Home") enter(root, { focus: root.kids[0], ...spoken });
    else return;
    event.preventDefault();
  });

  const field = one("find");
  const MOST_FOUND = 12;
  field.addEventListener("input", () => {
    const words = field.value.trim().toLowerCase();
    const found = words === ""
      ? []
      : nodes.filter(({ file }) => data.files[file][0].toLowerCase().includes(words));
    const list = one("found");
    list.replaceChildren();
    for (const node of found.slice(0, MOST_FOUND)) {
      const button = add(add(list, "li"), "button", toIsolated(data.files[node.file][0]));
      button.type = "button";
      button.addEventListener("click", () => open(node));
    }
    said.textContent = words === "" ? "" : `${count(found.length, "file")} found`;
    one("found-rest").textContent = found.length > MOST_FOUND
      ? `and ${found.length - MOST_FOUND} more`
      : words !== "" && found.length === 0
      ? "No file has this in its path."
      : "";
  });
  one("tools").addEventListener("submit", (event) => {
    event.preventDefault();
    one("found").querySelector("button")?.click();
  });
  for (const radio of document.querySelectorAll("input[name=colour]")) {
    radio.addEventListener("change", () => {
      colour = radio.value;
      document.body.dataset.colour = colour;
      draw();
    });
  }

  const restyle = () => {
    readPalette();
    draw();
    drawOver();
  };
  readPalette();
  one("picture").hidden = false;
  let first = root;
  while (first.kids.length === 1 && first.kids[0].file < 0) first = first.kids[0];
  enter(first);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", restyle);
  let isSizing = false;
  new ResizeObserver(() => {
    if (isSizing || room.clientWidth === sizes.width) return;
    isSizing = true;
    requestAnimationFrame(() => {
      isSizing = false;
      showAll();
    });
  }).observe(room);
})();
