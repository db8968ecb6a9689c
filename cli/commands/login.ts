import {
  ApiError,
  createClient,
  type DeviceAuthorization,
  startDeviceAuthorization,
  waitForDevice,
} from '@mainstay/sdk';
import { openBrowser } from '../core/browser.ts';
import { type Context, trimmed } from '../core/context.ts';
import type { AccessToken, Credential } from '../core/credentials.ts';
import { Failure, wrongUsage } from '../core/failure.ts';
import { useProxy } from '../core/proxy.ts';
import type { Run } from '../core/run.ts';
import { accessOf, claimsOf, clientId, credentialOf, tokensOf } from '../core/session.ts';
import { readAll } from '../core/stdin.ts';
import type { login } from '../descriptions/account.ts';

export const run: Run<typeof login> = async (context, { arguments: { address }, options }) => {
  const { out, env, globals } = context;
  const url = await addressOf(context, address);
  context.url = url;
  await useProxy(env);
  const { credential, access } = await prove(context, url, options);
  const account = await nameOf(url, credential, access);
  const profile = await profileName(context, url);
  const place = await context.credentials.set(profile, credential, access);
  await context.profiles.set(profile, { url, account });
  out.result({ profile, url, account, storedIn: place }, () => {
    out.success(`Signed in to ${url} as ${out.notePaint.bold(account)}.`);
    out.note(out.notePaint.dim(`  Credentials are kept in ${place}.`));
    if (globals.profile === undefined && profile !== 'default')
      out.note(
        out.notePaint.dim(`  The profile is named "${profile}"; select it with --profile ${profile}.`),
      );
  });
};

async function addressOf(context: Context, given: string | undefined): Promise<string> {
  const { env, globals } = context;
  const { current, profiles } = await context.profiles.all();
  const named = globals.profile ?? env['MAINSTAY_PROFILE'];
  const linked = (await context.linked())?.link.url;
  const known =
    given ??
    globals.url ??
    env['MAINSTAY_API_BASE_URL'] ??
    (named === undefined ? (linked ?? profiles.get(current ?? '')?.url) : profiles.get(named)?.url);
  const url = trimmed(known);
  if (url) return url;
  if (!context.canAsk)
    throw wrongUsage(
      'The address of the instance is missing.',
      'Run `mainstay login https://mainstay.example.com`.',
    );
  const { ask } = await context.prompts();
  return trimmed(await ask('Address of the instance', 'http://localhost:4000')) as string;
}

async function prove(
  context: Context,
  url: string,
  options: { key: string | undefined; 'no-browser': boolean },
): Promise<{ credential: Credential; access?: AccessToken }> {
  if (options.key !== undefined) {
    const secret = context.canAsk
      ? await (await context.prompts()).askSecret(`Secret of ${options.key}`)
      : (await readAll(process.stdin)).trim();
    return { credential: { kind: 'key', clientId: options.key, clientSecret: secret } };
  }
  const { token } = context.globals;
  if (token !== undefined)
    return { credential: credentialOf(token === '-' ? (await readAll(process.stdin)).trim() : token) };
  return approve(context, url, options);
}

/** The device grant: what is shown here is approved in a browser. */
async function approve(
  context: Context,
  url: string,
  options: { 'no-browser': boolean },
): Promise<{ credential: Credential; access: AccessToken }> {
  const { out, signal, env } = context;
  const app = { baseUrl: url, clientId };
  const started = await startDeviceAuthorization(app, await scopesOf(url), { signal });
  await show(context, started, !options['no-browser'] && context.canAsk ? env : undefined);
  const progress = context.progress('Waiting for your approval in the browser');
  try {
    const token = await waitForDevice(app, started, { signal });
    if (!token.refresh_token) throw new Failure('The instance did not return a refresh token.');
    return { credential: { kind: 'grant', refreshToken: token.refresh_token }, access: accessOf(token) };
  } catch (error) {
    const code = error instanceof ApiError ? error.code : undefined;
    if (code === 'access_denied')
      throw new Failure('The sign-in was denied in the browser.', { exit: 'notAllowed', cause: error });
    if (code === 'expired_token')
      throw new Failure('The code was not approved in time.', {
        next: 'Run `mainstay login` again.',
        cause: error,
      });
    throw error;
  } finally {
    progress.end();
    out.note('');
  }
}

async function show(
  { out }: Context,
  started: DeviceAuthorization,
  env: Context['env'] | undefined,
): Promise<void> {
  const { bold, cyan } = out.notePaint;
  const address = started.verification_uri_complete;
  if (out.isJson)
    process.stderr.write(`${JSON.stringify({ userCode: started.user_code, verificationUri: address })}\n`);
  out.note(`Your code: ${bold(started.user_code)}`);
  const opened = env !== undefined && (await openBrowser(address, env));
  out.note(
    opened
      ? `Approve it in the browser window that opened: ${cyan(address)}`
      : `Approve it at ${cyan(address)}`,
  );
}

/** Everything that the command line may ask this instance for: a later version may know more. */
async function scopesOf(url: string): Promise<string[]> {
  const response = await createClient({ baseUrl: url, token: '' }).request(
    'GET',
    '/idp/.well-known/openid-configuration',
  );
  const type = response.headers.get('content-type') ?? '';
  const found = type.includes('json') ? ((await response.json()) as { scopes_supported?: string[] }) : {};
  if (!found.scopes_supported)
    throw new Failure(`${url} is not a Mainstay instance: it has no OAuth endpoints.`, {
      next: 'Check the address.',
    });
  return found.scopes_supported;
}

async function nameOf(url: string, credential: Credential, access: AccessToken | undefined): Promise<string> {
  const token = access?.token ?? (await tokensOf(url, credential as never)());
  const claims = claimsOf(token);
  const client = createClient({ baseUrl: url, token });
  if (claims.actor_type === 'user') {
    const response = await client.request('GET', '/idp/oauth2/userinfo');
    const { email, name } = (await response.json()) as { email?: string; name?: string };
    return email ?? name ?? claims.sub ?? 'a user';
  }
  // A key was exchanged just now; a token that was given is tried where every actor may look.
  if (credential.kind === 'token') await client.organizations.list({ limit: 1 });
  return `${claims.actor_type ?? 'token'} ${claims.sub ?? ''}`.trim();
}

/** The one that was named, the one for this address, or a new one. */
async function profileName({ globals, env, profiles }: Context, url: string): Promise<string> {
  const named = globals.profile ?? env['MAINSTAY_PROFILE'];
  if (named !== undefined) return named;
  const { profiles: known } = await profiles.all();
  for (const [name, profile] of known) if (profile.url === url) return name;
  return known.has('default') ? new URL(url).host : 'default';
}
