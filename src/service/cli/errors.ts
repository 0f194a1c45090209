import { faultOf, formatFault } from '../../core/domain/options.ts';

/** An argument or option is invalid. The program exits with code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/**
 * The command failed. The program exits with code 1. The message is for an operator and contains no submitted value.
 */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * Awaits `read` and rethrows any error as {@link UsageError}. Use it if another module validates an option's value.
 * `labels` are the names that a user knows, by the option's name in that module.
 */
export async function asUsage<T>(
  read: () => T | Promise<T>,
  labels: Readonly<Record<string, string>> = {},
): Promise<T> {
  try {
    return await read();
  } catch (error) {
    const fault = faultOf(error);
    const label = labels[fault?.field ?? ''];
    throw new UsageError(fault && label ? formatFault(label, fault) : messageOf(error));
  }
}
