/** A way to the store that takes time, as a network between two machines does. */

/** What passes on connections to a port, each byte so much later. */
export interface Distance extends Disposable {
  readonly port: number;
}

/** Listens on a free port, and passes on to another one and back. */
export function placeAway(port: number, ms: number): Distance {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const pass = async (from: Deno.TcpConn, to: Deno.TcpConn) => {
    const buffer = new Uint8Array(64 * 1024);
    let last = Promise.resolve();
    for (let size = await from.read(buffer); size !== null; size = await from.read(buffer)) {
      const bytes = buffer.slice(0, size);
      const { promise, resolve } = Promise.withResolvers<void>();
      setTimeout(resolve, ms);
      last = Promise.all([last, promise]).then(async () => {
        for (let at = 0; at < bytes.length;) at += await to.write(bytes.subarray(at));
      });
    }
    await last;
    to.close();
  };
  const accept = async () => {
    for await (const client of listener) {
      const store = await Deno.connect({ hostname: "127.0.0.1", port });
      client.setNoDelay(true);
      store.setNoDelay(true);
      // Whoever ends first takes the other one along.
      pass(client, store).catch(() => {});
      pass(store, client).catch(() => {});
    }
  };
  accept().catch(() => {});
  return { port: listener.addr.port, [Symbol.dispose]: () => listener.close() };
}
