import type { Run } from '../core/run.ts';
import type { keysDelete } from '../descriptions/more.ts';

export const run: Run<typeof keysDelete> = async (context, { arguments: { id }, options }) => {
  const { out } = context;
  const client = await context.client();
  const key = await client.apiKeys.get(id);
  if (options['dry-run'])
    return out.result({ dryRun: true, key }, () => out.line(`Would delete ${key.name} (${id}).`));
  await context.confirm(`Delete the key ${key.name}? What uses it stops working.`);
  await client.apiKeys.delete(id);
  out.result({ deleted: id }, () => out.success(`Key ${key.name} deleted.`));
};
