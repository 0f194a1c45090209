import { afterEach, describe, expect, it, vi } from 'vitest';
import { defaultWebPoolSize, webWorkers, type WebWorker } from '../../src/core/hash/web-workers.ts';

/** A Web Worker that does nothing; `emit` calls its listeners as a browser does. */
function createWorker() {
  const listeners = new Map<string, (event: unknown) => void>();
  const worker = {
    postMessage: vi.fn<WebWorker['postMessage']>(),
    terminate: vi.fn<WebWorker['terminate']>(),
    addEventListener: (type: string, listener: (event: unknown) => void) => void listeners.set(type, listener),
  };
  const emit = (type: string, event: object = {}): void => listeners.get(type)?.({ preventDefault() {}, ...event });
  const on = { onAnswer: vi.fn(), onEnd: vi.fn() };
  return { worker, emit, on, port: webWorkers(() => worker)(on) };
}

describe('a Web Worker of a pool', () => {
  it('passes requests and answers on, and ends when it is told to', () => {
    const { worker, emit, on, port } = createWorker();
    const request = {} as Parameters<typeof port.post>[0];
    port.post(request);
    expect(worker.postMessage).toHaveBeenCalledWith(request);
    emit('message', { data: 'an answer' });
    expect(on.onAnswer.mock.calls).toEqual([['an answer']]);
    port.terminate();
    expect(worker.terminate).toHaveBeenCalledOnce();
    expect(on.onEnd).not.toHaveBeenCalled();
  });

  it.each([
    ['an error', 'error', { message: 'out of memory' }, 'out of memory'],
    ['a script that cannot be loaded', 'error', { message: '' }, 'its script could not be loaded'],
    ['an answer that cannot be read', 'messageerror', {}, 'its answer could not be read'],
  ])('ends with %s', (_, type, event, reason) => {
    const { emit, on } = createWorker();
    emit(type, event);
    expect(on.onEnd.mock.calls).toEqual([[reason]]);
    expect(on.onAnswer).not.toHaveBeenCalled();
  });

  it('keeps its error from the page, which hears of it by the rejected call', () => {
    const { emit } = createWorker();
    const preventDefault = vi.fn();
    emit('error', { message: 'x', preventDefault });
    expect(preventDefault).toHaveBeenCalledOnce();
  });
});

describe('the default size of a pool', () => {
  afterEach(() => void vi.unstubAllGlobals());

  it.each([
    [{ hardwareConcurrency: 12 }, 12],
    [{ hardwareConcurrency: 1 }, 1],
    [{ hardwareConcurrency: 0 }, 2],
    [{}, 2],
    [undefined, 2],
  ])('with the navigator %j is %i', (navigator, size) => {
    vi.stubGlobal('navigator', navigator);
    expect(defaultWebPoolSize()).toBe(size);
  });
});
