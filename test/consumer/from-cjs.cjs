// node from-cjs.cjs FOLDER: loads every door with require. Those of lab and sealed are ES modules alone.
const doors = {
  index: require('redflag'),
  browser: require('redflag/browser'),
  client: require('redflag/client'),
  doctor: require('redflag/doctor'),
  durableObject: require('redflag/durable-object'),
  hash: require('redflag/hash'),
  http: require('redflag/http'),
  node: require('redflag/node'),
  operator: require('redflag/operator'),
  postgres: require('redflag/postgres'),
  protocol: require('redflag/protocol'),
  scoring: require('redflag/scoring'),
  sqlite: require('redflag/sqlite'),
  sqljs: require('redflag/sqljs'),
  store: require('redflag/store'),
};

Promise.all([import('./every-door.mjs'), import('redflag/lab'), import('redflag/sealed')])
  .then(([{ useEveryDoor }, lab, sealed]) => useEveryDoor({ ...doors, lab, sealed }, process.argv[2]))
  .then(() => console.log('every door works'));
