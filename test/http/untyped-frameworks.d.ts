// Both ship without types and are used here in a few lines.
declare module 'express';
declare module 'koa';
