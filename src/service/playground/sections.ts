import type { ComponentType } from 'preact';
import type { Desk } from './desk.ts';
import { Benchmark } from './sections/benchmark.tsx';
import { Model } from './sections/model.tsx';
import { Person } from './sections/person.tsx';
import { Private } from './sections/private.tsx';
import { Query } from './sections/query.tsx';
import { Reports } from './sections/reports.tsx';
import { Share } from './sections/share.tsx';
import { Wire } from './sections/wire.tsx';
import { Worlds } from './sections/world.tsx';

/** A part of the page. */
export interface Section {
  readonly id: string;
  readonly name: string;
  readonly Content: ComponentType<{ readonly desk: Desk }>;
}

/** In the order of the tabs. */
export const SECTIONS: readonly Section[] = [
  { id: 'person', name: 'Person', Content: Person },
  { id: 'reports', name: 'Reports', Content: Reports },
  { id: 'query', name: 'Query', Content: Query },
  { id: 'wire', name: 'Wire', Content: Wire },
  { id: 'private', name: 'Private', Content: Private },
  { id: 'model', name: 'Model', Content: Model },
  { id: 'world', name: 'World', Content: Worlds },
  { id: 'share', name: 'Share', Content: Share },
  { id: 'benchmark', name: 'Benchmark', Content: Benchmark },
];
