import { applicationId } from '../core/choose.ts';
import { collect } from '../core/collect.ts';
import type { Run } from '../core/run.ts';
import type { envList } from '../descriptions/env.ts';

export const run: Run<typeof envList> = async (context, { options }) => {
  const { out } = context;
  const client = await context.client();
  const app = await applicationId(context, options.app);
  const shown = (value: string | null, isSensitive: boolean) =>
    isSensitive ? '(sensitive)' : options.values ? value : '••••••••';
  if (options.env !== undefined) {
    const { items } = await client.applicationEnvVars.resolved(app, { environment: options.env });
    return out.result(items, () => {
      if (items.length === 0) return out.note('There is no variable.');
      out.table(items, [
        { title: 'Name', value: ({ key }) => key, style: out.paint.bold },
        { title: 'Value', value: (one) => shown(one.value, one.sensitive) },
        { title: 'From', value: ({ source }) => source, isFixed: true },
      ]);
    });
  }
  const found = await collect(client.applicationEnvVars.list(app, { limit: 100 }));
  out.result(found, () => {
    if (found.length === 0) return out.note('There are no variables. Run `mainstay env set KEY=VALUE`.');
    out.table(found, [
      { title: 'Name', value: ({ key }) => key, style: out.paint.bold },
      { title: 'Value', value: (one) => shown(one.value, one.sensitive) },
      { title: 'Of', value: (one) => one.environmentName ?? one.scope, isFixed: true },
    ]);
  });
};
