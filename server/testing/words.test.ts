import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';

/** Words of the glossary in CONTRIBUTING.md that users must not read, each as it is seen in a sentence. */
const forbidden = [
  /\bletters? (?:is|are|was|were) sent\b|\bno letters\b|\b(?:to|from|this) the letter\b/i,
  /\bbelieved?\b/i,
  /\bmended?\b/i,
  /\bkeep away from\b/i,
  /\bsomebody else\b|\bwhoever\b/i,
  /\bis no (?:address|time|field|header|member|number|whole number|list|name|object|ZIP)\b/i,
  /\bgoes on where\b|\bgo on from there\b/i,
  /\bthe (?:page|one|version|link) before\b/i,
  /\bdo not have it any more\b|\bany more\.$/i,
  /\bfor good\b/i,
  /\ba little\.$/i,
  /\bdomains? of your own\b/i,
  /\bstands for anything\b/i,
  /\bcomes? with the program\b/i,
  /\boutside provider\b/i,
  /\bone a line\b|\ba line each\b/i,
];

/** Words that neither the documentation, nor the names of tests and files, nor comments have a use for. */
const forbiddenEverywhere = [
  /\bbelieved?\b|\bbelieves\b/i,
  /\bmend(?:s|ed|ing)?\b/i,
  /\bfor good\b/i,
  /\bnews\b/i,
  /\bno letters\b|\bletters? (?:is|are|was|were) sent\b/i,
  /\bcomes? with the program\b/i,
];

const root = path.join(import.meta.dirname, '../..');

/** The texts of an OpenAPI description. */
function texts(value: unknown, found: string[] = []): string[] {
  if (typeof value !== 'object' || value === null) return found;
  for (const [name, part] of Object.entries(value)) {
    if (typeof part === 'string' && (name === 'summary' || name === 'description')) found.push(part);
    else texts(part, found);
  }
  return found;
}

const oddIn = (text: string) => forbidden.map((word) => word.exec(text)?.[0]).filter(Boolean);

test('the API description uses the words of the glossary', async () => {
  const description = JSON.parse(await readFile(path.join(root, 'openapi.json'), 'utf8'));
  const found = texts(description).filter((text) => oddIn(text).length > 0);
  assert.deepEqual(found, []);
});

test('screens and the command line use the words of the glossary', async () => {
  const found: string[] = [];
  for await (const name of glob(['dashboard/src/**/*.{ts,tsx}', 'cli/{commands,descriptions}/*.ts'], {
    cwd: root,
  })) {
    const source = await readFile(path.join(root, name), 'utf8');
    // Sentences stand in quotes, or between tags; comments are for developers.
    const spoken = source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
    for (const [, text = ''] of spoken.matchAll(/(?:['"`>]|^\s+)([A-Z][^'"`<>{}\n]{6,})/gm))
      for (const word of oddIn(text)) found.push(`${name}: ${word} in "${text}"`);
  }
  assert.deepEqual(found, []);
});

/** Files that explain the glossary, or whose tables and data have the words as they are. */
const exempt = /^CONTRIBUTING\.md$|words\.test\.ts$|migrations\/0001_|(?:sqlite|contracts)\/|^sdk\/api\.ts$/;

test('documentation, comments, test names and file names use the words of the glossary', async () => {
  const found: string[] = [];
  const patterns = [
    '*.md',
    'docs/**/*.md',
    '{server,cli,config,sdk,acceptance,bench,scripts}/**/*.ts',
    'dashboard/{src,tests}/**/*.{ts,tsx}',
  ];
  for await (const name of glob(patterns, { cwd: root, exclude: ['**/node_modules/**', '**/dist/**'] })) {
    if (exempt.test(name) || name.includes('node_modules') || name.includes('/dist/')) continue;
    const text = await readFile(path.join(root, name), 'utf8');
    const lines = name.endsWith('.md') ? text.split('\n') : text.split('\n').filter(isProse);
    for (const line of [path.basename(name), ...lines])
      for (const word of forbiddenEverywhere)
        if (word.test(line)) found.push(`${name}: ${line.trim().slice(0, 120)}`);
  }
  assert.deepEqual(found, []);
});

/** Comments, and the names of tests. */
const isProse = (line: string) => /^\s*(?:\/\/|\/?\*)|^\s*(?:test|describe)\(/.test(line);

test('a word that is not of the glossary is found', () => {
  assert.deepEqual(oddIn('This instance sends no letters.'), ['no letters']);
  assert.deepEqual(oddIn('This instance sends no e-mail.'), []);
});
