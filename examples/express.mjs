// Express 5. A body parser before the listener is no problem: the listener then reads `request.body`.
// npm install redflag express && node express.mjs
import express from 'express';
import { createListener } from 'redflag/node';
import { engine, port } from './engine.mjs';

const app = express();
// Express removes the prefix from `url`. The listener reads `originalUrl`, so it needs the base path.
app.use('/fraud', createListener(engine, { basePath: '/fraud' }));
app.listen(port, '127.0.0.1');
