import { applicationId } from '../core/choose.ts';
import { collect } from '../core/collect.ts';
import { Failure } from '../core/failure.ts';
import type { Run } from '../core/run.ts';
import type { s3Revoke } from '../descriptions/storage.ts';

export const run: Run<typeof s3Revoke> = async (context, { arguments: { id }, options }) => {
  const { out } = context;
  const client = await context.client();
  const app = await applicationId(context, options.app);
  const found = (await collect(client.s3Credentials.list(app))).find(
    (each) => each.id === id || each.accessKeyId === id,
  );
  if (!found)
    throw new Failure(`The application has no S3 credential ${id}.`, {
      exit: 'notFound',
      next: '`mainstay s3 credentials` lists them.',
    });
  if (options['dry-run'])
    return out.result({ dryRun: true, credential: found }, () => out.line(`Would revoke ${found.name}.`));
  await context.confirm(
    `Revoke the credential ${found.name}? Clients that use it lose access within a second.`,
  );
  await client.s3Credentials.revoke(app, found.id);
  out.result({ revoked: found.id }, () => out.success(`Credential ${found.name} revoked.`));
};
