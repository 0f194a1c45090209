import { describe, expect, it } from 'vitest';
import { command, form } from '../../src/service/cli/command.ts';
import { placesOf } from '../../src/service/cli/completion/places.ts';
import { choice, flag, repeated, text, value, whole, withDefault } from '../../src/service/cli/option.ts';

const seen: unknown[] = [];
const JSON_OUTPUT = { json: flag('print JSON') };
const WRITES = { by: withDefault(text('NAME', 'who'), 'your login name', () => 'nobody') };

const shelf = command({
  name: 'shelf',
  title: 'put books on a shelf',
  about: 'A shelf holds books.',
  forms: {
    list: form({
      summary: 'list the books',
      options: { sort: choice('ORDER', ['title', 'author'], 'order of the books', 'title'), ...JSON_OUTPUT },
      run: async (...run) => void seen.push(['list', ...run]),
    }),
    add: form({
      usage: 'TITLE',
      summary: 'add a book',
      options: {
        pages: whole('N', [1, 9_999], 'number of pages'),
        tag: repeated('TAG', 'a tag', (all) => all),
        ...WRITES,
        ...JSON_OUTPUT,
      },
      run: async (...run) => void seen.push(['add', ...run]),
    }),
    'add --file': form({
      options: { file: text('FILE', 'add all books of a file'), ...WRITES, ...JSON_OUTPUT },
      run: async (...run) => void seen.push(['add --file', ...run]),
    }),
    remove: form({
      value: value('ISBN', 'an ISBN of 13 digits', (isbn) => (/^\d{13}$/.test(isbn) ? Number(isbn) : undefined)),
      summary: 'remove a book',
      options: JSON_OUTPUT,
      run: async (...run) => void seen.push(['remove', ...run]),
    }),
  },
  notes: 'Exits with 0.',
});

describe('a declared command', () => {
  it.each([
    [['list'], 'list', { sort: 'title', json: false }, []],
    [['--json', 'list', '--sort=author'], 'list', { sort: 'author', json: true }, []],
    [['add', 'A', 'B'], 'add', { pages: undefined, tag: [], by: 'nobody', json: false }, ['A', 'B']],
    [['add', '--tag', 'x', '--tag', 'y', '--', '--z'], 'add', { tag: ['x', 'y'] }, ['--z']],
    [['add', '--file', 'f', '--by', 'Ada'], 'add --file', { file: 'f', by: 'Ada', json: false }, []],
    [['remove', '9783161484100'], 'remove', { json: false }, 9783161484100],
  ])('%j runs the form that is meant, with values', async (args, name, values, words) => {
    await shelf.run(args);
    expect(seen.pop()).toEqual([name, expect.objectContaining(values), words]);
  });

  it.each([
    [[], 'shelf expects list, add or remove; see redflag shelf --help'],
    [['burn'], 'shelf expects list, add or remove; see redflag shelf --help'],
    [['list', 'all'], 'shelf list expects no value'],
    [['remove'], 'shelf remove expects an ISBN of 13 digits'],
    [['remove', 'x'], 'shelf remove expects an ISBN of 13 digits'],
    [['remove', '9783161484100', 'x'], 'shelf remove expects an ISBN of 13 digits'],
    [['list', '--by', 'Ada'], '--by belongs to shelf add'],
    [['list', '--file', 'f'], '--file belongs to shelf add'],
    [['add', '--file', 'f', '--pages', '3'], '--pages does not belong to shelf add --file'],
    [['add', 'A', '--pages', '0'], '--pages expects a whole number from 1 to 9999'],
    [['list', '--sort', 'size'], '--sort expects title or author'],
    [['list', '--sort'], '--sort expects a value; write --sort=VALUE if the value begins with a hyphen'],
    [['list', '--json=1'], '--json takes no value'],
    [['list', '--ada@example.com'], 'unknown option; put -- before a value that begins with a hyphen'],
    [['list', '-ada@example.com'], 'unknown option -a; put -- before a value that begins with a hyphen'],
  ])('%j is refused', async (args, message) => {
    await expect(shelf.run(args)).rejects.toThrow(message);
    await expect(shelf.run(args)).rejects.toMatchObject({ name: 'UsageError' });
  });

  it('has a help text', () => {
    expect(shelf.help).toBe(`redflag shelf: put books on a shelf

A shelf holds books.

  redflag shelf list             list the books
      --sort title|author        order of the books (default title)
  redflag shelf add TITLE        add a book
      --pages N                  number of pages
      --tag TAG                  a tag; may be repeated
      --by NAME                  who (default your login name)
  redflag shelf add --file FILE  add all books of a file
  redflag shelf remove ISBN      remove a book

  --json                         print JSON

Exits with 0.
`);
  });

  it('is completed', () => {
    const places = placesOf(shelf).map(({ after, commands, options }) => [
      after,
      commands.map(({ text: word }) => word).join(' '),
      options.map(({ text: word, values }) => `${word}${values ? `=${values.join('|')}` : ''}`).join(' '),
    ]);
    expect(places).toEqual([
      ['shelf', 'list add remove', '--help'],
      ['shelf list', '', '--sort=title|author --json --help'],
      ['shelf add', '', '--pages= --tag= --by= --json --file= --help'],
      ['shelf remove', '', '--json --help'],
    ]);
  });
});
