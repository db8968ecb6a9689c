import { Failure } from '../core/failure.ts';
import type { Run } from '../core/run.ts';
import type { profilesUse } from '../descriptions/account.ts';

export const run: Run<typeof profilesUse> = async ({ profiles, out }, { arguments: { name } }) => {
  const { profiles: known } = await profiles.all();
  const profile = known.get(name);
  if (!profile)
    throw new Failure(`There is no profile "${name}".`, {
      exit: 'notFound',
      next: '`mainstay profiles` lists them.',
    });
  await profiles.use(name);
  out.result({ name, ...profile }, () => out.success(`Commands now use ${profile.url}.`));
};
