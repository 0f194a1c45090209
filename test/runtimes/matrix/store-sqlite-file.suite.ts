import { openSqliteFile } from '../../../src/store/sqlite/file-store.ts';
import { placedContract } from './store-files.ts';

placedContract('openSqliteFile', (place) => openSqliteFile(place));
