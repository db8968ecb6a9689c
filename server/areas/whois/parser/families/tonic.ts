import { relabelled } from '../lines.ts';
import type { Family } from './family.ts';

/** Tonic answers with the bare name and one name server a line: "example ns1.example.to". */
export const tonic: Family = {
  tlds: ['to'],
  speaks: (raw) => raw.startsWith('Tonic whoisd'),
  prepare: (lines) =>
    lines.slice(1).map((line) => relabelled(line, 'nserver', line.text.slice(line.text.indexOf(' ') + 1))),
};
