import type { Run } from '../core/run.ts';
import type { keysRotate } from '../descriptions/more.ts';

export const run: Run<typeof keysRotate> = async (context, { arguments: { id } }) => {
  const { out } = context;
  const client = await context.client();
  const old = await client.apiKeys.get(id);
  const made = await client.apiKeys.createSecret(id);
  out.result(made, () => {
    out.success('Second secret created. It is not shown again:');
    out.line(made.secret);
    for (const { id: secretId } of old.secrets)
      out.note(
        `  When the old secret is no longer used: mainstay api DELETE /api-keys/${id}/secrets/${secretId}`,
      );
  });
};
