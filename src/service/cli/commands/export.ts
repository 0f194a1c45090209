import { askFolder } from '../../data-folder/ask-folder.ts';
import { command, form } from '../command.ts';
import { flag } from '../option.ts';
import { BY, DATA, path } from '../operator-options.ts';
import { NOT_RECORDED, printAnswer } from '../output.ts';

export const exportData = command({
  name: 'export',
  title: 'write all stored data to a file',
  forms: {
    '': form({
      value: path('FILE', 'the name of a file'),
      summary:
        'lines of JSON (NDJSON): a header, one line for each row, and a last line with the number of rows and a SHA-256 checksum; mode 600, never overwrites a file',
      options: { json: flag('print the number of rows as JSON'), ...BY, ...DATA },
      async run({ json, by, data }, file) {
        const answer = await askFolder(data, (calls) => calls.exportData({ path: file, by }));
        printAnswer(
          answer,
          json,
          ({ rows, isRecorded }) => `Exported: ${rows} rows.\n${isRecorded ? '' : NOT_RECORDED}`,
        );
      },
    }),
  },
  notes: `The file contains the stored identifiers and the texts of reports. It does not contain the secret or the
pepper, only their fingerprints: redflag import needs the same secret and pepper.
Works while a service runs on the folder; the export is consistent. A SQLite file is first copied beside
itself. The temporary copy needs as much disk space as the file.
`,
});
