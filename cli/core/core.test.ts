import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseEnv } from 'node:util';
import { formatDotenv, parseDotenv } from '../env/dotenv.ts';
import { root } from '../tree.ts';
import { browserCommand } from './browser.ts';
import { trimmed } from './context.ts';
import { hasColours, Output } from './output.ts';
import { nearest, parse } from './parse.ts';
import { configFolder, stateFolder } from './places.ts';
import { credentialOf } from './session.ts';
import { fit, visible, width } from './text.ts';
import { timeOf } from './time.ts';

test('options stand anywhere, and what is behind the command belongs to it', () => {
  const deploy = parse(root, ['--profile', 'work', 'deploy', 'dist', '--prod', '--json']);
  assert.equal(deploy.path.at(-1)?.description.name, 'deploy');
  assert.deepEqual(deploy.given.arguments, { folder: 'dist' });
  assert.equal((deploy.given.options as Record<string, unknown>)['prod'], true);
  assert.deepEqual([deploy.globals.profile, deploy.globals.json], ['work', true]);

  for (const words of [
    ['env', 'run', '--env', 'preview', '--', 'node', 'app.js', '--prod'],
    ['env', 'run', '--env=preview', 'node', 'app.js', '--prod'],
  ]) {
    const { given } = parse(root, words);
    assert.deepEqual(given.arguments, { command: ['node', 'app.js', '--prod'] });
  }
});

test('a typo is reported with what was probably meant', () => {
  assert.throws(() => parse(root, ['depoy']), {
    message: 'There is no command `mainstay depoy`.',
    next: /deploy/,
  });
  assert.throws(() => parse(root, ['deploy', '--prd']), { next: 'Did you mean --prod?' });
  assert.throws(() => parse(root, ['apps', 'create']), { message: /<name> is missing/ });
  assert.throws(() => parse(root, ['deployments', '--limit', 'many']), { message: /must be a number/ });
  assert.throws(() => parse(root, ['link', 'one', 'two']), { message: /Unexpected argument "one"/ });
  assert.equal(nearest('xyz', ['deploy']), undefined);
});

test('every command describes itself, and no two share a name', () => {
  const walk = (node: typeof root): void => {
    const names = (node.children ?? []).flatMap(({ description }) => [
      description.name,
      ...(description.aliases ?? []),
    ]);
    assert.equal(new Set(names).size, names.length, node.description.name);
    assert.match(node.description.summary, /^[A-Z].*[^.]$/);
    for (const child of node.children ?? []) walk(child);
  };
  walk(root);
});

test('the help of every command has examples, each of which calls it', () => {
  const walk = (node: typeof root): void => {
    const { name, examples = [] } = node.description;
    if (node.load && !name.startsWith('__')) assert.ok(examples.length > 0, name);
    for (const [line] of examples) {
      const [typed = ''] = line.slice(line.indexOf('mainstay ')).split(/ [|>] /);
      const words = [...typed.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? c ?? '');
      assert.equal(parse(root, words.slice(1)).path.at(-1)?.load, node.load, line);
    }
    for (const child of node.children ?? []) walk(child);
  };
  walk(root);
});

test('every command can be loaded', async () => {
  const walk = async (node: typeof root): Promise<void> => {
    if (node.load) assert.equal(typeof (await node.load()).run, 'function', node.description.name);
    for (const child of node.children ?? []) await walk(child);
  };
  await walk(root);
});

test('colours are for terminals, unless the environment says otherwise', () => {
  const terminal = { isTTY: true };
  assert.equal(hasColours(terminal, {}, false), true);
  assert.equal(hasColours({}, {}, false), false);
  assert.equal(hasColours(terminal, { NO_COLOR: '1' }, false), false);
  assert.equal(hasColours({}, { FORCE_COLOR: '1' }, false), true);
  assert.equal(hasColours(terminal, { FORCE_COLOR: '0' }, false), false);
  assert.equal(hasColours(terminal, { TERM: 'dumb' }, false), false);
  assert.equal(hasColours(terminal, { FORCE_COLOR: '1' }, true), false);
});

test('widths count what a terminal shows, and nothing that comes from outside moves its cursor', () => {
  assert.equal(width('abc'), 3);
  assert.equal(width('日本'), 4);
  assert.equal(width('👩‍👩‍👧'), 2);
  assert.equal(width('e\u0301'), 1);
  assert.equal(fit('日本語', 5), '日本…');
  assert.equal(visible('a\nb\x1b[2J\u202e'), 'a\\nb\\u001b[2J\\u202e');
});

