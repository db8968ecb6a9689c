import { meaningOf } from '../labels.ts';
import { type Line, relabelled } from '../lines.ts';
import type { Family } from './family.ts';

/** RWhois (RFC 2167): "domain:Domain-Name:example.ma", "domain:Primary-Server;I:111.example.ma". */
export const rwhois: Family = {
  speaks: (raw) => raw.lastIndexOf('domain:Class-Name:', 300) >= 0,
  prepare: (lines) => lines.map(attribute),
};

/** A label that means no field. */
const NOTHING = 'Details';

function attribute(line: Line): Line {
  const colon = line.value.indexOf(':');
  if (line.label !== 'domain' || colon < 0) return line;
  const [name = '', type] = line.value.slice(0, colon).split(';');
  // A value of type I is the identifier of another object, which the answer does not hold.
  if (type === 'I') return relabelled(line, NOTHING, '');
  const label = name === 'ID' ? 'Domain ID' : name;
  return relabelled(line, meaningOf(label) === null ? NOTHING : label, line.value.slice(colon + 1));
}
