/** Wakes whoever waits without a change, until somebody was woken so, and then changes the number. */
const scope = self as unknown as {
  onmessage: (event: MessageEvent<SharedArrayBuffer>) => void;
  postMessage(value: unknown): void;
};

scope.onmessage = ({ data }) => {
  const head = new Int32Array(data);
  scope.postMessage("ready");
  for (let woken = 0; woken < 3;) woken += Atomics.notify(head, 0);
  Atomics.store(head, 0, 1);
  Atomics.notify(head, 0);
};
