import { afterEach, it } from 'vitest';
import { budget } from '../budget.ts';
import { closeAll, expectNoneLost } from './webhook-service.ts';

afterEach(closeAll);

it('a service loses no entry of the audit log when it is killed again and again', () => expectNoneLost(budget(3)));
