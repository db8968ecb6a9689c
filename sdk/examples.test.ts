import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { after, before, describe, test } from 'node:test';
import { type Instance, startInstance } from '../server/testing/instance.ts';
import * as sdk from './index.ts';

/** The examples of the README run as they stand there, in order, against an instance. */

const readme = await readFile(new URL('./README.md', import.meta.url), 'utf8');
const examples = [...readme.matchAll(/([^\n]*)\n\n```ts\n(.*?)^```$/gms)].map(
  ([, title = '', code = '']) => ({
    title: title.replace(/[:.]$/, ''),
    code,
  }),
);
const AsyncFunction = (async () => {}).constructor as new (
  ...texts: string[]
) => (...values: unknown[]) => Promise<void>;

describe('examples of the README', () => {
  let instance: Instance;
  before(async () => {
    instance = await startInstance('sqlite');
  });
  after(() => instance[Symbol.asyncDispose]());

  test('there is one for each area', () => {
    assert.ok(examples.length >= 8, `${examples.length}`);
    for (const area of ['apiKeys', 'members', 'auditLog', 'applicationEnvVars', 'fastcache', 'storage'])
      assert.match(readme, new RegExp(`\\b${area}\\.\\w+\\(`));
  });

  for (const { title, code } of examples) {
    test(title, async () => {
      const { keys, organization, application } = instance.bootstrapped;
      const keyOf = ({ id, secret }: { id: string; secret: string }) => ({
        clientId: id,
        clientSecret: secret,
      });
      const given = {
        ...{ sdk, console: { log() {}, error: (...words: unknown[]) => assert.fail(words.join(' ')) } },
        ...{ ...keyOf(keys.user), applicationKey: keyOf(keys.application) },
        ...{ organizationId: organization.id, applicationId: application.id },
        ...(code.includes('const client =')
          ? {}
          : { client: sdk.createClient({ baseUrl: instance.url, ...keyOf(keys.user) }) }),
      };
      const script = stripTypeScriptTypes(code)
        .replace(/^import (\{.*\}) from '@mainstay\/sdk';$/m, 'const $1 = sdk;')
        .replaceAll('https://api.example.com', instance.url);
      await new AsyncFunction(...Object.keys(given), script)(...Object.values(given));
    });
  }
});
