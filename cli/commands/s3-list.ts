import { applicationId } from '../core/choose.ts';
import { collect } from '../core/collect.ts';
import type { Run } from '../core/run.ts';
import { ago } from '../core/text.ts';
import type { s3List } from '../descriptions/storage.ts';

export const run: Run<typeof s3List> = async (context, { options }) => {
  const { out } = context;
  const client = await context.client();
  const found = await collect(client.s3Credentials.list(await applicationId(context, options.app)));
  out.result(found, () => {
    if (found.length === 0)
      return out.note('There are no credentials. Run `mainstay s3 credentials create <name>`.');
    out.table(found, [
      { title: 'Name', value: ({ name }) => name, style: out.paint.bold },
      { title: 'Access key id', value: ({ accessKeyId }) => accessKeyId, isFixed: true },
      { title: 'Access', value: ({ access }) => access, isFixed: true },
      {
        title: 'Bucket',
        value: ({ bucket, prefix }) => `${bucket?.name ?? 'all'}${prefix ? `/${prefix}` : ''}`,
      },
      { title: 'Used', value: ({ lastUsedAt }) => ago(lastUsedAt), isFixed: true },
      { title: 'Expires', value: ({ expiresAt }) => expiresAt?.slice(0, 10) ?? 'never', isFixed: true },
    ]);
  });
};
