import { render } from 'preact';
import { App } from './app.tsx';
import { Failure, start } from './start.tsx';

const root = document.querySelector('#playground')!;
start().then(
  (started) => render(<App {...started} />, root),
  (error: unknown) => render(<Failure error={error} />, root),
);
