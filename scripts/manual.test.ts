import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type Instance, startInstance } from '../server/testing/instance.ts';

/**
 * The code of every page of the manual runs as it is printed, page by page against one instance: lines for a shell as one
 * script in bash, JavaScript and TypeScript as one module. What cannot run says so behind its language: "```sh not run:
 * needs Docker".
 */

const root = path.join(import.meta.dirname, '..');
const pages = [
  ...['README.md', 'cli/README.md', 'config/README.md'],
  ...(await readdir(path.join(root, 'docs')))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
].sort();
const shell = new Set(['sh', 'bash', 'console', 'shell']);
const script = new Set(['js', 'ts', 'mjs', 'javascript', 'typescript']);
const data = new Set(['json', 'yaml', 'html', 'css', 'txt', 'hcl', 'python', 'tsx']);
/** The files of its projects, which server/areas/deployments/frameworks.test.ts builds. */
const projects = 'docs/frameworks.md';

const onePixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

interface Block {
  page: string;
  line: number;
  language: string;
  note: string;
  code: string;
}

const blocks: Block[] = [];
for (const page of pages) {
  const text = await readFile(path.join(root, page), 'utf8');
  for (const found of text.matchAll(/^( *)```([^\s`]+)([^\n`]*)\n(.*?)^\1```$/gms)) {
    const [, indent = '', language = '', note = '', code = ''] = found;
    const line = text.slice(0, found.index).split('\n').length;
    const lines = code.split('\n').map((one) => one.slice(indent.length));
    blocks.push({ page, line, language, note: note.trim(), code: lines.join('\n') });
  }
}
const isRun = ({ note, page, language }: Block) => note === '' && (page !== projects || shell.has(language));

test('every block of the manual is run, is data, or says why it is not run', () => {
  assert.ok(blocks.length > 90, `${blocks.length}`);
  const unmarked = blocks.filter(
    ({ page, language, note }) =>
      page !== projects &&
      !(data.has(language) && note === '') &&
      !((shell.has(language) || script.has(language)) && /^(not run: \S.*)?$/.test(note)),
  );
  assert.deepEqual(
    unmarked.map(({ page, line, language, note }) => `${page}:${line} ${language} ${note}`),
    [],
  );
  const notRun = blocks.filter((one) => shell.has(one.language) && one.note !== '').length;
  assert.ok(notRun < 20, `${notRun} blocks for a shell are not run`);
});

test('JSON of the manual is JSON', () => {
  for (const { page, line, language, code } of blocks)
    if (language === 'json') assert.doesNotThrow(() => JSON.parse(code), `${page}:${line}`);
});

