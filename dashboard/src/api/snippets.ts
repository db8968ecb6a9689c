/** An operation of the API as an action of a page sends it. */
export interface ApiCall {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With its query. */
  path: string;
  body?: unknown;
  /** The call by `@mainstay/sdk`, where it reads better than fetch: `mainstay.members.list('…')`. */
  sdk?: string;
  /** The command that does the same, where there is one: `mainstay env pull`. */
  cli?: string;
}

export interface Snippet {
  language: string;
  code: string;
}

/** The same call in every language that we document. The token is `MAINSTAY_TOKEN`, one of /oauth2/token. */
export function snippetsOf(call: ApiCall): Snippet[] {
  return [
    { language: 'curl', code: curlOf(call) },
    { language: 'TypeScript', code: call.sdk === undefined ? fetchOf(call) : sdkOf(call.sdk) },
    { language: 'Python', code: pythonOf(call) },
    ...(call.cli === undefined ? [] : [{ language: 'CLI', code: call.cli }]),
  ];
}

export function curlOf({ method, path, body }: ApiCall): string {
  const lines = [`curl ${quoted(location.origin + path)}`, '-H "Authorization: Bearer $MAINSTAY_TOKEN"'];
  if (method !== 'GET' && !(method === 'POST' && body !== undefined)) lines.splice(1, 0, `-X ${method}`);
  if (body !== undefined)
    lines.push("-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(body))}`);
  return lines.join(' \\\n  ');
}

function fetchOf({ method, path, body }: ApiCall): string {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is code to be copied.
  const headers = ['authorization: `Bearer ${process.env.MAINSTAY_TOKEN}`'];
  if (body !== undefined) headers.push("'content-type': 'application/json'");
  return [
    `const response = await fetch(${JSON.stringify(location.origin + path)}, {`,
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    `  headers: { ${headers.join(', ')} },`,
    ...(body === undefined ? [] : [`  body: JSON.stringify(${indented(JSON.stringify(body, null, 2), 2)}),`]),
    '});',
    'if (!response.ok) throw new Error((await response.json()).error);',
    ...(method === 'DELETE' ? [] : ['console.log(await response.json());']),
  ].join('\n');
}

function sdkOf(call: string): string {
  return [
    "import { createClient } from '@mainstay/sdk';",
    '',
    'const mainstay = createClient({',
    `  baseUrl: ${JSON.stringify(location.origin)},`,
    '  token: process.env.MAINSTAY_TOKEN,',
    '});',
    `console.log(await ${call});`,
  ].join('\n');
}

function pythonOf({ method, path, body }: ApiCall): string {
  return [
    'import os, requests',
    '',
    `response = requests.${method.toLowerCase()}(`,
    `    ${JSON.stringify(location.origin + path)},`,
    '    headers={"Authorization": f"Bearer {os.environ[\'MAINSTAY_TOKEN\']}"},',
    ...(body === undefined ? [] : [`    json=${indented(pythonValue(body), 4)},`]),
    ')',
    'response.raise_for_status()',
    ...(method === 'DELETE' ? [] : ['print(response.json())']),
  ].join('\n');
}

/** JSON as Python writes it. */
function pythonValue(value: unknown, indent = ''): string {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value !== 'object') return JSON.stringify(value);
  const inner = `${indent}    `;
  const [open, close, lines] = Array.isArray(value)
    ? ['[', ']', value.map((one) => pythonValue(one, inner))]
    : [
        '{',
        '}',
        Object.entries(value)
          .filter(([, one]) => one !== undefined)
          .map(([name, one]) => `${JSON.stringify(name)}: ${pythonValue(one, inner)}`),
      ];
  if (lines.length === 0) return open + close;
  return `${open}\n${lines.map((line) => `${inner}${line},`).join('\n')}\n${indent}${close}`;
}

function indented(text: string, by: number): string {
  return text.replaceAll('\n', `\n${' '.repeat(by)}`);
}

/** curl for a token of a key. */
export function tokenCurl({ id, secret }: { id: string; secret: string }): string {
  return [
    `curl ${quoted(`${location.origin}/oauth2/token`)}`,
    `-u ${quoted(`${id}:${secret}`)}`,
    '-d grant_type=client_credentials',
  ].join(' \\\n  ');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
