import { parentPort } from 'node:worker_threads';
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import * as common from '@zxcvbn-ts/language-common';
import * as english from '@zxcvbn-ts/language-en';

/**
 * zxcvbn on a thread of its own: its dictionaries take 100 ms and 60 MB to load, and a long password takes it half a
 * second, none of which the event loop has to spare.
 */

export interface StrengthRequest {
  id: number;
  password: string;
  /** What a guesser knows of the person. */
  about: readonly string[];
}

export interface Strength {
  /** 0 to 4. */
  score: number;
  warning: string | null;
  suggestions: readonly string[];
}

/** What comes after is strength on top: nobody has to look at it. */
const consideredCharacters = 64;

if (parentPort) {
  const port = parentPort;
  const zxcvbn = new ZxcvbnFactory({
    dictionary: { ...common.dictionary, ...english.dictionary },
    graphs: common.adjacencyGraphs,
    translations: english.translations,
    maxLength: consideredCharacters,
  });
  port.on('message', ({ id, password, about }: StrengthRequest) => {
    const { score, feedback } = zxcvbn.check(password.slice(0, consideredCharacters), [...about]);
    const strength: Strength = { score, warning: feedback.warning, suggestions: feedback.suggestions };
    port.postMessage({ id, strength });
  });
}
