import type { Reporter } from '../../../core/domain/reporter.ts';

/** Whether a reporter is verified and suspended, in words. */
export function State({ verified, suspended }: Pick<Reporter, 'verified' | 'suspended'>) {
  return (
    <>
      {verified ? <span class="tag ok">verified</span> : <span class="tag plain">not verified</span>}{' '}
      {suspended && <span class="tag">suspended</span>}
    </>
  );
}
