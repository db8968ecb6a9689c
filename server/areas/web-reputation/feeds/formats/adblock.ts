import type { LineParser } from './format.ts';

/** `||name^`, exceptions with `@@` in front, options after `$`. Rules with a path are about less than a domain. */
const rule = /^(@@)?\|\|(?:\*\.)?([^/^$*|]+)\^?\|?(?:\$(.*))?$/;

/** Options that leave it a rule about the domain as such. */
const whole = new Set(['all', 'doc', 'document', 'important', 'popup', 'third-party', '3p', 'strict3p']);

/** The network rules of ad blockers (https://adblockplus.org/filter-cheatsheet). */
export const adblock: LineParser = (line, found) => {
  const [, exception, name, options] = rule.exec(line.trim()) ?? [];
  if (!name) return;
  if (exception) return found.except(name);
  if (options?.split(',').every((option) => whole.has(option)) ?? true) found.name(name);
};
