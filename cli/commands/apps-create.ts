import { organization } from '../core/choose.ts';
import { writeLink } from '../core/project.ts';
import type { Run } from '../core/run.ts';
import type { appsCreate } from '../descriptions/apps.ts';

export const run: Run<typeof appsCreate> = async (context, { arguments: { name }, options }) => {
  const { out } = context;
  const client = await context.client();
  const { id: organizationId } = await organization(context, options.org);
  const made = await client.applications.create({
    organizationId,
    name,
    ...(options.slug === undefined ? {} : { slug: options.slug }),
    ...(options.root === undefined ? {} : { rootDirectory: options.root }),
  });
  const { url } = await context.connection();
  if (options.link) await writeLink(context.cwd, { applicationId: made.id, organizationId, url });
  out.result(made, () => {
    out.success(`Application ${out.notePaint.bold(made.name)} created: ${made.id}`);
    out.note(
      options.link
        ? '  This folder is linked to it. Run `mainstay deploy`.'
        : '  Run `mainstay link` to deploy a folder to it.',
    );
  });
};
