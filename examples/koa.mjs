// Koa 3.
// npm install redflag koa && node koa.mjs
import Koa from 'koa';
import { createListener } from 'redflag/node';
import { engine, port } from './engine.mjs';

const app = new Koa();
const fraud = createListener(engine, { basePath: '/fraud' });

app.use((context, next) => {
  if (!context.path.startsWith('/fraud/')) return next();
  // If a body parser has read the form, Koa has it on its own request object.
  context.req.body = context.request.body;
  // The listener answers, not Koa.
  context.respond = false;
  fraud(context.req, context.res);
});
app.listen(port, '127.0.0.1');
