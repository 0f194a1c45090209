import { describe, expect, it } from 'vitest';
import { readersToCount, createLogPlaces, holdsAll } from '../../src/stores/postgres/replica-progress.ts';

describe('the places of the primary’s log', () => {
  it('say how old it is at most what a replica shows, and how long it lacks something', () => {
    const places = createLogPlaces(10_000);
    expect([places.ageOf(100, 0), places.lacksFor(100, 0)]).toEqual([Infinity, 0]);
    places.note(100, 1_000);
    places.note(200, 3_000);
    places.note(200, 5_000);
    // Before all that is known.
    expect([places.ageOf(99, 6_000), places.lacksFor(99, 6_000)]).toEqual([Infinity, 5_000]);
    expect([places.ageOf(150, 6_000), places.lacksFor(150, 6_000)]).toEqual([5_000, 3_000]);
    // A quiet primary makes nobody old.
    expect([places.ageOf(200, 6_000), places.lacksFor(200, 6_000)]).toEqual([1_000, 0]);
  });

  it('are kept for as long as they matter, and the last one before that: it says for how long at least', () => {
    const places = createLogPlaces(10_000);
    for (let second = 0; second <= 60; second++) places.note(second, second * 1_000);
    expect(places.lacksFor(5, 60_000)).toBe(11_000);
    expect(places.ageOf(5, 60_000)).toBe(Infinity);
    expect(places.ageOf(55, 60_000)).toBe(5_000);
    // Nobody has asked for an hour.
    expect([places.ageOf(60, 3_660_000), places.lacksFor(59, 3_660_000)]).toEqual([3_600_000, 3_600_000]);
  });

  it('are not noted at each query, nor when an answer is late', () => {
    const places = createLogPlaces(10_000);
    places.note(100, 1_000);
    places.note(300, 1_010);
    places.note(50, 900);
    expect([places.ageOf(100, 1_020), places.lacksFor(99, 1_020), places.lacksFor(200, 1_020)]).toEqual([20, 20, 0]);
  });

  it('begin anew when another server has taken the primary’s place', () => {
    const places = createLogPlaces(10_000);
    places.note(500, 1_000);
    places.note(400, 2_000);
    expect([places.ageOf(399, 2_000), places.ageOf(400, 2_000), places.lacksFor(450, 2_000)]).toEqual([Infinity, 0, 0]);
  });
});

describe('counts of writes', () => {
  it('of a copy hold all when none is behind; one that is ahead holds it, too', () => {
    const written = { own: 3, everybodys: 7 };
    expect(holdsAll(written, written)).toBe(true);
    expect(holdsAll({ own: 4, everybodys: 9 }, written)).toBe(true);
    expect(holdsAll({ own: 2, everybodys: 9 }, written)).toBe(false);
    expect(holdsAll({ own: 9, everybodys: 6 }, written)).toBe(false);
  });

  it('are counted up in one order, once for everybody, and for nobody not at all', () => {
    expect(readersToCount(new Set())).toEqual([]);
    expect(readersToCount(new Set(['bb', 'aa']))).toEqual(['aa', 'bb']);
    expect(readersToCount(new Set(['bb', '']))).toEqual(['']);
  });
});
