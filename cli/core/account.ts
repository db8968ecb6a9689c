import { applicationId, organization } from './choose.ts';
import type { Context } from './context.ts';
import { claimsOf } from './session.ts';

/** Who pays for models: what is named or linked, else an organization of the user. Keys have an account of their own. */
export async function accountOf(
  context: Context,
  options: { app: string | undefined; org: string | undefined },
): Promise<{ applicationId?: string; organizationId?: string }> {
  if (options.app !== undefined) return { applicationId: await applicationId(context, options.app) };
  if (options.org !== undefined) return { organizationId: (await organization(context, options.org)).id };
  const { tokens } = await context.connection();
  if (claimsOf(await tokens()).actor_type !== 'user') return {};
  const linked = (await context.linked())?.link.applicationId;
  if (linked !== undefined) return { applicationId: linked };
  return { organizationId: (await organization(context, undefined)).id };
}
