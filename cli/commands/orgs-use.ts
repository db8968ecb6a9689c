import { organization } from '../core/choose.ts';
import { wrongUsage } from '../core/failure.ts';
import type { Run } from '../core/run.ts';
import type { orgsUse } from '../descriptions/account.ts';

export const run: Run<typeof orgsUse> = async (context, { arguments: { org } }) => {
  const { out } = context;
  const chosen = await organization(context, org);
  const { profile } = await context.connection();
  const { profiles } = await context.profiles.all();
  const known = profile === undefined ? undefined : profiles.get(profile);
  if (profile === undefined || !known)
    throw wrongUsage(
      'The credentials come from the environment, which has no profile.',
      'Set MAINSTAY_ORGANIZATION_ID instead.',
    );
  await context.profiles.set(profile, { ...known, organizationId: chosen.id });
  out.result(chosen, () =>
    out.success(`${out.notePaint.bold(chosen.name)} is now the default organization.`),
  );
};
