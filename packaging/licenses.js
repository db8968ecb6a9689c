// licenses.js ROOT: prints the licence texts of every package below ROOT, each text once, under the names of those that share
// it. The image carries them for what it has in bundles; beside the bundle, each package keeps its own.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const [root = '.'] = process.argv.slice(2);
/** Names by text. @type {Map<string, string[]>} */
const texts = new Map();

/** @param {string} modules */
function readAll(modules) {
  for (const entry of existsSync(modules) ? readdirSync(modules, { withFileTypes: true }) : []) {
    const folder = path.join(modules, entry.name);
    if (!entry.isDirectory() || entry.name.startsWith('.')) continue;
    if (entry.name.startsWith('@')) readAll(folder);
    else read(folder);
  }
}

/** @param {string} folder of a package */
function read(folder) {
  readAll(path.join(folder, 'node_modules'));
  const about = path.join(folder, 'package.json');
  if (!existsSync(about)) return;
  const { name, version, license } = JSON.parse(readFileSync(about, 'utf8'));
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|notice|copying)/i.test(file));
  const parts = files.map((file) => readFileSync(path.join(folder, file), 'utf8').trim());
  const text = parts.join('\n\n') || `Licence: ${license ?? 'not stated'}`;
  texts.set(text, [...(texts.get(text) ?? []), `${name} ${version}`]);
}

readAll(path.join(root, 'node_modules'));
for (const [text, names] of texts)
  process.stdout.write(`${'='.repeat(80)}\n${names.join('\n')}\n\n${text}\n\n`);
