import { openBrowser } from '../core/browser.ts';
import { applicationId } from '../core/choose.ts';
import { collect } from '../core/collect.ts';
import { Failure } from '../core/failure.ts';
import type { Run } from '../core/run.ts';
import type { open } from '../descriptions/deploy.ts';
import { run as openDashboard } from './apps-open.ts';

export const run: Run<typeof open> = async (context, { options }) => {
  if (options.dashboard) return openDashboard(context, { arguments: {}, options });
  const { out, env } = context;
  const client = await context.client();
  const found = await collect(client.hostnames.list(await applicationId(context, options.app)));
  const order = (one: (typeof found)[number]) => (one.source === 'user' ? 0 : one.type === 'APP' ? 1 : 2);
  const [first] = found.filter(({ active }) => active).sort((a, b) => order(a) - order(b));
  if (!first)
    throw new Failure('The application has no live deployment yet.', {
      exit: 'notFound',
      next: 'Run `mainstay deploy --prod`.',
    });
  const { url } = await context.connection();
  const address = `${new URL(url).protocol}//${first.hostname}`;
  if (out.isJson || options.print || !(await openBrowser(address, env)))
    out.result({ url: address }, () => out.line(address));
  else out.success(`Opened ${address}`);
};
