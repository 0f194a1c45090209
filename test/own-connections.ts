// A server may close a kept connection at the moment in which a client uses it again. On a busy machine this happens:
// Node's fetch keeps a connection for a second less than the server does. So each request of a test has its own.
const DISPATCHER = Symbol.for('undici.globalDispatcher.1');
type Dispatcher = new (options: { pipelining: number }) => unknown;

void globalThis.Headers; // The first use of a part of fetch makes the dispatcher.
const held = globalThis as { [DISPATCHER]?: { constructor: unknown } };
const current = held[DISPATCHER];
// Node 26 keeps it elsewhere, behind another class. Then connections are kept, as everywhere.
if ((current?.constructor as { name?: string } | undefined)?.name === 'Agent') {
  const Agent = current!.constructor as Dispatcher;
  held[DISPATCHER] = new Agent({ pipelining: 0 }) as { constructor: unknown };
}
