import type { Run } from '../core/run.ts';
import type { orgsCreate } from '../descriptions/account.ts';

export const run: Run<typeof orgsCreate> = async (context, { arguments: { name }, options: { slug } }) => {
  const { out } = context;
  const client = await context.client();
  const made = await client.organizations.create({ name, ...(slug === undefined ? {} : { slug }) });
  out.result(made, () =>
    out.success(`Organization ${out.notePaint.bold(made.name)} (${made.slug}) created.`),
  );
};
