import { readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Plugin, rolldown } from 'rolldown';
import outside from './outside.json' with { type: 'json' };

/**
 * Bundles the server into `server/dist`: some 70 files of plain JavaScript instead of some 2 800 of which a third has types
 * to strip, in every thread again. What that saves: docs/decisions/0018.
 */

const here = fileURLToPath(new URL('.', import.meta.url));

/** What others start as a thread or a process of its own, by its name. */
const startedByName = /-(thread|process)\.ts$/;

const entries = readdirSync(here, { recursive: true, encoding: 'utf8' }).filter(
  (file) => startedByName.test(file) && !/(^|\/)(dist|node_modules|testing)\//.test(file),
);

const nameOf = (file: string) => file.replace(/\.ts$/, '').replaceAll(path.sep, '-');

/** Threads and processes are files of the bundle; any other file that a module names is the one beside its source. */
const places: Plugin = {
  name: 'places',
  transform(code, id) {
    if (!id.startsWith(here) || id.includes('node_modules') || !code.includes('import.meta')) return null;
    const source = path.relative(here, id);
    const folder = path.dirname(source);
    return code.replace(
      /new URL\('\.\/([\w-]+\.ts)', import\.meta\.url\)|import\.meta\.url/g,
      (text, file: string | undefined) => {
        const started = file !== undefined && entries.includes(path.join(folder, file));
        if (started) return `new URL('./${nameOf(path.join(folder, file))}.js', import.meta.url)`;
        return text.replace('import.meta.url', `new URL('../${source}', import.meta.url).href`);
      },
    );
  },
};

/** Importing a module of Node by name runs all its getters: those of `node:http` load an HTTP client that nothing here uses. */
const plainBuiltins: Plugin = {
  name: 'plain-builtins',
  renderChunk: (code) =>
    code.replace(
      /^import (?:([\w$]+),? ?)?(?:\{([^}]*)\} )?from "(node:[\w/]+)";$/gm,
      (_, whole: string | undefined, parts: string | undefined, name: string) => {
        const names = parts ? `{${parts.replaceAll(' as ', ': ')}}` : undefined;
        const builtin = `process.getBuiltinModule("${name}")`;
        if (!whole) return `const ${names} = ${builtin};`;
        return `const ${whole} = ${builtin}${names ? `, ${names} = ${whole}` : ''};`;
      },
    ),
};

await rm(path.join(here, 'dist'), { recursive: true, force: true });
await using bundle = await rolldown({
  input: Object.fromEntries(['main.ts', ...entries].map((file) => [nameOf(file), path.join(here, file)])),
  platform: 'node',
  // With files of their own beside their code, native or started as threads.
  external: new RegExp(`^(${outside.join('|')})(/|$)`),
  transform: { target: 'node26', define: { __dirname: 'import.meta.dirname' } },
  plugins: [places, plainBuiltins],
});
await bundle.write({
  dir: path.join(here, 'dist'),
  format: 'esm',
  entryFileNames: '[name].js',
  chunkFileNames: '[name]-[hash].js',
  // V8 keeps the text of a file, with two bytes a character as soon as one of them is beyond Latin-1.
  comments: false,
  minify: { compress: false, mangle: false, codegen: { removeWhitespace: false, asciiOnly: true } },
});
