import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { parseEnv } from 'node:util';
import { cpuMilliseconds } from '#testing/cpu.ts';
import { engines } from '#testing/engines.ts';
import { type Instance, startInstance } from '#testing/instance.ts';
import { dotenvLine, parseDotenv } from './dotenv.ts';
import { resolveReferences } from './resolve.ts';

for (const engine of engines) {
  describe(`import, export and references on ${engine}`, () => {
    let instance: Instance;
    let path: string;
    before(async () => {
      instance = await startInstance(engine);
      path = `/organizations/${instance.bootstrapped.organization.id}/env-vars`;
    });
    after(() => instance[Symbol.asyncDispose]());

    const load = (body: object) => instance.call('POST', `${path}/import`, { as: 'organization', body });
    const exported = () => instance.call('GET', `${path}/export`, { as: 'organization' });
    const values = async (query = '') => {
      const { body } = await instance.call('GET', `${path}${query}`, { as: 'organization' });
      return Object.fromEntries(
        body.items.map((item: { key: string; value: string }) => [item.key, item.value]),
      );
    };

    test('a dotenv file makes and changes variables; sensitive ones stay so', async () => {
      const content = `# a comment\nexport HOST=db.example.com\nPORT=5432 # why\nTEXT="two\\nlines"\nRAW='a $b # c'\n\nEMPTY=\n`;
      const first = await load({ content });
      assert.deepEqual(first.body, { created: 5, updated: 0, unchanged: 0 });
      assert.deepEqual(await values(), {
        EMPTY: '',
        HOST: 'db.example.com',
        PORT: '5432',
        RAW: 'a $b # c',
        TEXT: 'two\nlines',
      });
      const second = await load({ content: 'HOST=db2.example.com\nPORT=5432\nTOKEN=abc', sensitive: true });
      assert.deepEqual(second.body, { created: 1, updated: 1, unchanged: 1 });
      assert.equal((await values())['TOKEN'], null);
      await load({ content: 'TOKEN=def' });
      assert.equal((await values())['TOKEN'], null);
    });

    test('all or none: a bad line, a bad key and a conflict import nothing', async () => {
      const before = await values();
      assert.equal((await load({ content: 'NEW=1\nthis is no variable\nOTHER=2' })).status, 400);
      assert.equal((await load({ content: `NEW=1\n${'K'.repeat(300)}=2` })).status, 400);
      assert.equal((await load({ content: 'NEW=1\nHOST=x', overwrite: false })).status, 409);
      assert.equal((await load({})).status, 400);
      assert.equal((await load({ content: 5 })).status, 400);
      assert.deepEqual(await values(), before);
    });

    test('the export is a dotenv file that reads back the same, and says how many values are left out', async () => {
      const { headers, body } = await exported();
      assert.match(headers.get('content-type') ?? '', /^text\/plain/);
      assert.match(body, /^# 1 sensitive variable is left out\n/);
      assert.equal(headers.get('x-omitted-sensitive'), '1');
      const { TOKEN: _, ...plain } = await values();
      assert.deepEqual({ ...parseEnv(body) }, plain);
    });

    test('references are replaced on request only, and what is made of a secret is one', async () => {
      await load({
        content: "URL='https://${HOST}:${PORT}/${MISSING}'\nLITERAL='\\${HOST}'\nAUTH='Bearer ${TOKEN}'",
      });
      const asStored = await values();
      assert.equal(asStored['URL'], 'https://${HOST}:${PORT}/${MISSING}');
      const seen = await values('?resolve=true');
      assert.equal(seen['URL'], 'https://db2.example.com:5432/${MISSING}');
      assert.equal(seen['LITERAL'], '${HOST}');
      assert.equal(seen['AUTH'], null);
      const { body } = await instance.call('GET', `${path}/resolved`, { as: 'application' });
      assert.equal(body.total, body.items.length);
      assert.equal(body.omittedSensitive, 2);
      const url = body.items.find((item: { key: string }) => item.key === 'URL');
      assert.deepEqual(url, {
        key: 'URL',
        value: 'https://db2.example.com:5432/${MISSING}',
        source: 'organization',
        sensitive: false,
      });
    });

    test('a circle is refused and named', async () => {
      await load({ content: "ONE='${TWO}'\nTWO='${THREE}'\nTHREE='${ONE}'" });
      const { status, body } = await instance.call('GET', `${path}/resolved`, { as: 'application' });
      assert.equal(status, 409);
      assert.match(body.error, /ONE → TWO → THREE → ONE|TWO → THREE → ONE → TWO|THREE → ONE → TWO → THREE/);
      assert.equal((await instance.call('GET', path, { as: 'application' })).status, 200);
    });
  });
}

describe('the dotenv spelling', () => {
  const hard = [
    '',
    'a',
    'a b',
    ' a ',
    '#',
    'a#b',
    "'",
    '"',
    '`',
    `'"`,
    '\n',
    'a\nb=c',
    '\\n',
    '\\',
    '$x',
    '${x}',
    '=',
    'é',
    '🚀',
    "\\'",
    '"\\n\'',
  ];

  test('reads back as what it was, whatever is in it', () => {
    for (const value of hard) {
      const line = dotenvLine('KEY', value);
      if (line !== undefined)
        assert.equal((parseEnv(line) as Record<string, string>)['KEY'], value, JSON.stringify(value));
    }
    for (const value of ['a b', "it's", 'say "hi"', 'a\nb', '#1']) assert.ok(dotenvLine('KEY', value), value);
    assert.equal(dotenvLine('KEY', `'"\`\n#`), undefined);
    assert.equal(dotenvLine('two words', 'x'), undefined);
    assert.equal(dotenvLine('KEY', 'postgres://u@h:5432/db'), 'KEY=postgres://u@h:5432/db');
    for (const value of ['a b', '$HOME', 'a#b', 'x;y', 'a&b'])
      assert.equal(dotenvLine('KEY', value), `KEY='${value}'`);
  });

  test('a thousand made-up values read back', () => {
    const alphabet = ['a', ' ', "'", '"', '`', '\\', 'n', '\n', '#', '=', '$', '{', '}', 'é'];
    let seed = 42;
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
      return seed % below;
    };
    for (let count = 0; count < 1000; count++) {
      const value = Array.from({ length: random(12) }, () => alphabet[random(alphabet.length)]).join('');
      const line = dotenvLine('KEY', value);
      if (line !== undefined)
        assert.equal((parseEnv(`A=1\n${line}\nB=2`) as Record<string, string>)['KEY'], value);
    }
  });
});

