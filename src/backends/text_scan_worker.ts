/** Runs one scan away from the main thread, so that an endless expression can be ended by force. */
import { runScan } from "./text_scan_core.ts";
import type { ScanTask } from "./text_scan_core.ts";

const scope = self as unknown as {
  onmessage: (event: MessageEvent<ScanTask>) => void;
  postMessage(value: unknown): void;
};

scope.onmessage = (event) => {
  runScan(event.data).then(
    (result) => scope.postMessage({ result }),
    (error) => scope.postMessage({ error: String(error) }),
  );
};
