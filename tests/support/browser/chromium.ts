/**
 * A real Chromium without a window, driven by its DevTools protocol over a WebSocket: pages as a person has them, with what
 * the browser complains about. The protocol is a few messages of JSON, so no package stands between.
 */
import { join } from "node:path";
import { giveUp } from "../temp_folder.ts";

/** How a page is looked at. */
export interface View {
  readonly width?: number;
  readonly height?: number;
  readonly isDark?: boolean;
  /** Media type, such as `print`. */
  readonly media?: "screen" | "print";
}

/** A message of the browser. */
// deno-lint-ignore no-explicit-any -- the protocol has hundreds of forms
type Message = any;

/** A browser that runs. */
export class Chromium implements AsyncDisposable {
  readonly #process: Deno.ChildProcess;
  readonly #socket: WebSocket;
  readonly #folder: string;
  readonly #waiting = new Map<number, PromiseWithResolvers<Message>>();
  readonly #pages = new Map<string, Page>();
  #last = 0;

  private constructor(process: Deno.ChildProcess, socket: WebSocket, folder: string) {
    this.#process = process;
    this.#socket = socket;
    this.#folder = folder;
    socket.onmessage = ({ data }) => this.#take(JSON.parse(data));
  }

  /** Starts it; it listens on 127.0.0.1 alone, on a port of its choice. */
  static async start(): Promise<Chromium> {
    const folder = await Deno.makeTempDir();
    const process = new Deno.Command("chromium", {
      args: [
        ...["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run"],
        ...["--disable-dev-shm-usage", "--disable-background-networking", "--disable-extensions"],
        ...["--remote-debugging-port=0", `--user-data-dir=${folder}`, "about:blank"],
      ],
      ...{ stdin: "null", stdout: "null", stderr: "piped" },
    }).spawn();
    const address = await readAddress(process.stderr);
    const socket = new WebSocket(address);
    await new Promise((resolve, reject) => {
      socket.onopen = resolve;
      socket.onerror = reject;
    });
    return new Chromium(process, socket, folder);
  }

  /** Opens an address and waits until it is loaded. */
  async open(url: string, view: View = {}): Promise<Page> {
    const { targetId } = await this.send("Target.createTarget", { url: "about:blank" });
    const { sessionId } = await this.send("Target.attachToTarget", { targetId, flatten: true });
    const page = new Page(this, sessionId);
    this.#pages.set(sessionId, page);
    for (const domain of ["Page", "Runtime", "Log"]) await page.send(`${domain}.enable`);
    await page.look(view);
    await page.load(url);
    return page;
  }

  /** Sends a command and waits for its result. */
  async send(method: string, params: object = {}, sessionId?: string): Promise<Message> {
    const id = ++this.#last;
    const waiting = Promise.withResolvers<Message>();
    this.#waiting.set(id, waiting);
    this.#socket.send(JSON.stringify({ id, method, params, ...(sessionId ? { sessionId } : {}) }));
    return await waiting.promise;
  }

  #take({ id, result, error, method, params, sessionId }: Message): void {
    if (id === undefined) return this.#pages.get(sessionId)?.take(method, params);
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error === undefined) waiting?.resolve(result);
    else waiting?.reject(new Error(error.message));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = new Promise((resolve) => this.#socket.onclose = resolve);
    await this.send("Browser.close").catch(() => {});
    await closed;
    await this.#process.status;
    await giveUp(this.#folder);
  }
}

/** A page that is open. */
export class Page {
  /** What the browser complained about: errors of scripts and of the console, and what the policy refused. */
  readonly complaints: string[] = [];
  readonly #browser: Chromium;
  readonly #sessionId: string;
  #loaded = Promise.withResolvers<void>();

  /** @param sessionId The browser's name for the connection to the page. */
  constructor(browser: Chromium, sessionId: string) {
    this.#browser = browser;
    this.#sessionId = sessionId;
  }

  /** Sends a command to the page. */
  async send(method: string, params: object = {}): Promise<Message> {
    return await this.#browser.send(method, params, this.#sessionId);
  }