test('tables fit the terminal, and are plain tabs elsewhere', () => {
  const print = (isTTY: boolean, columns: number) => {
    let text = '';
    const write = (chunk: string) => {
      text += chunk;
      return true;
    };
    const stream = { isTTY, columns, write };
    const out = new Output(
      { stdout: stream, stderr: stream } as never,
      {},
      {
        json: false,
        quiet: false,
        'no-color': true,
      },
    );
    out.table(
      [{ name: 'a name that is much too long for this', id: '12345678' }],
      [
        { title: 'Name', value: ({ name }) => name },
        { title: 'Id', value: ({ id }) => id, isFixed: true },
      ],
    );
    return text;
  };
  assert.equal(print(true, 24), 'NAME            ID\na name that i…  12345678\n');
  assert.equal(print(false, 24), 'a name that is much too long for this\t12345678\n');
});

test('each platform keeps files where it keeps files, and opens addresses without a shell', () => {
  const windows = {
    APPDATA: 'C:\\Users\\a b\\AppData\\Roaming',
    LOCALAPPDATA: 'C:\\Users\\a b\\AppData\\Local',
  };
  assert.equal(configFolder(windows, 'win32'), 'C:\\Users\\a b\\AppData\\Roaming\\mainstay');
  assert.equal(stateFolder(windows, 'win32'), 'C:\\Users\\a b\\AppData\\Local\\mainstay');
  assert.equal(configFolder({ HOME: '/home/a' }, 'linux'), '/home/a/.config/mainstay');
  assert.equal(configFolder({ HOME: '/home/a', XDG_CONFIG_HOME: '/x' }, 'darwin'), '/x/mainstay');
  assert.equal(stateFolder({ HOME: '/home/a' }, 'linux'), '/home/a/.local/state/mainstay');
  const address = 'https://a.example/?x=1&y=2';
  assert.deepEqual(browserCommand(address, {}, 'win32'), [
    'rundll32',
    ['url.dll,FileProtocolHandler', address],
  ]);
  assert.deepEqual(browserCommand(address, {}, 'darwin'), ['open', [address]]);
  assert.deepEqual(browserCommand(address, {}, 'linux'), [undefined, []]);
});

test('addresses get their scheme, and tokens say what they are', () => {
  assert.equal(trimmed('localhost:4000/'), 'http://localhost:4000');
  assert.equal(trimmed('mainstay.example.com'), 'https://mainstay.example.com');
  assert.throws(() => trimmed('http://'), { message: /is not a valid URL/ });
  const id = '0192f0c1-2345-7abc-8def-0123456789ab';
  assert.deepEqual(credentialOf(`${id}:mst_x`), { kind: 'key', clientId: id, clientSecret: 'mst_x' });
  assert.deepEqual(credentialOf('eyJ'), { kind: 'token', token: 'eyJ' });
});

test('times are before now, or as they are written', () => {
  const now = Date.parse('2026-01-02T00:00:00Z');
  assert.equal(timeOf('2h', now), '2026-01-01T22:00:00.000Z');
  assert.equal(timeOf('2026-01-01', now), '2026-01-01T00:00:00.000Z');
  assert.throws(() => timeOf('soon', now), { message: /is not a valid time/ });
});

test('what is written as dotenv is read back', () => {
  const variables: [string, string][] = [
    ['PLAIN', 'https://a.example:1/x'],
    ['SPACES', ' a  b '],
    ['LINES', 'one\ntwo\r\n"three" \\n $x #y'],
    ['EMPTY', ''],
    ['EMOJI', '👋 ä'],
    ['WINDOWS', 'C:\\new "folder"'],
    ['APOSTROPHE', "it's \\n $HOME"],
    ['MULTILINE', '-----BEGIN KEY-----\nabc\n-----END KEY-----\n'],
    ['EVERY_QUOTE', `'"\``],
  ];
  assert.deepEqual([...parseDotenv(formatDotenv(variables))], variables);
  // Other readers see the same, as long as the syntax has a spelling on which they agree.
  const common = variables.filter(([key]) => key !== 'LINES' && key !== 'EVERY_QUOTE');
  assert.deepEqual({ ...parseEnv(formatDotenv(common)) }, Object.fromEntries(common));
  const typed = "export A = 'x y' # note\nB=`z`\nC=plain # note\nD=#none\nnonsense\nA=2";
  assert.deepEqual(Object.fromEntries(parseDotenv(typed)), { A: '2', B: 'z', C: 'plain', D: '' });
});
