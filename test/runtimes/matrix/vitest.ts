/**
 * What the suites import as `vitest`, for runtimes without vitest: its own runner and its own `expect`, which need only
 * JavaScript. `matrix.mjs` puts this file in the place of the package.
 */
import {
  ASYMMETRIC_MATCHERS_OBJECT,
  customMatchers,
  GLOBAL_EXPECT,
  JestAsymmetricMatchers,
  JestChaiExpect,
  JestExtend,
  setState,
} from '@vitest/expect';
import * as spies from '@vitest/spy';
import * as chai from 'chai';

export { afterAll, afterEach, beforeAll, beforeEach, describe, it, test } from '@vitest/runner';

chai.use(JestExtend);
chai.use(JestChaiExpect);
chai.use(JestAsymmetricMatchers);

const globals = globalThis as unknown as Record<PropertyKey, object>;
export const expect = Object.assign(
  (value: unknown, message?: string) => chai.expect(value, message),
  chai.expect,
  globals[ASYMMETRIC_MATCHERS_OBJECT],
) as typeof chai.expect & { extend(matchers: object): void };
setState({ assertionCalls: 0, isExpectingAssertions: false }, expect as never);
expect.extend = (matchers) => (chai.expect as unknown as { extend(...given: object[]): void }).extend(expect, matchers);
Object.defineProperty(globalThis, GLOBAL_EXPECT, { value: expect, writable: true, configurable: true });
expect.extend(customMatchers);

/** The parts of `vi` that the suites use. */
export const vi = { fn: spies.fn, spyOn: spies.spyOn, restoreAllMocks: spies.restoreAllMocks };
