import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

/**
 * Examples of the API description, from real answers: run tests with `MAINSTAY_EXAMPLES_TO=FOLDER`, then
 * `node server/openapi/examples.ts FOLDER` puts what they saw into examples.json, and `npm run openapi` into the
 * description. Lists are cut to two items, long texts shortened, and secrets replaced.
 */

export interface Example {
  status: number;
  body?: unknown;
  answer?: unknown;
}

const file = new URL('./examples.json', import.meta.url);
const maxText = 160;
const maxBytes = 4000;

function shown(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.slice(0, 2).map((item) => shown(item, name));
  if (typeof value === 'string') return shownText(value, name);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shown(item, key)]));
}

function shownText(text: string, name: string): string {
  if (/^eyJ[\w-]+\./.test(text))
    return 'eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9.eyJzdWIiOiIuLi4ifQ.c2lnbmF0dXJl';
  if (/password|secret|token/i.test(name) && !/^(Bearer|access_token|refresh_token)$/.test(text))
    return /^[a-z]{3,4}_/.exec(text) ? `${text.slice(0, 4)}...` : '...';
  const url = /^https?:\/\/127\.0\.0\.1:\d+/.test(text)
    ? text.replace(/^https?:\/\/[^/]+/, 'https://example.com')
    : text;
  const [, place] = /^(https?:\/\/[^?#]+)(#|\?.*(token|signature|code))/i.exec(url) ?? [];
  if (place) return `${place}#...`;
  if (url !== text) return url;
  return text.length > maxText ? `${text.slice(0, maxText)}...` : text;
}

async function collect(folder: string): Promise<void> {
  const known = JSON.parse(await readFile(file, 'utf8').catch(() => '{}')) as Record<string, Example>;
  for (const name of await readdir(folder)) {
    const seen = JSON.parse(await readFile(path.join(folder, name), 'utf8')) as Example;
    const example = shown(seen) as Example;
    if (JSON.stringify(example).length <= maxBytes) known[path.basename(name, '.json')] ??= example;
  }
  const sorted = Object.fromEntries(Object.entries(known).sort(([a], [b]) => (a < b ? -1 : 1)));
  await writeFile(file, `${JSON.stringify(sorted, null, 1)}\n`);
}

if (import.meta.main) await collect(process.argv[2] ?? '');
