import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { compileRoutes, RouteError } from './compile.ts';
import { decide, routeTable } from './decide.ts';
import { fromFileName, normalizePath } from './pathname.ts';
import type { Decision, Published, Route, RouteRequest } from './route.ts';

/** A deployment with these files (by their path on the web) and functions (by their name in the project). */
function project(files: string[], functions: string[] = [], assets = 'public/'): Published {
  const paths = new Set(files.map((file) => fromFileName(file)));
  const names = new Set(functions);
  return {
    hasFile: (path) => paths.has(path),
    hasFunction: (name) => names.has(name),
    pathOf: (name) => {
      const path = name.startsWith(assets) ? `/${name.slice(assets.length)}` : null;
      return path !== null && paths.has(path) ? path : null;
    },
    functionCount: names.size,
  };
}

interface Asked {
  method?: string;
  host?: string;
  headers?: Record<string, string>;
}

function ask(published: Published, routes: Route[], url: string, asked: Asked = {}): Decision | 400 {
  const [target = '', query = ''] = url.split(/\?(.*)/s);
  const path = normalizePath(target);
  if (path === null) return 400;
  const headers = new Map(Object.entries(asked.headers ?? {}));
  const request: RouteRequest = {
    method: asked.method ?? 'GET',
    path,
    query,
    host: asked.host ?? 'app.example.com',
    header: (name) => headers.get(name),
  };
  return decide(routeTable(compileRoutes(routes)), published, request);
}

/** `file /a`, `function f?q`, `proxy URL`, `307 /where`, `404`, `404 /404.html`, `400`; a status that a rule sets comes first. */
function shown(decision: Decision | 400): string {
  if (decision === 400) return '400';
  const status = decision.kind === 'missing' || decision.kind === 'redirect' ? '' : (decision.status ?? '');
  const text = {
    file: (d: Decision & { kind: 'file' }) => `file ${d.path}`,
    function: (d: Decision & { kind: 'function' }) => `function ${d.name}${d.query && `?${d.query}`}`,
    proxy: (d: Decision & { kind: 'proxy' }) => `proxy ${d.url}`,
    redirect: (d: Decision & { kind: 'redirect' }) => `${d.status} ${d.location}`,
    missing: (d: Decision & { kind: 'missing' }) => (d.page ? `404 ${d.page}` : '404'),
  }[decision.kind] as (d: Decision) => string;
  return `${status} ${text(decision)}`.trim();
}

type Case = [url: string, expected: string, asked?: Asked];

function table(name: string, published: Published, routes: Route[], cases: Case[]): void {
  describe(name, () => {
    for (const [url, expected, asked] of cases) {
      const how = asked ? ` ${JSON.stringify(asked)}` : '';
      test(`${url}${how} → ${expected}`, () =>
        assert.equal(shown(ask(published, routes, url, asked)), expected));
    }
  });
}

