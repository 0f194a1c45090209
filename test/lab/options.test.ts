import { describe, expect, it } from 'vitest';
import { RedflagError } from '../../src/core/domain/redflag-error.ts';
import * as lab from '../../src/lab.ts';
import { judged, replayed } from './histories.ts';
import { SAMPLE } from './sample-result.ts';
import { createMemoryStore } from '../memory-store.ts';

const MODELS = lab.createModels(['report-count']);
const SAMPLES = [
  { label: 1, score: 2 },
  { label: 0, score: 1 },
];
const JUDGED = [judged(1, [9]), judged(0, [1])];
const openStore = createMemoryStore;
const WORLDS = { seeds: [1], scenario: 'base', models: MODELS, attacks: [], openStore };
const SUMMARY = { title: '', models: ['m'] };

/** Calls a function as a program without types may. */
const call =
  (name: keyof typeof lab, ...values: unknown[]) =>
  async (): Promise<unknown> => {
    const result: unknown = (lab[name] as (...given: unknown[]) => unknown)(...values);
    // A generator validates its options at the first event.
    const { next } = (result ?? {}) as Partial<Iterator<unknown>>;
    return typeof next === 'function' ? next.call(result) : result;
  };
const replay = (options: object) => call('replay', [], undefined, options);

const learn = (options: object) => call('learnHalfLives', { readEvents: () => [], openStore, ...options });

type Refused = readonly [title: string, run: () => Promise<unknown>, words: string];

describe('options of another type, and unknown ones, are a TypeError', () => {
  it.each<Refused>([
    ['evaluate: an unknown option', call('evaluate', SAMPLES, { seed: 1, resample: 5 }), '"resample" is not an option'],
    ['evaluate: no options', call('evaluate', SAMPLES), '"options" expected an object, got undefined'],
    ['evaluate: a seed', call('evaluate', SAMPLES, { seed: '1' }), '"seed" expected a number, got string'],
    ['evaluate: samples', call('evaluate', 'x', { seed: 1 }), '"samples" expected a list, got string'],
    ['evaluate: a sample', call('evaluate', [null], { seed: 1 }), '"samples[0]" expected an object, got null'],
    ['fitCalibration: samples', call('fitCalibration', { length: 60 }), '"samples" expected a list, got object'],
    ['fitHalfLives: queries', call('fitHalfLives', 'x'), '"queries" expected a list, got string'],
    ['fitHalfLives: constants', call('fitHalfLives', [], 5), '"constants" expected an object, got number'],
    ['learnHalfLives: an unknown option', learn({ split: 5 }), '"split" is not an option'],
    ['learnHalfLives: events', learn({ readEvents: [] }), '"readEvents" expected a function'],
    ['learnHalfLives: a store', learn({ openStore: {} }), '"openStore" expected a function'],
    ['learnHalfLives: changes', learn({ changes: 5 }), '"changes" expected an object, got number'],
    ['learnHalfLives: a constant', learn({ changes: { kind: {} } }), '"kind" is not a constant'],
    ['learnHalfLives: a time', learn({ splitAt: '2021-01-01' }), '"splitAt" expected a number, got string'],
    ['createModels: a name', call('createModels', 'one-voice'), '"model" expected a list, got string'],
    ['createModels: a number', call('createModels', [5]), '"model" expected a string, got number'],
    ['createModels: constants', call('createModels', [], 5), '"constants" expected an object, got number'],
    ['toLabIdentifier: a value', call('toLabIdentifier', 'email', 5), '"value" expected a string, got number'],
    ['toLabIdentifier: a kind', call('toLabIdentifier', null, 'x'), '"kind" expected a string, got null'],
    ['parseEvent: an object', call('parseEvent', {}), '"text" expected a string, got object'],
    ['readEvents: an object', call('readEvents', [{}]), '"lines" expected a string, got object'],
    ['formatEvent: a line', call('formatEvent', '{}'), '"event" expected an object, got string'],
    ['replay: an unknown option', replay({ models: MODELS, excludeown: true }), '"excludeown" is not an option'],
    ['replay: no models', replay({}), '"models" expected a list, got undefined'],
    ['replay: excludeOwn', replay({ models: MODELS, excludeOwn: 'no' }), '"excludeOwn" expected true or false'],
    ['replay: epochDays', replay({ models: MODELS, epochDays: '7' }), '"epochDays" expected a number'],
    ['replay: epochsFrom', replay({ models: MODELS, epochsFrom: '7' }), '"epochsFrom" expected a number'],
    ['replay: onProgress', replay({ models: MODELS, onProgress: 5 }), '"onProgress" expected a function'],
    ['summarise: an unknown option', call('summarise', [], { ...SUMMARY, sed: 1 }), '"sed" is not an option'],
    ['summarise: a title', call('summarise', [], { models: [] }), '"title" expected a string, got undefined'],
    [
      'summarise: a model',
      call('summarise', [], { title: '', models: MODELS }),
      '"models" expected a string, got object',
    ],
    [
      'summarise: judged',
      call('summarise', [], { ...SUMMARY, judged: 'some' }),
      '"judged" expected "matched" or "all"',
    ],
    ['summarise: attacks', call('summarise', [], { ...SUMMARY, attacks: {} }), '"attacks" expected a list'],
    ['summarise: one replay', call('summarise', replayed(JUDGED), SUMMARY), '"replays" expected a list, got object'],
    ['samplesOf: a name', call('samplesOf', JUDGED, 'm'), '"model" expected a number, got string'],
    ['fitMap: one replay', call('fitMap', replayed(JUDGED)), '"replays" expected a list, got object'],
    ['costOfThresholds: a number', call('costOfThresholds', [], 5), '"thresholds" expected a list, got number'],
    ['costOfThresholds: text', call('costOfThresholds', [], ['5']), '"thresholds[0]" expected a number, got string'],
    ['costOfThresholds: a query', call('costOfThresholds', [5], []), '"judged[0]" expected an object, got number'],
    [
      'costOfThresholds: kinds',
      call('costOfThresholds', [{ label: 1, points: 5 }], []),
      '"judged[0].kinds" expected a list, got undefined',
    ],
    ['simulateWorld: nothing', call('simulateWorld'), '"simulation" expected an object, got undefined'],
    ['simulateWorld: an unknown option', call('simulateWorld', { seed: 1, option: {} }), '"option" is not an option'],
    ['simulateWorld: a seed', call('simulateWorld', { seed: '1' }), '"seed" expected a number, got string'],
    ['simulateWorld: a scenario', call('simulateWorld', { seed: 1, scenario: 5 }), '"scenario" expected a string'],
    ['simulateWorld: an attack', call('simulateWorld', { seed: 1, attack: 'sybil:3' }), '"attack" expected an object'],
    ['parseAttack: a number', call('parseAttack', 5), '"attack" expected a string, got number'],
    ['formatAttack: text', call('formatAttack', 'sybil:3'), '"attack" expected an object, got string'],
    ['runWorlds: an unknown option', call('runWorlds', { ...WORLDS, seed: 1 }), '"seed" is not an option'],
    ['runWorlds: a seed', call('runWorlds', { ...WORLDS, seeds: 1 }), '"seeds" expected a list, got number'],
    ['runWorlds: a store', call('runWorlds', { ...WORLDS, openStore: {} }), '"openStore" expected a function'],
    ['runWorlds: onStep', call('runWorlds', { ...WORLDS, onStep: 1 }), '"onStep" expected a function'],
    ['renderPage: JSON', call('renderPage', '{}'), '"result" expected an object, got string'],
    ['renderPage: no models', call('renderPage', { version: 1 }), '"result.models" expected a list, got undefined'],
  ])('%s', async (_, run, words) => {
    await expect(run()).rejects.toThrow(TypeError);
    await expect(run()).rejects.toThrow(words);
  });
});

