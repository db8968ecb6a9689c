import { openBrowser } from '../core/browser.ts';
import { applicationId } from '../core/choose.ts';
import type { Run } from '../core/run.ts';
import type { appsOpen } from '../descriptions/apps.ts';

export const run: Run<typeof appsOpen> = async (context, { options }) => {
  const { out, env } = context;
  const client = await context.client();
  const app = await client.applications.get(await applicationId(context, options.app));
  const organization = await client.organizations.get(app.organizationId);
  const { url } = await context.connection();
  const address = `${url}/o/${organization.slug}/apps/${app.id}`;
  if (out.isJson || options.print || !(await openBrowser(address, env)))
    out.result({ url: address }, () => out.line(address));
  else out.success(`Opened ${address}`);
};
