import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, test } from 'node:test';
import { actions } from './actions.ts';

const server = path.join(import.meta.dirname, '../..');

describe('the table of audit actions', () => {
  test('every action of it is written by some code', async () => {
    const texts: string[] = [];
    for await (const file of glob('{accounts,areas}/**/*.ts', { cwd: server })) {
      if (/\.test\.ts$|audit-log\/actions\.ts$/.test(file)) continue;
      texts.push(await readFile(path.join(server, file), 'utf8'));
    }
    const code = texts.join('\n');
    const isWritten = (action: string) => {
      const [thing, what] = action.split('.');
      return code.includes(`'${action}'`) || (code.includes(`\`${thing}.\${`) && code.includes(`'${what}'`));
    };
    assert.deepEqual(
      Object.keys(actions).filter((action) => !isWritten(action)),
      [],
    );
  });
});
