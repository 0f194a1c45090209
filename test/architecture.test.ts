import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DOORS = readdirSync(join(ROOT, 'src')).filter((name) => name.endsWith('.ts'));
const PAGE = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8').split('\n');

const foldersIn = (folder: string): string[] =>
  readdirSync(join(ROOT, folder)).filter((name) => statSync(join(ROOT, folder, name)).isDirectory());

/** The first table of ARCHITECTURE.md: layer → its rooms. A layer without rooms is one itself. */
const LAYERS = new Map<string, readonly string[]>();
for (const line of PAGE) {
  const cells = /^\| `src\/([a-z]+)\/` \| .+?(?: Rooms: ([a-z, -]+)|; one room) \|$/.exec(line);
  if (cells) LAYERS.set(cells[1]!, cells[2]?.split(', ') ?? []);
}

/** Room → its folder, such as `src/core/domain`. */
const FOLDERS = new Map(
  [...LAYERS].flatMap(([layer, rooms]) =>
    rooms.length === 0
      ? [[layer, join('src', layer)] as const]
      : rooms.map((room) => [room, join('src', layer, room)] as const),
  ),
);
const ROOMS = [...FOLDERS.keys()];

/** The table of ARCHITECTURE.md: room → rooms that it may import, or `anything`. */
const TABLE = new Map<string, readonly string[]>();
for (const line of PAGE) {
  const cells = /^\| ([a-z, -]+) \| ([a-z, –-]+) \| .+ \|$/.exec(line);
  if (cells && cells[1] !== 'room')
    for (const room of cells[1]!.split(', ')) TABLE.set(room, cells[2] === '–' ? [] : cells[2]!.split(', '));
}

