import express from 'express';
import type { RequestListener } from 'node:http';
import { createListener } from '../../src/core/http/listener.ts';
import { describeHttp } from '../contract/http.ts';
import { listenOn } from './listening.ts';
import { createRealService } from './real-service.ts';

// Each framework as its example shows it is in test/examples; this is what an application may do besides.
describeHttp(
  'Express without a mount, its extended parser and its JSON parser first',
  async () => {
    const { engine, keys } = await createRealService('https://flags.example/fraud');
    const app = express();
    app.use(express.urlencoded({ extended: true }));
    app.use(express.json());
    app.use(createListener(engine, { basePath: '/fraud' }));
    const server = await listenOn(app as RequestListener);
    return { base: `${server.origin}/fraud`, send: (request) => fetch(request), ...keys, close: server.close };
  },
  { parsedFirst: true },
);
