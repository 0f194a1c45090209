import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { forgetVariable } from '../data-folder/secret-variable.ts';
import { run } from './run.ts';

// If a reader closes the pipe early (`redflag keys list | head -1`), this is not a failure. Node's pipes are Unix
// sockets. If the reader leaves bytes unread, a running write fails with ECONNRESET, and a later write with EPIPE.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  collectGarbage();
  process.exit(error.code === 'EPIPE' || error.code === 'ECONNRESET' ? 0 : 1);
});
// The service continues if its log has no reader.
process.stderr.on('error', () => undefined);

forgetVariable();

/** The oldest major version that this program runs on. An older one would fail in the middle of a write. */
const MIN_MAJOR = 20;

const { node } = process.versions;
if (Number.parseInt(node, 10) < MIN_MAJOR) {
  process.stderr.write(`redflag: this is Node ${node}; use Node 20.19, 22.12 or newer\n`);
  process.exitCode = 1;
} else process.exitCode = await run(process.argv.slice(2));
collectGarbage();

/**
 * Runs a garbage collection, which prevents a hang at exit. At exit, Node waits for V8's compiler threads. A compiler
 * thread without memory waits for a collection, but the main thread is waiting and cannot run one (nodejs/node#54918).
 * At some store sizes, every third `redflag check` hung. The collection takes a few milliseconds. Bun does not run on
 * V8.
 */
function collectGarbage(): void {
  if ('bun' in process.versions) return;
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
}