const site = project([
  '/index.html',
  '/about.html',
  '/docs/index.html',
  '/docs/a.html',
  '/app.js',
  '/a b.txt',
  '/100%.txt',
  '/ä.html',
]);
const page: Asked = { headers: { accept: 'text/html,*/*' } };
table(
  'a static folder',
  site,
  [],
  [
    ['/', 'file /index.html'],
    ['/index.html', '307 /'],
    ['/index.html?x=1', '307 /?x=1'],
    ['/about', 'file /about.html'],
    ['/about.html', '307 /about'],
    ['/about/', '307 /about'],
    ['/about?x=1', 'file /about.html'],
    ['/docs', '307 /docs/'],
    ['/docs?a=1&b=2', '307 /docs/?a=1&b=2'],
    ['/docs/', 'file /docs/index.html'],
    ['/docs/index.html', '307 /docs/'],
    ['/docs/a', 'file /docs/a.html'],
    ['/docs/a.html', '307 /docs/a'],
    ['/app.js', 'file /app.js'],
    ['/app.js/', '404'],
    ['/App.js', '404'],
    ['/a%20b.txt', 'file /a b.txt'],
    ['/100%25.txt', 'file /100%25.txt'],
    ['/100%.txt', '400'],
    ['/%C3%A4', 'file /ä.html'],
    ['/%C3%A4.html', '307 /%C3%A4'],
    ['/%c3%a4', 'file /ä.html'],
    ['/%61bout', 'file /about.html'],
    ['/docs%2Fa', '404'],
    ['/docs%252Fa', '404'],
    ['//about', '404'],
    ['/docs//a', '404'],
    ['/docs/../about', '400'],
    ['/docs/%2e%2e/about', '400'],
    ['/docs/.%2E/about', '400'],
    ['/./about', '400'],
    ['/%2e/about', '400'],
    ['/..', '400'],
    ['/...', '404'],
    ['/.well-known/x', '404'],
    ['/a%00b', '400'],
    ['/a\\b', '400'],
    ['/a%5Cb', '400'],
    ['/%', '400'],
    ['/%zz', '400'],
    ['/%ff', '400'],
    ['/%E2%82', '400'],
    ['about', '400'],
    ['/missing', '404'],
    ['/missing', 'file /index.html', page],
    ['/deep/missing', 'file /index.html', page],
    ['/missing', 'file /index.html', { headers: { 'sec-fetch-mode': 'navigate' } }],
    ['/missing', '404', { headers: { 'sec-fetch-mode': 'cors', accept: 'text/html' } }],
    ['/missing', '404', { method: 'POST', ...page }],
    ['/missing', 'file /index.html', { method: 'HEAD', ...page }],
    ['/missing.js', '404', { headers: { accept: '*/*' } }],
  ],
);

table(
  'a static folder with a 404 page',
  project(['/index.html', '/404.html']),
  [],
  [
    ['/missing', '404 /404.html', page],
    ['/', 'file /index.html', page],
    ['/404', 'file /404.html'],
    ['/404.html', '307 /404'],
  ],
);
table(
  'no single-page fallback beside a function',
  project(['/index.html'], ['api.ts']),
  [],
  [
    ['/missing', '404', page],
    ['/api.ts', '404'],
  ],
);
table(
  'a file and a page of the same name',
  project(['/a', '/a.html', '/b.html', '/b/index.html']),
  [],
  [
    ['/a', 'file /a'],
    ['/a.html', 'file /a.html'],
    ['/b', 'file /b.html'],
    ['/b/', 'file /b/index.html'],
  ],
);

const api = project(
  ['/index.html', '/app.js', '/old/x.txt', '/p/1.html'],
  ['src/index.ts', 'src/api.ts', 'pages/a.tsx'],
);
table(
  'functions behind patterns',
  api,
  [
    { source: '/api/*', destination: 'src/api.ts' },
    { source: '/page/*', destination: 'pages/$1.tsx?' },
    { source: '/q/:id', destination: 'src/api.ts?id=$id&n=1' },
    { source: '/q2/:id', destination: 'src/api.ts?id=$1?' },
    { source: '/path/*', destination: '/src/$1' },
    { source: '/*', destination: 'src/index.ts' },
  ],
  [
    ['/api/users', 'function src/api.ts'],
    ['/api', 'function src/api.ts'],
    ['/api/', 'function src/api.ts'],
    ['/apis', 'function src/index.ts'],
    ['/api/users?a=1', 'function src/api.ts?a=1'],
    ['/api/%2e%2e/x', '400'],
    ['/page/a', 'function pages/a.tsx'],
    ['/page/a?x=1', 'function pages/a.tsx'],
    ['/page/b', 'function src/index.ts'],
    ['/q/7', 'function src/api.ts?id=7&n=1'],
    ['/q/7?x=2', 'function src/api.ts?id=7&n=1&x=2'],
    ['/q/7?id=9&x=2', 'function src/api.ts?id=7&n=1&x=2'],
    ['/q/a%20b', 'function src/api.ts?id=a%20b&n=1'],
    ['/q/a&b=c', 'function src/api.ts?id=a%26b%3Dc&n=1'],
    ['/q/', 'function src/index.ts'],
    ['/q/1/2', 'function src/index.ts'],
    ['/q2/7?x=1', 'function src/api.ts?id=7'],
    ['/path/api.ts', 'function src/api.ts'],
    ['/path/none', 'function src/index.ts'],
    ['/', 'file /index.html'],
    ['/app.js', 'file /app.js'],
    ['/index.html', '307 /'],
    ['/p/1', 'file /p/1.html'],
    ['/old/x.txt', 'file /old/x.txt'],
    ['/else', 'function src/index.ts'],
    ['/else', 'function src/index.ts', { method: 'POST' }],
    ['/a%2Fb', 'function src/index.ts'],
  ],
);

