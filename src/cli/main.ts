import { run } from './run.ts';

// A reader that closed the pipe early (`redflag keys list | head -1`) is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
// And a service is worth more than whoever read its log.
process.stderr.on('error', () => undefined);

process.exitCode = await run(process.argv.slice(2));
