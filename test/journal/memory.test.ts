import { createMemoryMedium } from '../../src/stores/journal/memory.ts';
import { describeJournalMedium } from '../contract/journal-medium.ts';

describeJournalMedium('memory', async () => ({
  open: async () => createMemoryMedium(),
  survivesClose: false,
  remove: async () => undefined,
}));