table(
  'fall-through lists',
  api,
  [
    { source: '/x/*', destination: 'pages/$1.tsx' },
    { source: '/x/*', destination: '/old/$1.txt' },
    { source: '/x/*', destination: 'public/app.js', headers: { 'x-last': '1' } },
    { source: '/alias', destination: '/p/1' },
    { source: '/gone', destination: '/old/x.txt', statusCode: 410 },
    { source: '/nothing', destination: '/none' },
  ],
  [
    ['/x/a', 'function pages/a.tsx'],
    ['/x/x', 'file /old/x.txt'],
    ['/x/zzz', 'file /app.js'],
    ['/x', 'file /app.js'],
    ['/alias', 'file /p/1.html'],
    ['/gone', '410 file /old/x.txt'],
    ['/nothing', '404'],
  ],
);

const empty = project([]);
table(
  'redirects',
  empty,
  [
    { source: '/a', destination: '/b', redirect: true },
    { source: '/c/:x', destination: '/d/$x?k=$x', redirect: true, statusCode: 301 },
    { source: '/e', destination: 'https://example.com/z', redirect: true, statusCode: 308 },
    { source: '/open/*', destination: '/$1', redirect: true },
    { source: '/keep', destination: '/k?a=1', redirect: true },
    { source: '/drop', destination: '/k?', redirect: true },
    { source: '/out/*', destination: 'https://example.com/in/$1', redirect: true, statusCode: 302 },
    { source: '/rel', destination: 'there', redirect: true, statusCode: 303 },
  ],
  [
    ['/a', '307 /b'],
    ['/a?x=1', '307 /b?x=1'],
    ['/a', '307 /b', { method: 'POST' }],
    ['/a/', '404'],
    ['/c/1', '301 /d/1?k=1'],
    ['/c/%C3%A4', '301 /d/%C3%A4?k=%C3%A4'],
    ['/c/a%2Fb', '301 /d/a%2Fb?k=a%2Fb'],
    ['/c/1?k=2&z=3', '301 /d/1?k=1&z=3'],
    ['/e', '308 https://example.com/z'],
    ['/e?q=1', '308 https://example.com/z?q=1'],
    ['/open//evil.example', '307 /evil.example'],
    ['/open/evil.example', '307 /evil.example'],
    ['/open///evil.example', '307 /evil.example'],
    ['/open', '307 /'],
    ['/keep?b=2', '307 /k?a=1&b=2'],
    ['/keep?a=2', '307 /k?a=1'],
    ['/drop?b=2', '307 /k'],
    ['/out/x/y', '302 https://example.com/in/x/y'],
    ['/out/a%20b', '302 https://example.com/in/a%20b'],
    ['/out/a%0d%0aSet-Cookie:x', '302 https://example.com/in/a%0D%0ASet-Cookie:x'],
    ['/rel', '303 /there'],
  ],
);