describe('a dotenv file', () => {
  test('may hold values of several lines, comments, and Windows line ends', () => {
    const content = 'A="one\ntwo\nno variable here"\r\n# comment\r\nB=1\r\nC=`x\n`\n';
    assert.deepEqual(Object.fromEntries(parseDotenv(content)), {
      A: 'one\ntwo\nno variable here',
      B: '1',
      C: 'x\n',
    });
  });

  test('with a stray line is refused, and the line is named', () => {
    assert.throws(() => parseDotenv('A=1\nstray\nB=2'), /Line 2 /);
    assert.throws(() => parseDotenv('A="1\n2"\nB=2\n\nstray'), /Line 5 /);
    assert.throws(() => parseDotenv('stray'), /Line 1 /);
  });
});

describe('references', () => {
  const of = (variables: Record<string, string>) =>
    new Map(Object.entries(variables).map(([key, value]) => [key, { value, sensitive: false }]));

  test('values that multiply beyond reason are refused quickly', () => {
    const variables: Record<string, string> = { A0: 'x'.repeat(1000) };
    for (let level = 1; level <= 40; level++) variables[`A${level}`] = `\${A${level - 1}}\${A${level - 1}}`;
    const resolve = () => assert.throws(() => resolveReferences(of(variables)), /grow beyond/);
    assert.ok(cpuMilliseconds(resolve) < 500);
  });

  test('text full of opened references is read in linear time', () => {
    assert.ok(cpuMilliseconds(() => resolveReferences(of({ A: '${'.repeat(30_000) }))) < 200);
  });
});
