import { openFolderStore } from '../../../src/stores/sqljs/folder-store.ts';
import { placedContract } from './store-files.ts';

placedContract('openFolderStore', (place) => openFolderStore(place));
