import type { Run } from '../core/run.ts';
import { claimsOf } from '../core/session.ts';
import type { whoami } from '../descriptions/account.ts';

export const run: Run<typeof whoami> = async (context) => {
  const { out } = context;
  const client = await context.client();
  const { url, tokens, profile } = await context.connection();
  const before = claimsOf(await tokens());
  const isUser = before.actor_type === 'user';
  const user = isUser
    ? ((await (await client.request('GET', '/idp/oauth2/userinfo')).json()) as {
        sub: string;
        email?: string;
        name?: string;
      })
    : undefined;
  // The answer proves that the instance still accepts the credentials.
  if (!isUser) await client.organizations.list({ limit: 1 });
  const claims = claimsOf(await tokens());
  const answer = {
    url,
    profile: profile ?? null,
    actor: { type: claims.actor_type ?? null, id: claims.sub ?? null },
    email: user?.email ?? null,
    name: user?.name ?? null,
    organizationId: claims.organization_id ?? null,
    applicationId: claims.application_id ?? null,
    scopes: claims.scope?.split(' ') ?? [],
  };
  out.result(answer, () => {
    out.fields([
      ['Account', answer.email ?? `${answer.actor.type} ${answer.actor.id}`],
      ['Name', answer.name],
      ['Instance', url],
      ['Profile', profile ?? 'none: credentials of the environment'],
      ['Organization', answer.organizationId],
      ['Application', answer.applicationId],
    ]);
  });
};