describe('the code of the manual', () => {
  let instance: Instance;
  let folder: string;
  let env: Record<string, string>;
  before(async () => {
    instance = await startInstance('sqlite');
    folder = await mkdtemp(path.join(tmpdir(), 'mainstay-manual-'));
    const { keys, organization, application } = instance.bootstrapped;
    const call = async (method: string, at: string, body?: unknown) => {
      const answer = await instance.call(method, at, { as: 'user', body });
      assert.ok(answer.status < 300, `${method} ${at}: ${JSON.stringify(answer.body)}`);
      return answer.body;
    };
    const deployment = await call('POST', '/deployments', { applicationId: application.id });
    const key = await call('POST', '/api-keys', { name: 'Manual', applicationId: application.id });
    await call('POST', `/applications/${application.id}/storage/buckets`, { name: 'backups' });
    const environments = await call('GET', `/applications/${application.id}/environments`);
    env = {
      ...{ PATH: process.env['PATH'] ?? '', HOME: folder, LANG: 'C.UTF-8' },
      ...{ BASE: instance.url, MAINSTAY: instance.url, URL: instance.url },
      ...{ ORG: organization.id, ORGANIZATION: organization.id },
      ...{ APP: application.id, APPLICATION: application.id, APPLICATION_ID: application.id },
      ...{ ENVIRONMENT: environments.items[0].id, DEPLOYMENT: deployment.id },
      ...{ KEY: key.id, API_KEY_ID: key.id },
      ...{ CLIENT_ID: keys.application.id, CLIENT_SECRET: keys.application.secret },
      ...{ KEY_ID: keys.application.id, KEY_SECRET: keys.application.secret },
      ...{ USER_KEY_ID: keys.user.id, USER_KEY_SECRET: keys.user.secret },
      ...{ TOKEN: await instance.token('user'), ADMIN_TOKEN: await instance.token('user') },
      ...{ MAINSTAY_API_BASE_URL: instance.url, MAINSTAY_CONFIG_DIR: folder, MAINSTAY_KEYCHAIN: 'off' },
      MAINSTAY_TOKEN: `${keys.user.id}:${keys.user.secret}`,
    };
  });
  after(async () => {
    await instance?.[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  async function run(name: string, command: readonly string[]): Promise<void> {
    const cwd = path.join(folder, name);
    const [program = '', ...rest] = command;
    const child = spawn(program, rest, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => {
        output = (output + text).slice(-4000);
      });
    const code = await new Promise((resolve) => child.on('close', resolve));
    assert.equal(code, 0, output);
  }

  /** Where the lines of a page run, with what its sentences say is there. */
  async function workplace(page: string): Promise<string> {
    const name = page.replaceAll('/', '-');
    const at = path.join(folder, name);
    await mkdir(path.join(at, 'album'), { recursive: true });
    const { keys } = instance.bootstrapped;
    await writeFile(path.join(at, 'keys.json'), JSON.stringify({ keys }));
    await writeFile(path.join(at, '.env'), 'FROM_FILE=1\n');
    await writeFile(path.join(at, 'album/one.txt'), 'one');
    await writeFile(path.join(at, 'film.mp4'), 'a film');
    return name;
  }
  const local = (text: string) =>
    text
      .replaceAll('http://localhost:4000', instance.url)
      .replaceAll('https://api.example.com', instance.url);

  for (const page of pages) {
    const own = blocks.filter((one) => one.page === page && isRun(one));
    const lines = own.filter(({ language }) => shell.has(language));
    const modules = own.filter(({ language }) => script.has(language));
    if (lines.length > 0)
      test(`${page}: ${lines.length} blocks for a shell`, async () => {
        const name = await workplace(page);
        const parts = lines.map(({ line, code }) => `echo "## ${page}:${line}"\n${local(code)}`);
        await run(name, ['bash', '--norc', '-c', [prelude, ...parts].join('\n')]);
      });
    if (modules.length > 0)
      test(`${page}: ${modules.length} blocks of JavaScript`, async () => {
        const name = await workplace(page);
        const parts = modules.map(
          ({ line, code }) => `console.log('## ${page}:${line}');\n{\n${imported(local(code))}\n}`,
        );
        const file = path.join(folder, name, 'page.ts');
        await writeFile(file, [given(), ...parts].join('\n'));
        await run(name, [process.execPath, file]);
      });
  }

  /** What the API refuses ends a script, with its answer; a stream is read for a moment. */
  const prelude = `set -eo pipefail
curl() {
  case "$*" in
    *-sN*) timeout 2 curl --fail-with-body -sS "$@" || test $? = 124 ;;
    *) command curl --fail-with-body -sS "$@" ;;
  esac
}
mainstay() { '${process.execPath}' '${path.join(root, 'cli/main.ts')}' "$@"; }`;

  /** Blocks are blocks of one module, so that each may name what it likes. */
  const imported = (code: string) =>
    code
      .replace(/^import (\{.*\}) from '(.*)';$/gm, (_, names: string, from: string) => {
        const at = from.startsWith('@mainstay/')
          ? `${root}/${from.slice('@mainstay/'.length)}/index.ts`
          : import.meta.resolve(from);
        return `const ${names.replaceAll(' as ', ': ')} = await import('${at}');`;
      })
      .replace(/^export default /gm, 'void ');

  const given = () => {
    const { keys, organization, application } = instance.bootstrapped;
    const { id: clientId, secret: clientSecret } = keys.user;
    const values = {
      ...{ baseUrl: instance.url, clientId, clientSecret, id: organization.id },
      ...{ organizationId: organization.id, applicationId: application.id, deploymentId: env['DEPLOYMENT'] },
      applicationKey: { clientId: keys.application.id, clientSecret: keys.application.secret },
    };
    return `import * as sdk from '${root}/sdk/index.ts';
const { ${Object.keys(values).join(', ')} } = ${JSON.stringify(values)};
// A stream would continue for ever: that it opens is enough.
const briefly = async (input, init) => {
  const response = await fetch(input, init);
  if (!response.ok || !String(input).includes('/stream')) return response;
  await response.body.cancel();
  return new Response('');
};
const client = sdk.createClient({ baseUrl, clientId, clientSecret, fetch: briefly });
const { createClient } = sdk;
const signal = AbortSignal.timeout(60_000);
const bytes = Buffer.from('${onePixel}', 'base64');
const membershipId = (await client.members.list(organizationId)).items[0].membershipId;
const envVarId = (await client.envVars.create(organizationId, { key: 'MANUAL_' + process.pid, value: '1' })).id;`;
  };
});
