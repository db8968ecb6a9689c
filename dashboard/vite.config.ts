import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

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

/** Every text file of the build in brotli and gzip beside it: the server never compresses while it serves. */
function compressed(): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    async writeBundle({ dir = '' }) {
      const names = await readdir(dir, { recursive: true });
      await Promise.all(
        names
          .filter((name) => /\.(html|js|css|svg|json)$/.test(name))
          .map(async (name) => {
            const file = path.join(dir, name);
            const content = await readFile(file);
            const params = {
              [constants.BROTLI_PARAM_QUALITY]: 11,
              [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
            };
            await writeFile(`${file}.br`, await promisify(brotliCompress)(content, { params }));
            await writeFile(`${file}.gz`, await promisify(gzip)(content, { level: 9 }));
          }),
      );
    },
  };
}