table(
  'proxies',
  empty,
  [
    { source: '/docs/*', destination: 'https://docs.example.com/$1' },
    {
      source: '/blog/:slug',
      destination: 'http://blog.example.com:8080/p/$slug?from=us',
      headers: { 'x-a': 'b' },
    },
    { source: '/raw', destination: 'https://example.com/?' },
    { source: '/status', destination: 'https://example.com/s', statusCode: 503 },
  ],
  [
    ['/docs/a/b', 'proxy https://docs.example.com/a/b'],
    ['/docs', 'proxy https://docs.example.com/'],
    ['/docs/a?x=1', 'proxy https://docs.example.com/a?x=1'],
    ['/docs/%3Fq', 'proxy https://docs.example.com/%3Fq'],
    ['/docs/%23f', 'proxy https://docs.example.com/%23f'],
    ['/docs/@evil.example', 'proxy https://docs.example.com/@evil.example'],
    ['/blog/x', 'proxy http://blog.example.com:8080/p/x?from=us'],
    ['/blog/x?from=me&a=1', 'proxy http://blog.example.com:8080/p/x?from=us&a=1'],
    ['/blog/x/y', '404'],
    ['/raw?x=1', 'proxy https://example.com/'],
    ['/status', '503 proxy https://example.com/s'],
  ],
);

table(
  'captures',
  empty,
  [
    { source: '/n/:a/:b', destination: '/$b/$a/$2/$1', redirect: true },
    { source: '/rest/:all*', destination: '/r/$all', redirect: true },
    { source: '/mid/*/end', destination: '/m/$1', redirect: true },
    { source: '/two/*/and/*', destination: '/t?a=$1&b=$2', redirect: true },
    { source: '/year/(\\d{4})-(\\d\\d)', destination: '/y/$1/$2', redirect: true },
    { source: '/named/(?<year>\\d+)(.*)', destination: '/z/$year/$1/$2', redirect: true },
    { source: '/opt/(a|b)?', destination: '/o/$1', redirect: true },
    { source: '/file-:name.txt', destination: '/f/$name', redirect: true },
    { source: '/undefined/*', destination: '/u/$9/$none', redirect: true },
    { source: '/class/([a-c)(]+)', destination: '/k/$1', redirect: true },
    { source: '/dollar', destination: '/a$', redirect: true },
  ],
  [
    ['/n/1/2', '307 /2/1/2/1'],
    ['/n/1/', '404'],
    ['/n/1', '404'],
    ['/rest/a/b/c', '307 /r/a/b/c'],
    ['/rest/', '307 /r/'],
    ['/rest', '307 /r/'],
    ['/rest/a//b/', '307 /r/a//b/'],
    ['/mid/a/b/end', '307 /m/a/b'],
    ['/mid//end', '307 /m/'],
    ['/mid/end', '404'],
    ['/two/x/and/y/z', '307 /t?a=x&b=y%2Fz'],
    ['/year/2026-11', '307 /y/2026/11'],
    ['/year/26-11', '404'],
    ['/year/2026-11/', '404'],
    ['/named/7x', '307 /z/7/7/x'],
    ['/opt/a', '307 /o/a'],
    ['/opt/', '307 /o/'],
    ['/opt/c', '404'],
    ['/file-a.txt', '307 /f/a'],
    ['/file-.txt', '404'],
    ['/file-a/b.txt', '404'],
    ['/undefined/x', '307 /u//'],
    ['/class/a)(b', '307 /k/a)(b'],
    ['/dollar', '307 /a$'],
  ],
);

table(
  'literals and case',
  empty,
  [
    { source: '/A', destination: '/upper', redirect: true },
    { source: '/a.b+c', destination: '/literal', redirect: true },
    { source: '/ü x', destination: '/unicode', redirect: true },
    { source: '/e%20f', destination: '/escaped', redirect: true },
    { source: '/50%', destination: '/percent', redirect: true },
    { source: '/s%2Fl', destination: '/slash', redirect: true },
    { source: '/t/', destination: '/trailing', redirect: true },
    { source: '/', destination: '/root', redirect: true },
  ],
  [
    ['/A', '307 /upper'],
    ['/a', '404'],
    ['/a.b+c', '307 /literal'],
    ['/axb+c', '404'],
    ['/%C3%BC%20x', '307 /unicode'],
    ['/e%20f', '307 /escaped'],
    ['/e%2520f', '404'],
    ['/50%25', '307 /percent'],
    ['/s%2fl', '307 /slash'],
    ['/s/l', '404'],
    ['/t/', '307 /trailing'],
    ['/t', '404'],
    ['/', '307 /root'],
    ['/?q', '307 /root?q'],
  ],
);

