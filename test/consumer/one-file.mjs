// To be bundled into one file, then: node FILE FOLDER. Opens stores on sql.js, and stays alive when it cannot.
import { readdirSync } from 'node:fs';
import { openFolderStore } from 'redflag/node';
import { createSqljsStore } from 'redflag/sqljs';

async function main(folder) {
  for (const open of [() => createSqljsStore(), () => openFolderStore(folder)]) {
    try {
      const store = await open();
      await store.close();
      console.log('opened');
    } catch (error) {
      console.log(`${error.name}: ${error.message}`);
    }
  }
  setTimeout(() => console.log('alive', ...readdirSync(folder)), 50);
}

main(process.argv[2]);
