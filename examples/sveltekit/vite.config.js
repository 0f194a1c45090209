import adapter from '@sveltejs/adapter-node';
import { sveltekit } from '@sveltejs/kit/vite';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [
    sveltekit({
      adapter: adapter(),
      // SvelteKit refuses forms without the header Origin, and clients of the service send none. src/hooks.server.js
      // protects the other paths.
      csrf: { trustedOrigins: ['*'] },
    }),
  ],
});
