import { revokeGrant } from '@mainstay/sdk';
import type { Context } from '../core/context.ts';
import { Failure } from '../core/failure.ts';
import { useProxy } from '../core/proxy.ts';
import type { Run } from '../core/run.ts';
import { clientId } from '../core/session.ts';
import type { logout } from '../descriptions/account.ts';

export const run: Run<typeof logout> = async (context, { options }) => {
  const { out } = context;
  const { current, profiles } = await context.profiles.all();
  const named = context.globals.profile ?? context.env['MAINSTAY_PROFILE'] ?? current;
  const names = options.all
    ? [...profiles.keys()]
    : named !== undefined && profiles.has(named)
      ? [named]
      : [];
  if (names.length === 0)
    throw new Failure('You are not signed in.', {
      exit: 'notSignedIn',
      next: '`mainstay profiles` lists your profiles.',
    });
  await useProxy(context.env);
  for (const name of names) await signOut(context, name, profiles.get(name)?.url ?? '');
  out.result({ signedOut: names }, () => {
    for (const name of names) out.success(`Signed out of ${profiles.get(name)?.url}.`);
  });
};

async function signOut(
  { credentials, profiles, out, signal }: Context,
  name: string,
  url: string,
): Promise<void> {
  const { credential } = await credentials.get(name);
  if (credential?.kind === 'grant')
    await revokeGrant({ baseUrl: url, clientId }, credential.refreshToken, { signal }).catch((error: Error) =>
      out.warn(
        `${url} could not be reached to revoke the access: ${error.message} Revoke it in the dashboard, under Account.`,
      ),
    );
  await credentials.delete(name);
  await profiles.delete(name);
}
