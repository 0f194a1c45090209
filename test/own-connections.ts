// A server may close a kept connection at the moment in which a client uses it again. On a busy machine this happens:
// Node's fetch keeps a connection for a second less than the server does. So each request of a test has its own.
const DISPATCHER = Symbol.for('undici.globalDispatcher.1');
type Dispatcher = new (options: { pipelining: number }) => unknown;

void globalThis.Headers; // The first use of a part of fetch makes the dispatcher.
const held = globalThis as { [DISPATCHER]?: { constructor: unknown } };
const Agent = held[DISPATCHER]?.constructor as Dispatcher | undefined;
// Node 26 keeps it elsewhere, behind another class. Then connections are kept, as everywhere.
if (Agent?.name === 'Agent') held[DISPATCHER] = new Agent({ pipelining: 0 }) as { constructor: unknown };
