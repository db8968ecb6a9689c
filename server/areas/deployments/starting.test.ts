import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { deployer, runnerSettings } from '#testing/deploying.ts';
import { engines } from '#testing/engines.ts';
import { type Instance, startInstance } from '#testing/instance.ts';
import type { ZipPart } from '#testing/zip.ts';

const secret = 'p&ss/wörd+"quoted"';

const server = (source: string): ZipPart[] => [
  { name: 'package.json', content: '{"type":"module","main":"server.js"}' },
  { name: 'server.js', content: `import http from 'node:http';\n${source}\n` },
];
const listening = (answer: string) => `http.createServer((q, s) => { ${answer} }).listen(process.env.PORT);`;

for (const engine of engines) {
  describe(`a version that does not hold on ${engine}`, () => {
    let instance: Instance;
    let tools: ReturnType<typeof deployer>;
    let host = '';
    before(async () => {
      const settings = { ...runnerSettings, MAINSTAY_FUNCTION_ANSWER: '5s' };
      instance = await startInstance(engine, { settings });
      tools = deployer(instance);
      await tools.call('POST', `/applications/${tools.applicationId}/env-vars`, {
        ...{ key: 'PASSWORD', value: secret, sensitive: true },
      });
      ({ host } = await tools.deployed(server(listening("s.end('good')"))));
    });
    after(() => instance[Symbol.asyncDispose]());

    for (const [what, source, reason] of [
      [
        'listens and then throws',
        `${listening("s.end('bad')")}\nthrow new Error('no configuration');`,
        /server\.js: The server .*exit code 1.*no configuration/s,
      ],
      [
        'ends when it is asked for the first time',
        listening("console.error('lost my database'); process.exit(3);"),
        /exited before it responded to a request: exit code 3.*lost my database/s,
      ],
      ['listens and never answers', listening(''), /did not respond to a request within 5 s/],
    ] as const)
      test(`one that ${what} fails, and the previous one stays live`, async () => {
        const deployment = await tools.deploy(server(source));
        assert.equal(deployment.status, 'FAILED', deployment.log);
        assert.match(deployment.reason, reason);
        assert.equal(deployment.live, false);
        assert.equal((await tools.visit(host, '/')).body, 'good');
      });

    test('the reason is in the log line by line, without colours', async () => {
      const { id, reason } = await tools.deploy(
        server("console.error('\\x1b[31mred\\x1b[39m'); process.exit(4);"),
      );
      assert.match(reason, /exit code 4.*\nred$/s);
      const { items } = await tools.call('GET', `/deployments/${id}/logs`);
      const last = items.slice(-2).map(({ type, message }: Record<string, string>) => [type, message]);
      const [first] = reason.split('\n');
      assert.deepEqual(last, [
        ['ERROR', first],
        ['ERROR', 'red'],
      ]);
    });

    test('a runtime that is not there is named where the configuration asks for it', async () => {
      const source = listening("s.end('good')");
      const missing = /server\.js runs on node-\d+: node-16 is not installed/;
      assert.doesNotMatch((await tools.deployed(server(source))).log, /is not installed/);
      const functions = { 'server.js': { runtime: 'node-16' } };
      const configured = { name: 'mainstay.json', content: JSON.stringify({ version: 4, functions }) };
      assert.match((await tools.deployed([...server(source), configured])).log, missing);
    });

    test('an error page is an answer', async () => {
      const deployment = await tools.deploy(server(listening('s.statusCode = 500; s.end()')));
      assert.equal(deployment.status, 'ACTIVE', deployment.log);
    });

    test('secrets stand in no reason and no line of the log, in whatever form they are printed', async () => {
      const printed =
        'const p = process.env.PASSWORD, b = Buffer.from(p);\n' +
        "console.log('raw', p); console.log('json', JSON.stringify({ p })); console.log('url', encodeURIComponent(p));\n" +
        "console.log('base64', b.toString('base64')); console.log('basic', Buffer.from('user:' + p).toString('base64'));\n" +
        'throw new Error(`cannot reach db://user:${encodeURIComponent(p)}@host as ${p}, ${process.env.MAINSTAY_CLIENT_SECRET}`);';
      const started = await tools.deploy(server(printed));
      const built = await tools.deploy([
        { name: 'build.mjs', content: printed },
        {
          name: 'mainstay.yaml',
          content: 'version: 4\nassets: .\nbuild_commands: [node build.mjs]\n',
        },
      ]);
      for (const { status, reason, log } of [started, built]) {
        assert.equal(status, 'FAILED');
        assert.match(log, /raw \*\*\*/);
        assert.match(log, /cannot reach db:\/\/user:\*\*\*@host as \*\*\*/);
        for (const text of [reason, log]) {
          for (const form of [
            ...[secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)],
            Buffer.from(secret).toString('base64').slice(0, 12),
            Buffer.from(`user:${secret}`).toString('base64').slice(8, 20),
            'mst_',
          ])
            assert.ok(!text.includes(form), `${form} in ${text}`);
        }
      }
    });
  });
}
