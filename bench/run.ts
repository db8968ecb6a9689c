import { readdirSync } from 'node:fs';

/** `npm run bench -- NAME`: runs bench/NAME.ts. */
const [name] = process.argv.slice(2);
const names = readdirSync(import.meta.dirname, { withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name !== 'run.ts')
  .map((entry) => entry.name.replace('.ts', ''));
if (!name || !names.includes(name)) {
  console.error(`usage: npm run bench -- ${names.join(' | ')}`);
  process.exit(2);
}
await import(`./${name}.ts`);
