import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { run } from './run.ts';

// A reader that closed the pipe early (`redflag keys list | head -1`) is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  collectGarbage();
  process.exit(error.code === 'EPIPE' ? 0 : 1);
});
// And a service is worth more than whoever read its log.
process.stderr.on('error', () => undefined);

process.exitCode = await run(process.argv.slice(2));
collectGarbage();

/**
 * At its end Node waits for V8's compilers. One that needs room then waits for a collection, which only the waiting thread could do: the process hangs for ever (nodejs/node#54918; at some
 * sizes of a store, `redflag check` did so once in three times). After a collection there is room. It takes a few milliseconds.
 */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}
