// slim.js ROOT: leaves in ROOT/node_modules what the bundle of the server loads from there, and of that what a server reads.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';

const [root = '.'] = process.argv.slice(2);
const modules = path.join(root, 'node_modules');
/** @param {string} file @returns {any} */
const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));

/** Folders of packages, and of what they depend on. @type {Set<string>} */
const kept = new Set();
/** @param {string} name @param {string} from the folder of whoever asks for it */
function keep(name, from) {
  for (let at = from; ; at = path.dirname(at)) {
    const folder = path.join(at, 'node_modules', name);
    if (existsSync(folder)) {
      if (kept.has(folder)) return;
      kept.add(folder);
      const { dependencies, optionalDependencies } = readJson(path.join(folder, 'package.json'));
      for (const other of Object.keys({ ...dependencies, ...optionalDependencies })) keep(other, folder);
      return;
    }
    if (at === root) return;
  }
}

for (const name of readJson(path.join(root, 'server/outside.json'))) keep(name, root);
const runtimes = Object.keys(readJson(path.join(root, 'package.json')).optionalDependencies);
for (const name of runtimes) keep(name, root);

/** @param {string} scope '' or '@scope' */
function removeOthers(scope) {
  for (const name of readdirSync(path.join(modules, scope))) {
    const folder = path.join(modules, scope, name);
    if (scope === '' && name.startsWith('@') && name !== '@mainstay') removeOthers(name);
    else if (!name.startsWith('.') && name !== '@mainstay' && !kept.has(folder))
      rmSync(folder, { recursive: true });
  }
}
removeOthers('');

for (const entry of readdirSync(modules, { recursive: true, withFileTypes: true }))
  if (entry.isFile() && /^(?!licen[cs]e|notice|copying).*\.(d\.[mc]?ts|map|md)$/i.test(entry.name))
    rmSync(path.join(entry.parentPath, entry.name));
for (const name of runtimes) {
  const folder = path.join(modules, name);
  if (!existsSync(folder)) continue;
  for (const part of ['include', 'share']) rmSync(path.join(folder, part), { recursive: true, force: true });
  try {
    execFileSync('strip', [path.join(folder, 'bin/node')]);
  } catch {
    // Larger by 20 MB where there is no strip.
  }
}
// lmdb brings builds for two C libraries and for the binary interfaces of older Nodes; the image has glibc, and Node-API.
if (existsSync(path.join(modules, '@lmdb')))
  for (const entry of readdirSync(path.join(modules, '@lmdb'), { recursive: true, withFileTypes: true }))
    if (entry.isFile() && /musl|\.abi\d+\./.test(entry.name)) rmSync(path.join(entry.parentPath, entry.name));
for (const part of ['dependencies', 'src'])
  rmSync(path.join(modules, 'lmdb', part), { recursive: true, force: true });
