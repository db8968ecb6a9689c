import { readFile } from 'node:fs/promises';
import type { Client } from '@mainstay/sdk';
import { applicationId, organization } from '../core/choose.ts';
import type { Context } from '../core/context.ts';
import { wrongUsage } from '../core/failure.ts';
import type { Run } from '../core/run.ts';
import { readAll } from '../core/stdin.ts';
import type { api } from '../descriptions/api.ts';

const methods = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD']);

export const run: Run<typeof api> = async (context, { arguments: given, options }) => {
  const { out } = context;
  const isMethod = methods.has((given.method ?? '').toUpperCase());
  const place = isMethod ? given.path : given.method;
  if (!place)
    throw wrongUsage('The path of the endpoint is missing.', 'Example: mainstay api GET /organizations');
  const fields = await fieldsOf(options.field, options['raw-field']);
  const hasBody = options.input !== undefined || Object.keys(fields).length > 0;
  const method = isMethod ? (given.method as string).toUpperCase() : hasBody ? 'POST' : 'GET';
  const client = await context.client();
  const headers = headersOf(options.header);
  const path = withFields(await filled(context, place), method === 'GET' ? fields : {});
  if (options.paginate) {
    const items = await everyPage(client, path, headers);
    return out.line(JSON.stringify(items, null, out.isTerminal ? 2 : undefined));
  }
  const body = await bodyOf(options.input, method === 'GET' ? {} : fields);
  const type =
    body === undefined || hasHeader(headers, 'content-type') ? {} : { 'content-type': 'application/json' };
  const response = await client.request(method, path, {
    headers: { ...type, ...headers },
    body,
    signal: context.signal,
  });
  if (options.include) {
    out.line(`${response.status} ${response.statusText}`.trim());
    for (const [name, value] of response.headers) out.line(`${name}: ${value}`);
    out.line();
  }
  await print(context, response);
};

async function print({ out }: Context, response: Response): Promise<void> {
  const type = response.headers.get('content-type') ?? '';
  if (/[/+]json\b/.test(type)) {
    const text = await response.text();
    if (text !== '') out.line(out.isTerminal ? JSON.stringify(JSON.parse(text), null, 2) : text);
    return;
  }
  if (!response.body) return;
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) out.raw(chunk);
}

/** `{app}` and `{org}` stand for what is linked. */
async function filled(context: Context, path: string): Promise<string> {
  let whole = path;
  if (whole.includes('{app}')) whole = whole.replaceAll('{app}', await applicationId(context, undefined));
  if (whole.includes('{org}')) whole = whole.replaceAll('{org}', (await organization(context, undefined)).id);
  return whole;
}

async function fieldsOf(typed: readonly string[], raw: readonly string[]): Promise<Record<string, unknown>> {
  const fields: Record<string, unknown> = {};
  for (const [texts, isRaw] of [
    [typed, false],
    [raw, true],
  ] as const)
    for (const text of texts) {
      const at = text.indexOf('=');
      if (at < 1) throw wrongUsage(`"${text}" is not a valid field.`, 'Write NAME=VALUE.');
      const value = text.slice(at + 1);
      fields[text.slice(0, at)] = isRaw ? value : await typedValue(value);
    }
  return fields;
}

async function typedValue(text: string): Promise<unknown> {
  if (text.startsWith('@')) return text === '@-' ? readAll(process.stdin) : readFile(text.slice(1), 'utf8');
  if (/^(true|false|null|-?\d+(\.\d+)?)$/.test(text)) return JSON.parse(text);
  if (/^[[{]/.test(text)) {
    try {
      return JSON.parse(text);
    } catch {
      return text;
    }
  }
  return text;
}

function headersOf(lines: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    lines.map((line) => {
      const at = line.indexOf(':');
      if (at < 1) throw wrongUsage(`"${line}" is not a valid header.`, 'Write "NAME: VALUE".');
      return [line.slice(0, at).trim(), line.slice(at + 1).trim()];
    }),
  );
}

function hasHeader(headers: Record<string, string>, name: string): boolean {
  return Object.keys(headers).some((one) => one.toLowerCase() === name);
}

async function bodyOf(
  input: string | undefined,
  fields: Record<string, unknown>,
): Promise<string | Blob | undefined> {
  if (input === '-') return readAll(process.stdin);
  if (input !== undefined) return new Blob([await readFile(input)]);
  return Object.keys(fields).length > 0 ? JSON.stringify(fields) : undefined;
}

function withFields(path: string, fields: Record<string, unknown>): string {
  const query = new URLSearchParams(Object.entries(fields).map(([name, value]) => [name, String(value)]));
  const text = query.toString();
  return text === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${text}`;
}

async function everyPage(client: Client, path: string, headers: Record<string, string>): Promise<unknown[]> {
  const all: unknown[] = [];
  for (let cursor: string | undefined; ; ) {
    const at = cursor === undefined ? path : withFields(path, { cursor });
    const response = await client.request('GET', at, { headers });
    const page = (await response.json()) as { items?: unknown[]; nextCursor?: string };
    if (!Array.isArray(page.items)) throw wrongUsage(`${path} does not return a list.`, 'Remove --paginate.');
    all.push(...page.items);
    cursor = page.nextCursor;
    if (cursor === undefined) return all;
  }
}
