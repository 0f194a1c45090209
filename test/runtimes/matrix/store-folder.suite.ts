import { openFolderStore } from '../../../src/store/sqljs/folder-store.ts';
import { placedContract } from './store-files.ts';

placedContract('openFolderStore', (place) => openFolderStore(place));
