import { openSqliteFile } from '../../../src/stores/sqlite/file-store.ts';
import { placedContract } from './store-files.ts';

placedContract('openSqliteFile', (place) => openSqliteFile(place));
