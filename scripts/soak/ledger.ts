import assert from 'node:assert/strict';
import { pino } from 'pino';
import { readConfig } from '../../server/platform/config.ts';
import { openDatabase } from '../../server/platform/engines.ts';
import { fetchToken } from '../../server/testing/instance.ts';

/** No request may hang for longer, whatever happens to the engines. */
const longestMilliseconds = 45_000;
const unknownSentence = /outcome is unknown/;

/**
 * What clients were told of the API keys that they made, held against what is there in the end: what was acknowledged is
 * there and its secret works, what was refused is not.
 */
export class Ledger {
  readonly acknowledged = new Map<string, { id: string; secret: string }>();
  readonly refused = new Set<string>();
  /** The connection broke, or the server said itself that it does not know. */
  readonly unknown = new Set<string>();
  #longest = 0;
  #count = 0;

  /** One write. Never throws. */
  async write(url: string, token: string): Promise<void> {
    const name = `soak ${++this.#count}`;
    const started = performance.now();
    try {
      const response = await fetch(`${url}/api-keys`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ name }),
      });
      const body = (await response.json()) as { id: string; secret: string; error?: string };
      if (response.ok) this.acknowledged.set(name, body);
      else if (unknownSentence.test(body.error ?? '')) this.unknown.add(name);
      else {
        assert.notEqual(response.status, 500, body.error ?? 'HTTP 500');
        this.refused.add(name);
      }
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error;
      this.unknown.add(name);
    }
    this.#longest = Math.max(this.#longest, performance.now() - started);
  }

  /** So many writers at a time, until told to stop. The token is asked for again while there is none. */
  async load(options: {
    writers: number;
    isOver: () => boolean;
    target: () => { url: string; token: string };
  }) {
    const writer = async () => {
      while (!options.isOver()) {
        const { url, token } = options.target();
        await this.write(url, token);
        // A server that is away refuses at once: the event loop has other things to do.
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    await Promise.all(Array.from({ length: options.writers }, writer));
  }

  /** Against a database that rests. `url`: a server on it, for trying some of the secrets. */
  async verify(settings: Record<string, string>, url?: string): Promise<string> {
    const db = await openDatabase(readConfig(settings), pino({ level: 'silent' }));
    const rows = await db.selectFrom('api_keys').select('name').execute();
    await db.close();
    const there = new Set(rows.map(({ name }) => name));
    const lost = [...this.acknowledged.keys()].filter((name) => !there.has(name));
    assert.deepEqual(lost, [], 'acknowledged, and not there');
    const undead = [...this.refused].filter((name) => there.has(name));
    assert.deepEqual(undead, [], 'refused, and there');
    for (const key of [...this.acknowledged.values()].slice(-5)) if (url) await fetchToken(url, key);
    assert.ok(this.#longest < longestMilliseconds, `a request took ${Math.round(this.#longest)} ms`);
    const { acknowledged, refused, unknown } = this;
    return `${acknowledged.size} acknowledged, ${refused.size} refused, ${unknown.size} unknown, longest ${Math.round(this.#longest)} ms`;
  }
}