function filesUnder(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((name) => /\.(tsx?|mjs)$/.test(name) && !/\.generated\.|(^|\/)node_modules\//.test(name));
}

function importsOf(file: string): string[] {
  const text = readFileSync(join(ROOT, file), 'utf8');
  return [...text.matchAll(/(?:from\s+|import\s*\(\s*|import\s+)'([^']+)'/g)].map((match) => match[1]!);
}

/** The names of the folders and the file in `src` that an import of `file` leads to; undefined for a package. */
function placeOf(file: string, target: string): string[] | undefined {
  return target.startsWith('.') ? relative('src', join(dirname(file), target)).split(sep) : undefined;
}

/** Which room (or door) of `src` an import of `file` leads to; undefined for a package. */
function roomOf(file: string, target: string): string | undefined {
  const place = placeOf(file, target);
  if (place === undefined) return undefined;
  if (place.length === 1) return 'doors';
  return FOLDERS.has(place[0]!) ? place[0] : place[1];
}

const filesOf = (room: string): string[] => filesUnder(FOLDERS.get(room)!);

/** Every file of src/ from which imports lead back to it; a type import counts as any other. */
function cyclicFiles(): string[] {
  const sources = filesUnder('src');
  const targets = new Map(
    sources.map((file) => [
      file,
      importsOf(file)
        .filter((target) => target.startsWith('.'))
        .map((target) => join(dirname(file), target)),
    ]),
  );
  return sources.filter((start) => {
    const reached = new Set<string>();
    const next = [start];
    for (let file = next.pop(); file !== undefined; file = next.pop()) {
      for (const target of targets.get(file) ?? []) {
        if (target === start) return true;
        if (!reached.has(target)) next.push(target);
        reached.add(target);
      }
    }
    return false;
  });
}

const MAY_NAME_NODE =
  /^src\/(core\/(crypto\/crypto|http\/listener|hash\/node-workers)\.ts|stores\/(holds\/(control-socket|file-hold|folder|folder-lock|watch-names|whole-file)|journal\/file|sqlite\/file-(store|copy))\.ts|sealed\/(client\/folder|service\/publications)\.ts|service\/(playground\/part\.ts|data-folder\/.+|cli\/.+))$/;

describe('the layers of ARCHITECTURE.md', () => {
  it('are the folders of src/, and nothing is in a layer but its rooms', () => {
    expect([...LAYERS.keys()].sort()).toEqual(foldersIn('src').sort());
    for (const [layer, rooms] of LAYERS)
      if (rooms.length > 0) expect(readdirSync(join(ROOT, 'src', layer)).sort()).toEqual([...rooms].sort());
  });

  it('import only the layers above them', () => {
    const names = [...LAYERS.keys()];
    const wrong = names.flatMap((layer, at) =>
      filesUnder(join('src', layer)).flatMap((file) =>
        importsOf(file)
          .filter((target) => names.indexOf(placeOf(file, target)?.[0] ?? '') > at)
          .map((target) => `${file} → ${join(dirname(file), target)}`),
      ),
    );
    expect(wrong).toEqual([]);
  });
});

describe('the core', () => {
  it('is all that the root door imports, and the door exports at most 60 names', () => {
    const door = join('src', 'index.ts');
    expect(importsOf(door).filter((target) => placeOf(door, target)?.[0] !== 'core')).toEqual([]);
    const lists = [...readFileSync(join(ROOT, door), 'utf8').matchAll(/^export (?:type )?\{([^}]*)\}/gm)];
    const names = lists.flatMap(([, list]) => list!.split(',').filter((name) => name.trim() !== ''));
    expect(names.length).toBeLessThanOrEqual(60);
  });

  it('says no more about private look-up than it does, and nor do stores and operator', () => {
    const lines = ['core', 'stores', 'operator']
      .flatMap((layer) => filesUnder(join('src', layer)))
      .flatMap((file) => readFileSync(join(ROOT, file), 'utf8').split('\n'));
    expect(lines.filter((line) => /seal/i.test(line)).length).toBeLessThanOrEqual(58);
  });
});

describe('the import table of ARCHITECTURE.md', () => {
  it('lists every room, and only rooms that exist', () => {
    expect([...TABLE.keys()].sort()).toEqual([...ROOMS, 'doors', 'bench', 'examples'].sort());
  });

  it.each(ROOMS)('%s imports only what it may', (room) => {
    const allowed = TABLE.get(room)!;
    for (const file of filesOf(room)) {
      for (const target of importsOf(file)) {
        const other = roomOf(file, target);
        if (other === undefined || other === room || allowed.includes('anything')) continue;
        expect(allowed, `${file} imports ${target}`).toContain(other);
      }
    }
  });

  it('allows no import that no file needs', () => {
    const spare = ROOMS.flatMap((room) => {
      const used = new Set(filesOf(room).flatMap((file) => importsOf(file).map((target) => roomOf(file, target))));
      return TABLE.get(room)!
        .filter((other) => other !== 'anything' && !used.has(other))
        .map((other) => `${room} imports ${other}`);
    });
    expect(spare).toEqual([]);
  });

  it.each([
    ['engine', 'store', /\/(store|records|upkeep|errors)\.ts$/],
    [
      'operator',
      'store',
      /\/(store|records|upkeep|errors|sql\/(budgets|catalogue|columns|repeats|rows|statement|table))\.ts$/,
    ],
    ['transfer', 'store', /\/(store|records|upkeep|errors)\.ts$/],
    ['http', 'store', /\/errors\.ts$/],
    ['identifiers', 'hash', /\/(hasher|runner|pool|chain|event-loop)\.ts$/],
    ['lab', 'hash', /\/(hasher|chain|event-loop)\.ts$/],
    ['web', 'lab', /\/page\/(style|chart|markup)\.ts$/],
    ['panel', 'lab', /\/page\/chart\.ts$/],
    ['journal', 'domain', /\/(redflag-error|options)\.ts$/],
  ])('of what %s imports of %s, every file matches %s', (room, other, only) => {
    for (const file of filesOf(room)) {
      for (const target of importsOf(file)) if (roomOf(file, target) === other) expect(target, file).toMatch(only);
    }
  });

  it.each(['bench', 'examples'])('%s uses doors by the package’s name', (folder) => {
    for (const file of filesUnder(folder)) {
      for (const target of importsOf(file)) {
        if (target.startsWith('.')) expect(target, file).toMatch(/^\.\/[a-z-]+\.mjs$/);
      }
    }
  });
});

describe('what must hold', () => {
  const sources = filesUnder('src');

  it('only the files that wire Node name its modules', () => {
    for (const file of sources) {
      if (importsOf(file).some((target) => target.startsWith('node:')))
        expect(file.replaceAll(sep, '/')).toMatch(MAY_NAME_NODE);
    }
  });

  it('no file imports itself through others, types included', () => {
    expect(cyclicFiles()).toEqual([]);
  });

  it.each(['engine', 'scoring', 'domain', 'operator', 'transfer', 'sealed'])(
    '%s uses no clock and no randomness',
    (room) => {
      const forbidden = /Date\.now\(|new Date\(\)|Math\.random|getRandomValues|\bperformance\b/;
      for (const file of filesOf(room)) expect(readFileSync(join(ROOT, file), 'utf8'), file).not.toMatch(forbidden);
    },
  );

  it.each(['engine', 'scoring', 'domain', 'operator'])('%s uses no timers but the given ones', (room) => {
    for (const file of filesOf(room))
      expect(readFileSync(join(ROOT, file), 'utf8'), file).not.toMatch(/\b(setTimeout|setInterval|setImmediate)\b/);
  });

  it('no file is called utils, helpers, common or types, and no room has a barrel', () => {
    for (const file of [...sources, ...filesUnder('test')])
      expect(file).not.toMatch(/(^|\/)(utils?|helpers?|common|types|misc)\.ts$/);
    for (const folder of FOLDERS.values()) expect(readdirSync(join(ROOT, folder))).not.toContain('index.ts');
  });

  it('no module keeps state: no `let` at the top level', () => {
    for (const file of sources) expect(readFileSync(join(ROOT, file), 'utf8'), file).not.toMatch(/^(export )?let /m);
  });

  it('nothing behaves by NODE_ENV', () => {
    for (const file of sources) expect(readFileSync(join(ROOT, file), 'utf8'), file).not.toContain('NODE_ENV');
  });

  it('every door is an export of the package and every export a door', () => {
    const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      exports: Record<string, unknown>;
    };
    const names = Object.keys(exports)
      .filter((name) => !name.endsWith('.json'))
      .map((name) => (name === '.' ? 'index.ts' : `${name.slice(2)}.ts`));
    // In bundles for browsers and workerd, `elsewhere.ts` stands for redflag/node and redflag/sqlite.
    expect([...names, 'elsewhere.ts'].sort()).toEqual([...DOORS].sort());
  });

  it('a file of a layer has at most 500 lines', () => {
    for (const file of sources.filter((name) => name.split(sep).length > 2))
      expect(readFileSync(join(ROOT, file), 'utf8').split('\n').length, file).toBeLessThanOrEqual(501);
  });
});
