import { afterEach, it } from 'vitest';
import { closeAll, expectNoneLost } from './webhook-service.ts';

afterEach(closeAll);

it('a service loses no entry of the audit log when it is killed again and again', () => expectNoneLost(15));
