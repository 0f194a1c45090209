/**
 * How forms are answered: as the specification says, or in the words of the older services of this family
 * (docs/protocol.md, section 10).
 */
export type Dialect = 'specification' | 'classic';

export const DIALECTS: readonly Dialect[] = ['specification', 'classic'];
