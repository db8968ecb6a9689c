/** `npm run bench -- NAME`: runs bench/NAME.ts. */
const [name] = process.argv.slice(2);
const names = ['organizations', 'tokens'];
if (!name || !names.includes(name)) {
  console.error(`usage: npm run bench -- ${names.join(' | ')}`);
  process.exit(2);
}
await import(`./${name}.ts`);
