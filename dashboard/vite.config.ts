import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { compressBuild } from '../scripts/compress.ts';

const api = process.env['MAINSTAY_URL'] ?? 'http://localhost:4000';

export default defineConfig(({ command }) => ({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss(), compressed()],
  build: {
    // The theme's colours are `light-dark()` pairs: browsers of 2024 and later.
    target: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    assetsInlineLimit: 0,
    outDir: process.env['MAINSTAY_DASHBOARD_OUT'] ?? 'dist',
    emptyOutDir: true,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  // `npm run dev`: pages from here, with hot reloading; everything else from a running instance.
  ...(command === 'serve'
    ? { server: { port: 4100, proxy: { '^/(?!@|src/|node_modules/|theme\\.js|favicon\\.svg)': proxied() } } }
    : {}),
}));

function proxied() {
  return {
    target: api,
    changeOrigin: true,
    bypass: (request: { headers: { accept?: string | undefined } }) =>
      request.headers.accept?.includes('text/html') ? '/index.html' : undefined,
    headers: { origin: api },
  };
}

/** The compressed forms of what was built. */
function compressed(): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    writeBundle: ({ dir = '' }) => compressBuild(dir),
  };
}
