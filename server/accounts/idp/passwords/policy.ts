import type { Logger } from 'pino';
import { PeopleProblem } from '../errors.ts';
import { isBreached } from './breaches.ts';
import type { Strength, StrengthMeter } from './strength.ts';

/** NIST SP 800-63B, 3.1.1.2: length is what counts; nothing is demanded of the characters. */
export const minPasswordLength = 8;
export const maxPasswordLength = 256;

export interface PasswordPolicy {
  /** Throws what is wrong with a new password, and how to find a better one. */
  demand(password: string, about: readonly string[]): Promise<void>;
  /** For a meter beside the field. */
  rate(password: string, about: readonly string[]): Promise<Strength & { acceptable: boolean }>;
}

export function passwordPolicy(deps: {
  meter: StrengthMeter;
  minScore: number;
  breachesUrl: URL | undefined;
  log: Logger;
}): PasswordPolicy {
  const { meter, minScore, breachesUrl, log } = deps;

  const judge = async (password: string, about: readonly string[], use: 'choice' | 'meter') => {
    const parts = about.flatMap(partsOf);
    const estimated = await meter.estimate(password, parts, use);
    const strength = isMadeOf(password, parts) ? { ...estimated, ...personal } : estimated;
    const fits = password.length >= minPasswordLength && password.length <= maxPasswordLength;
    return { ...strength, acceptable: fits && strength.score >= minScore };
  };

  const demand: PasswordPolicy['demand'] = async (password, about) => {
    if (password.length < minPasswordLength)
      throw weak('PASSWORD_TOO_SHORT', `The password must have at least ${minPasswordLength} characters.`);
    if (password.length > maxPasswordLength)
      throw weak('PASSWORD_TOO_LONG', `The password must have at most ${maxPasswordLength} characters.`);
    const { acceptable, score, warning, suggestions } = await judge(password, about, 'choice');
    if (!acceptable) {
      const hints = [warning, ...suggestions].filter(Boolean).join(' ');
      const sentence = `The password is too easy to guess. ${hints || 'Use a few uncommon words.'}`;
      throw weak('PASSWORD_TOO_WEAK', sentence, { score, warning, suggestions });
    }
    if (breachesUrl && (await isBreached(breachesUrl, password, log))) {
      throw weak('PASSWORD_BREACHED', 'This password appeared in a data breach. Choose another one.');
    }
  };

  return { demand, rate: (password, about) => judge(password, about, 'meter') };
}

function weak(code: string, sentence: string, details: Record<string, unknown> = {}): PeopleProblem {
  return new PeopleProblem('invalid_request', code, sentence, { details });
}

/** An address and each of its parts: who is called mary@example.com may try "mary" and "example". */
function partsOf(text: string): string[] {
  return [text, ...text.split(/[^\p{L}\p{N}]+/u)].filter((part) => part.length > 2);
}

/** zxcvbn takes dots and capitals between the parts of a name for strength: Margaret.Hamilton has none. */
function isMadeOf(password: string, parts: readonly string[]): boolean {
  const longestFirst = [...parts].sort((a, b) => b.length - a.length);
  const bare = longestFirst.reduce(
    (rest, part) => rest.replaceAll(part.toLowerCase(), ''),
    password.toLowerCase(),
  );
  return bare.length < password.length && bare.replace(/[^\p{L}\p{N}]/gu, '').length < 4;
}

const personal = {
  score: 0,
  warning: 'It is based on your name or address.',
  suggestions: ['Use a few uncommon words.'],
};