table(
  'methods',
  empty,
  [
    { source: '/m', destination: '/get', redirect: true, methods: ['GET'] },
    { source: '/m', destination: '/write', redirect: true, methods: ['POST', 'PUT'] },
    { source: '/m', destination: '/any', redirect: true, methods: ['ANY'] },
    { source: '/h', destination: '/head', redirect: true, methods: ['HEAD'] },
  ],
  [
    ['/m', '307 /get'],
    ['/m', '307 /get', { method: 'HEAD' }],
    ['/m', '307 /write', { method: 'POST' }],
    ['/m', '307 /write', { method: 'PUT' }],
    ['/m', '307 /any', { method: 'DELETE' }],
    ['/m', '307 /any', { method: 'OPTIONS' }],
    ['/h', '404'],
    ['/h', '307 /head', { method: 'HEAD' }],
  ],
);

const to = (place: string): Pick<Route, 'destination' | 'redirect'> => ({
  destination: place,
  redirect: true,
});
table(
  'conditions',
  empty,
  [
    { source: '/host', ...to('/b'), has: [{ type: 'host', value: 'b.example.com' }] },
    { source: '/host', ...to('/sub-$sub'), has: [{ type: 'host', value: '(?<sub>[a-z]+)\\.example\\.org' }] },
    { source: '/header', ...to('/exact'), has: [{ type: 'header', key: 'X-Kind', value: 'one' }] },
    { source: '/header', ...to('/$v'), has: [{ type: 'header', key: 'x-kind', value: 'v-(?<v>\\d+)' }] },
    { source: '/header', ...to('/present'), has: [{ type: 'header', key: 'x-kind' }] },
    {
      source: '/cookie',
      ...to('/in'),
      has: [{ type: 'cookie', key: 'session' }],
      missing: [{ type: 'cookie', key: 'out' }],
    },
    { source: '/cookie', ...to('/theme'), has: [{ type: 'cookie', key: 'theme', value: 'dark|dim' }] },
    { source: '/query', ...to('/q-$q'), has: [{ type: 'query', key: 'q', value: '(?<q>.+)' }] },
    { source: '/query', ...to('/flag'), has: [{ type: 'query', key: 'flag' }] },
    {
      source: '/both',
      ...to('/yes'),
      has: [
        { type: 'query', key: 'a', value: '1' },
        { type: 'query', key: 'b', value: '2' },
      ],
    },
    { source: '/no', ...to('/without'), missing: [{ type: 'query', key: 'a', value: '1' }] },
  ],
  [
    ['/host', '307 /b', { host: 'b.example.com' }],
    ['/host', '307 /b', { host: 'B.Example.COM:8080' }],
    ['/host', '307 /sub-x', { host: 'x.example.org' }],
    ['/host', '404', { host: 'x.y.example.org' }],
    ['/host', '404', { host: 'b.example.com.evil.example' }],
    ['/header', '307 /exact', { headers: { 'x-kind': 'one' } }],
    ['/header', '307 /present', { headers: { 'x-kind': 'one two' } }],
    ['/header', '307 /7', { headers: { 'x-kind': 'v-7' } }],
    ['/header', '307 /present', { headers: { 'x-kind': '' } }],
    ['/header', '404'],
    ['/cookie', '307 /in', { headers: { cookie: 'a=b; session=1' } }],
    ['/cookie', '404', { headers: { cookie: 'session=1; out=1' } }],
    ['/cookie', '307 /theme', { headers: { cookie: 'theme=dim' } }],
    ['/cookie', '404', { headers: { cookie: 'theme=darker' } }],
    ['/cookie', '404', { headers: { cookie: 'xsession=1' } }],
    ['/query?q=a', '307 /q-a?q=a'],
    ['/query?q=a&q=b', '307 /q-a?q=a&q=b'],
    ['/query?q=a%2Fb', '307 /q-a/b?q=a%2Fb'],
    ['/query?flag', '307 /flag?flag'],
    ['/query?flag=', '307 /flag?flag='],
    ['/query', '404'],
    ['/both?a=1&b=2', '307 /yes?a=1&b=2'],
    ['/both?a=1', '404'],
    ['/no', '307 /without'],
    ['/no?a=2', '307 /without?a=2'],
    ['/no?a=1', '404'],
  ],
);