describe('options out of range are a RangeError', () => {
  it.each<Refused>([
    ['evaluate: a seed', call('evaluate', SAMPLES, { seed: -1 }), '"seed" expected a whole number of at least 0'],
    ['fitHalfLives: a label', call('fitHalfLives', [{ label: 2, youngest: [] }]), '"queries[0].label" expected'],
    ['learnHalfLives: a time', learn({ splitAt: Number.NaN }), '"splitAt" expected a finite number, got NaN'],
    ['learnHalfLives: epochDays', learn({ epochDays: 0 }), '"epochDays" expected a whole number of at least 1'],
    ['learnHalfLives: a seed', learn({ seed: -1 }), '"seed" expected a whole number of at least 0'],
    ['replay: no model', replay({ models: [] }), '"models" expected at least one model, got none'],
    [
      'replay: epochDays',
      replay({ models: MODELS, epochDays: 0 }),
      '"epochDays" expected a whole number of at least 1',
    ],
    ['replay: maxSamples', replay({ models: MODELS, maxSamples: 0 }), '"maxSamples" expected a whole number'],
    ['replay: misses', replay({ models: MODELS, misses: -1 }), '"misses" expected a whole number of at least 0'],
    ['replay: a seed', replay({ models: MODELS, seed: 0.5 }), '"seed" expected a whole number of at least 0'],
    ['summarise: a seed', call('summarise', [], { ...SUMMARY, seed: -1 }), '"seed" expected a whole number'],
    [
      'summarise: resamples',
      call('summarise', [], { ...SUMMARY, resamples: 0 }),
      '"resamples" expected a whole number',
    ],
    ['samplesOf: a model', call('samplesOf', JUDGED, 1), '"model" expected a number below 1, got 1'],
    ['fitMap: a model', call('fitMap', [replayed(JUDGED)], 3), '"model" expected a number below 1, got 3'],
    [
      'costOfThresholds: a label',
      call('costOfThresholds', [{ label: 2, points: 5, kinds: [] }], []),
      '"judged[0].label" expected the number 0 or 1, got 2',
    ],
    ['simulateWorld: a scenario', call('simulateWorld', { seed: 1, scenario: 'x' }), '"scenario" expected one of base'],
    ['formatAttack: keys', call('formatAttack', { kind: 'sybil', keys: 0 }), '"attack" expected duplicates, sybil'],
    ['formatAttack: a kind', call('formatAttack', { kind: 'flood', keys: 3 }), '"attack" expected duplicates, sybil'],
    ['runWorlds: no seed', call('runWorlds', { ...WORLDS, seeds: [] }), '"seeds" expected at least one seed, got none'],
    ['runWorlds: a seed', call('runWorlds', { ...WORLDS, seeds: [-1] }), '"seeds" expected a whole number'],
    ['renderPage: a later version', call('renderPage', { ...SAMPLE, version: 2 }), '"result.version" expected 1'],
  ])('%s', async (_, run, words) => {
    await expect(run()).rejects.toThrow(RangeError);
    await expect(run()).rejects.toThrow(words);
  });
});

it('errors of the lab are errors of redflag, with their own names', () => {
  for (const [error, name] of [
    [new lab.LabEventError(3, 'problem'), 'LabEventError'],
    [new lab.NothingJudgedError('problem'), 'NothingJudgedError'],
  ] as const) {
    expect(error).toBeInstanceOf(RedflagError);
    expect(error.name).toBe(name);
  }
  expect(new lab.LabEventError(3, 'problem')).not.toBeInstanceOf(lab.NothingJudgedError);
});
