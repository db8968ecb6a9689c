import path from 'node:path';
import { organization } from '../core/choose.ts';
import { collect } from '../core/collect.ts';
import type { Context } from '../core/context.ts';
import { Failure, wrongUsage } from '../core/failure.ts';
import { writeLink } from '../core/project.ts';
import type { Run } from '../core/run.ts';
import type { link } from '../descriptions/apps.ts';

const created = Symbol('created');

export const run: Run<typeof link> = async (context, { options }) => {
  const { out } = context;
  const chosen = await choose(context, options);
  out.result(chosen, () => {
    out.success(`${context.cwd} is linked to ${out.notePaint.bold(chosen.name)}.`);
    out.note('  Run `mainstay deploy` to deploy it.');
  });
};

/** Links this folder, and says to what. */
async function choose(
  context: Context,
  options: { app: string | undefined; org: string | undefined; create: boolean },
): Promise<{ applicationId: string; organizationId: string; name: string }> {
  const client = await context.client();
  const { url } = await context.connection();
  const { id: organizationId } = await organization(context, options.org);
  const apps = await collect(client.applications.list({ organizationId, limit: 100 }));
  const folderName = path.basename(context.cwd) || 'app';
  const make = async (name: string) => client.applications.create({ organizationId, name });
  let app: { id: string; name: string };
  if (options.app !== undefined) {
    const wanted = options.app.toLowerCase();
    const found = apps.filter(({ id, name }) => id === wanted || name.toLowerCase() === wanted);
    if (found.length > 1) throw wrongUsage(`Several applications are named "${options.app}".`, 'Use the id.');
    const [one] = found;
    if (one) app = one;
    else if (options.create) app = await make(options.app);
    else
      throw new Failure(`There is no application "${options.app}" in this organization.`, {
        exit: 'notFound',
        next: 'Add --create to create it; `mainstay apps` lists all.',
      });
  } else if (options.create) app = await make(folderName);
  else {
    if (!context.canAsk)
      throw wrongUsage('Which application?', 'Use --app <name>; add --create to create it.');
    const { select, ask } = await context.prompts();
    const picked = await select<{ id: string; name: string } | typeof created>('Link this folder to', [
      ...apps.map((one) => ({ label: one.name, hint: one.id, value: one })),
      { label: 'A new application', value: created },
    ]);
    app = picked === created ? await make(await ask('Name of the application', folderName)) : picked;
  }
  await writeLink(context.cwd, { applicationId: app.id, organizationId, url });
  return { applicationId: app.id, organizationId, name: app.name };
}
