// node from-cjs.cjs FOLDER: loads every door with require.
const doors = {
  index: require('redflag'),
  browser: require('redflag/browser'),
  client: require('redflag/client'),
  doctor: require('redflag/doctor'),
  durableObject: require('redflag/durable-object'),
  hash: require('redflag/hash'),
  http: require('redflag/http'),
  lab: require('redflag/lab'),
  node: require('redflag/node'),
  postgres: require('redflag/postgres'),
  protocol: require('redflag/protocol'),
  scoring: require('redflag/scoring'),
  sealed: require('redflag/sealed'),
  sqlite: require('redflag/sqlite'),
  sqljs: require('redflag/sqljs'),
};

import('./every-door.mjs')
  .then(({ useEveryDoor }) => useEveryDoor(doors, process.argv[2]))
  .then(() => console.log('every door works'));