const refused: [name: string, route: Route, problem: RegExp][] = [
  [
    'a source without a slash',
    { source: 'a', destination: '/b' },
    /routes\[0\]\.source must begin with "\/"/,
  ],
  ['an open group', { source: '/(a', destination: '/b' }, /source has a "\(" without its "\)"/],
  ['a look-around', { source: '/(?!a)(.*)', destination: '/b' }, /source is not a valid RE2 expression/],
  ['a back-reference', { source: '/(a)(\\1)', destination: '/b' }, /not a valid RE2 expression/],
  ['a name twice', { source: '/:a/:a', destination: '/b' }, /names "a" twice/],
  ['no destination', { source: '/a' }, /destination is missing/],
  ['a placeholder as server', { source: '/:h', destination: 'https://$h/x' }, /without placeholders/],
  ['a user in the address', { source: '/', destination: 'https://u:p@example.com/' }, /no user or password/],
  ['another protocol', { source: '/', destination: 'ftp://example.com/' }, /must be a path/],
  ['javascript:', { source: '/', destination: 'javascript:alert(1)', redirect: true }, /must be a path/],
  ['a status of 100', { source: '/', destination: '/b', statusCode: 100 }, /from 200 to 599/],
  ['a redirect with 200', { source: '/', destination: '/b', redirect: true, statusCode: 200 }, /one of 301/],
  ['a method that is none', { source: '/', destination: '/b', methods: ['get'] }, /names "get"/],
  [
    'a framing header',
    { source: '/', destination: '/b', headers: { 'Content-Length': '1' } },
    /only the server/,
  ],
  ['a line break', { source: '/', destination: '/b', headers: { 'x-a': 'b\r\nc: d' } }, /line break/],
  ['a header name', { source: '/', destination: '/b', headers: { 'x a': 'b' } }, /no name of a header/],
  ['a long source', { source: `/${'a'.repeat(4096)}`, destination: '/b' }, /longer than 4096/],
  [
    '17 conditions',
    { source: '/', destination: '/b', has: Array(17).fill({ type: 'query', key: 'a' }) },
    /more than 16/,
  ],
  [
    'a condition that backtracks',
    { source: '/', destination: '/b', has: [{ type: 'query', key: 'a', value: '(?=b)' }] },
    /has\[0\] is not a valid RE2 expression/,
  ],
];

describe('rules that are refused', () => {
  for (const [name, route, problem] of refused)
    test(name, () =>
      assert.throws(() => compileRoutes([route]), { name: RouteError.name, message: problem }),
    );

  test('more than 1 024', () => {
    const routes = Array(1025).fill({ source: '/', destination: '/b' });
    assert.throws(() => compileRoutes(routes), /1025 rules, and 1024 is the limit/);
  });
});

test('hostile patterns and paths take linear time', () => {
  const hostile: Route[] = [
    { source: '/(a+)+b', ...to('/x') },
    { source: '/(a|a)*c', ...to('/x') },
    { source: '/:a:b:c:d/*', ...to('/x') },
    { source: '/*x*x*x*x*y', ...to('/x') },
    { source: '/(.*)(.*)(.*)(.*)z', ...to('/x') },
    { source: '/q', ...to('/x'), has: [{ type: 'query', key: 'q', value: '(x+x+)+y' }] },
  ];
  const compiled = routeTable(compileRoutes(hostile));
  const time = (path: string, query = '') => {
    const request: RouteRequest = { method: 'GET', path, query, host: 'a', header: () => undefined };
    const start = process.cpuUsage();
    decide(compiled, empty, request);
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1000;
  };
  time('/warm');
  for (const text of ['a', 'x', 'ax', 'aaaaab'])
    assert.ok(time(`/${text.repeat(8000 / text.length)}`) < 500, text);
  assert.ok(time('/q', `q=${'x'.repeat(8000)}`) < 500);
});
