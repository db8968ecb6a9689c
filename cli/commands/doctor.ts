import { stat } from 'node:fs/promises';
import { createClient } from '@mainstay/sdk';
import type { Context } from '../core/context.ts';
import { explain } from '../core/explain.ts';
import { systemKeychain } from '../core/keychain.ts';
import { configFolder } from '../core/places.ts';
import { useProxy } from '../core/proxy.ts';
import type { Run } from '../core/run.ts';
import { claimsOf } from '../core/session.ts';
import { duration } from '../core/text.ts';
import type { doctor } from '../descriptions/more.ts';

interface Check {
  name: string;
  ok: boolean;
  detail: string;
}

const slowMilliseconds = 2000;
const skewMilliseconds = 30_000;

export const run: Run<typeof doctor> = async (context) => {
  const { out } = context;
  const found: Check[] = [];
  for (const check of [runtime, files, connection, clock, credentials, linked]) {
    try {
      found.push(await check(context));
    } catch (error) {
      const { message, next } = explain(error, context.url);
      found.push({ name: check.name, ok: false, detail: [message, next].filter(Boolean).join(' ') });
    }
  }
  const { green, red } = out.paint;
  out.result(found, () => {
    for (const { name, ok, detail } of found)
      out.line(`${ok ? green('✓') : red('✗')} ${name.padEnd(12)} ${detail}`);
  });
  return found.every(({ ok }) => ok) ? 0 : 1;
};

async function runtime(): Promise<Check> {
  const bun = process.versions['bun'];
  const [major = 0] = process.versions.node.split('.').map(Number);
  const detail = bun ? `Bun ${bun}` : `Node ${process.versions.node}`;
  return {
    name: 'runtime',
    ok: bun !== undefined || major >= 20,
    detail: `${detail}, ${process.platform} ${process.arch}`,
  };
}

async function files({ env, credentials: { file } }: Context): Promise<Check> {
  const name = 'files';
  const stats = await stat(file).catch(() => null);
  const place = systemKeychain(env)?.name ?? configFolder(env);
  if (stats && process.platform !== 'win32' && (stats.mode & 0o077) !== 0)
    return { name, ok: false, detail: `${file} can be read by others: chmod 600 it.` };
  return { name, ok: true, detail: `credentials are kept in ${place}` };
}

async function connection(context: Context): Promise<Check> {
  const { url } = await context.connection();
  await useProxy(context.env);
  const startedAt = Date.now();
  await createClient({ baseUrl: url, token: '' }).request('GET', '/healthz', { retries: 0 });
  const took = Date.now() - startedAt;
  return { name: 'connection', ok: took < slowMilliseconds, detail: `${url} answers in ${duration(took)}` };
}

async function clock(context: Context): Promise<Check> {
  const { url } = await context.connection();
  const response = await createClient({ baseUrl: url, token: '' }).request('GET', '/healthz');
  const date = Date.parse(response.headers.get('date') ?? '');
  const skew = Number.isNaN(date) ? 0 : Math.abs(Date.now() - date);
  const ok = skew < skewMilliseconds;
  return {
    name: 'clock',
    ok,
    detail: ok ? 'is in sync with the instance' : `is off by ${duration(skew)}: set it`,
  };
}

async function credentials(context: Context): Promise<Check> {
  const client = await context.client();
  const { tokens } = await context.connection();
  await client.organizations.list({ limit: 1 });
  const { actor_type: type, sub, scope = '' } = claimsOf(await tokens());
  return { name: 'credentials', ok: true, detail: `${type} ${sub}, ${scope.split(' ').length} scopes` };
}

async function linked(context: Context): Promise<Check> {
  const name = 'link';
  const found = await context.linked();
  if (!found) return { name, ok: true, detail: 'this folder is not linked' };
  const client = await context.client();
  const app = await client.applications.get(found.link.applicationId);
  return { name, ok: true, detail: `${found.folder} is linked to ${app.name}` };
}
