// node from-esm.mjs FOLDER: loads every door with import.
import * as index from 'redflag';
import * as browser from 'redflag/browser';
import * as canonical from 'redflag/canonical';
import * as client from 'redflag/client';
import * as doctor from 'redflag/doctor';
import * as durableObject from 'redflag/durable-object';
import * as hash from 'redflag/hash';
import * as http from 'redflag/http';
import * as lab from 'redflag/lab';
import * as node from 'redflag/node';
import * as operator from 'redflag/operator';
import * as postgres from 'redflag/postgres';
import * as protocol from 'redflag/protocol';
import * as scoring from 'redflag/scoring';
import * as sealed from 'redflag/sealed';
import * as sqlite from 'redflag/sqlite';
import * as sqljs from 'redflag/sqljs';
import * as store from 'redflag/store';
import { useEveryDoor } from './every-door.mjs';

await useEveryDoor(
  {
    index,
    browser,
    canonical,
    client,
    doctor,
    durableObject,
    hash,
    http,
    lab,
    node,
    operator,
    postgres,
    protocol,
    scoring,
    sealed,
    sqlite,
    sqljs,
    store,
  },
  process.argv[2],
);
console.log('every door works');