  /** Takes an event of the page. */
  take(method: string, params: Message): void {
    if (method === "Page.loadEventFired") this.#loaded.resolve();
    if (method === "Runtime.exceptionThrown") {
      this.complaints.push(String(params.exceptionDetails.text));
    }
    if (method === "Runtime.consoleAPICalled" && params.type === "error") {
      this.complaints.push(String(params.args[0]?.value));
    }
    if (method === "Log.entryAdded" && /error|warning/.test(params.entry.level)) {
      this.complaints.push(params.entry.text);
    }
  }

  /** Goes to an address. */
  async load(url: string): Promise<void> {
    this.#loaded = Promise.withResolvers();
    await this.send("Page.navigate", { url });
    await this.#loaded.promise;
  }

  /** Changes how it is looked at. */
  async look(
    { width = 1000, height = 900, isDark = false, media = "screen" }: View,
  ): Promise<void> {
    const metrics = { width, height, deviceScaleFactor: 1, mobile: width < 500 };
    await this.send("Emulation.setDeviceMetricsOverride", metrics);
    const value = isDark ? "dark" : "light";
    const features = [{ name: "prefers-color-scheme", value }];
    await this.send("Emulation.setEmulatedMedia", { media, features });
  }

  /** The value of an expression in the page, as JSON. */
  async evaluate(expression: string): Promise<Message> {
    const options = { expression, returnByValue: true, awaitPromise: true };
    const { result, exceptionDetails } = await this.send("Runtime.evaluate", options);
    if (exceptionDetails !== undefined) throw new Error(JSON.stringify(exceptionDetails));
    return result.value;
  }

  /** Presses a key, such as `Tab` or `Enter`. */
  async press(key: string): Promise<void> {
    const codes: Readonly<Record<string, number>> = { Tab: 9, Enter: 13, " ": 32, ArrowRight: 39 };
    const text = key === "Enter" ? "\r" : key === " " ? " " : undefined;
    const event = { key, code: key, windowsVirtualKeyCode: codes[key] ?? 0 };
    await this.send("Input.dispatchKeyEvent", {
      ...event,
      type: text === undefined ? "rawKeyDown" : "keyDown",
      ...(text === undefined ? {} : { text }),
    });
    await this.send("Input.dispatchKeyEvent", { ...event, type: "keyUp" });
  }

  /** Types a text where the focus is. */
  async type(text: string): Promise<void> {
    await this.send("Input.insertText", { text });
  }

  /** Moves the pointer to a place of the window, and clicks there if that is wanted. */
  async point(x: number, y: number, { isClick = false } = {}): Promise<void> {
    const event = { x, y, button: "left", clickCount: 1 };
    await this.send("Input.dispatchMouseEvent", { ...event, type: "mouseMoved", button: "none" });
    if (!isClick) return;
    await this.send("Input.dispatchMouseEvent", { ...event, type: "mousePressed" });
    await this.send("Input.dispatchMouseEvent", { ...event, type: "mouseReleased" });
  }

  /** A picture of what is seen, as WebP, which keeps texts small. */
  async picture(): Promise<Uint8Array<ArrayBuffer>> {
    const { data } = await this.send("Page.captureScreenshot", { format: "webp", quality: 60 });
    return Uint8Array.fromBase64(data);
  }
}

/** The address that the browser prints; the rest of what it prints is read and dropped. */
async function readAddress(stream: ReadableStream<Uint8Array>): Promise<string> {
  const found = Promise.withResolvers<string>();
  let text = "";
  const read = async () => {
    for await (const part of stream.pipeThrough(new TextDecoderStream())) {
      text = (text + part).slice(-10_000);
      const [, address] = /DevTools listening on (ws:\S+)/.exec(text) ?? [];
      if (address !== undefined) found.resolve(address);
    }
    found.reject(new Error(`chromium ended: ${text}`));
  };
  read().catch(found.reject);
  return await found.promise;
}

/** The path of a file as an address. */
export function toFileUrl(folder: string, name: string): string {
  return new URL(`file://${join(folder, name)}`).href;
}
