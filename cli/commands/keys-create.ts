import type { Client } from '@mainstay/sdk';
import { applicationId, organization } from '../core/choose.ts';
import type { Run } from '../core/run.ts';
import { secondsOf } from '../core/time.ts';
import type { keysCreate } from '../descriptions/more.ts';

type NewKey = Parameters<Client['apiKeys']['create']>[0];

export const run: Run<typeof keysCreate> = async (context, { arguments: { name }, options }) => {
  const { out } = context;
  const client = await context.client();
  const { app, org, scope, expires } = options;
  const key = await client.apiKeys.create({
    name,
    ...(app === undefined ? {} : { applicationId: await applicationId(context, app) }),
    ...(app !== undefined || org === undefined
      ? {}
      : { organizationId: (await organization(context, org)).id }),
    ...(scope.length === 0 ? {} : { scopes: scope as NonNullable<NewKey['scopes']> }),
    ...(expires === undefined ? {} : { expiresAt: expires === 'never' ? null : timeIn(expires) }),
  });
  out.result(key, () => {
    out.success(`Key ${key.name} created. Its secret is not shown again:`);
    out.line(`MAINSTAY_CLIENT_ID=${key.id}`);
    out.line(`MAINSTAY_CLIENT_SECRET=${key.secret}`);
  });
};

function timeIn(text: string): string {
  return new Date(Date.now() + secondsOf(text) * 1000).toISOString();
}
