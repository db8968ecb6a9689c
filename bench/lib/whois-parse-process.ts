import { attempt, parsers, samples } from './whois-parsers.ts';

/** Parses the samples over and over with one parser and prints records a second of CPU time. */
const [name = '', data = ''] = process.argv.slice(2);
const all = samples(data);
const parser = (await parsers())[name];
if (!parser) throw new Error(`No parser is called ${name}.`);

const warmUp = 15;
const rounds = 40;
let started = process.cpuUsage();
for (let round = 0; round < warmUp + rounds; round++) {
  if (round === warmUp) started = process.cpuUsage();
  for (const { text, domain } of all) attempt(() => parser.parse(text, domain));
}
const { user, system } = process.cpuUsage(started);
console.log((rounds * all.length) / ((user + system) / 1e6));
