/** Where the data is unless `--data` says otherwise: visible, in the folder where the command was called. */
export const DATA_FOLDER = 'redflag-data';
