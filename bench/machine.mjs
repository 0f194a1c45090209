import { cpus, totalmem } from 'node:os';

/** Returns one line that names the machine and the runtime. */
export function machine() {
  const [cpu] = cpus();
  return `${cpu?.model.trim() ?? 'unknown processor'}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}, ${process.platform}`;
}
