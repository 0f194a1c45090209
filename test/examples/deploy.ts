import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the files for deployment. */
export const DEPLOY = fileURLToPath(new URL('../../examples/deploy', import.meta.url));

/** Reads one of the files. */
export const readDeploy = (name: string): string => readFileSync(join(DEPLOY, name), 'utf8');

/** The settings `Environment=` of a unit, or `NAME=VALUE` of any list. */
export function settingsOf(unit: string): ReadonlyMap<string, string> {
  return new Map([...unit.matchAll(/^Environment=(\w+)=(.*)$/gm)].map(([, name, value]) => [name!, value!]));
}

/** Returns true if the program is installed. If it is missing, says how to install it; in CI that is an error. */
export function findProgram(program: string, packageName = program): boolean {
  if (spawnSync('sh', ['-c', `command -v ${program}`]).status === 0) return true;
  const missing = `${program} is not installed, so its tests do not run: apt-get install ${packageName} (Debian)`;
  if (process.env['CI']) throw new Error(missing);
  console.warn(missing);
  return false;
}
