import { describe, expect, it } from 'vitest';
import { RedflagError } from '../../src/core/domain/redflag-error.ts';

class FolderError extends RedflagError {
  static override readonly kind: string = 'FolderError';
}
class InUseError extends FolderError {
  static override readonly kind = 'InUseError';
}
class OtherError extends RedflagError {
  static override readonly kind = 'OtherError';
}

// The query makes the module loader load the file again, as `require` does beside `import`.
const COPY = '../../src/core/domain/redflag-error.ts?copy';
const copy = (await import(COPY)) as typeof import('../../src/core/domain/redflag-error.ts');
class FolderErrorOfCopy extends copy.RedflagError {
  static override readonly kind: string = 'FolderError';
}
class InUseErrorOfCopy extends FolderErrorOfCopy {
  static override readonly kind = 'InUseError';
}

describe('an error of the package', () => {
  it('has the name of its kind, a message and a cause', () => {
    const cause = new Error('Disk full.');
    const error = new InUseError('Stop the other process.', { cause });
    expect(error).toMatchObject({ name: 'InUseError', message: 'Stop the other process.', cause });
    expect(RedflagError.kind).toBe('RedflagError');
  });

  it('has no enumerable member beside its name', () => {
    expect(Reflect.ownKeys({ ...new InUseError('Stop it.') })).toEqual(['name']);
  });

  it.each([
    ['this copy', () => new InUseError('x')],
    ['another copy', () => new InUseErrorOfCopy('x')],
  ])('from %s is an instance of its class and of the classes above it, and of no other', (_, create) => {
    const error = create();
    for (const type of [InUseError, FolderError, RedflagError, InUseErrorOfCopy, FolderErrorOfCopy, copy.RedflagError])
      expect(error instanceof type).toBe(true);
    expect(error instanceof OtherError).toBe(false);
  });

  it('is not an instance of a class below its own', () => {
    expect(new FolderError('x') instanceof InUseError).toBe(false);
    expect(new FolderErrorOfCopy('x') instanceof InUseError).toBe(false);
  });

  it('carries the names of its kinds under a symbol that all versions of the package share', () => {
    const error = Object.assign(new Error('x'), {
      [Symbol.for('redflag.error-kinds')]: ['FolderError', 'RedflagError'],
    });
    expect([RedflagError, FolderError, InUseError].map((type) => error instanceof type)).toEqual([true, true, false]);
  });

  it.each<unknown>([null, undefined, 'RedflagError', new Error('x'), {}])('is not %o', (value) => {
    expect(value instanceof RedflagError).toBe(false);
  });
});

describe('a subclass of a user without a kind of its own', () => {
  class Mine extends InUseError {}

  it('has instances that are also instances of the classes above', () => {
    const mine = new Mine('x');
    for (const type of [Mine, InUseError, FolderError, RedflagError]) expect(mine instanceof type).toBe(true);
    expect(mine.name).toBe('InUseError');
  });

  it('has no instance that was created as the class above', () => {
    expect(new InUseError('x') instanceof Mine).toBe(false);
  });
});
