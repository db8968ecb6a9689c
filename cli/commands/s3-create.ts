import { applicationId } from '../core/choose.ts';
import type { Run } from '../core/run.ts';
import { secondsOf } from '../core/time.ts';
import type { s3Create } from '../descriptions/storage.ts';

/** Prints lines for a shell to `eval`; what is said beside them goes to stderr. */
export const run: Run<typeof s3Create> = async (context, { arguments: { name }, options }) => {
  const { out } = context;
  const client = await context.client();
  const { app, env, bucket, prefix, expires } = options;
  const made = await client.s3Credentials.create(await applicationId(context, app), {
    name,
    access: options['read-only'] ? 'read' : 'readwrite',
    ...(env === undefined ? {} : { environment: env }),
    ...(bucket === undefined ? {} : { bucket }),
    ...(prefix === undefined ? {} : { prefix }),
    ...(expires === undefined
      ? {}
      : { expiresAt: new Date(Date.now() + secondsOf(expires) * 1000).toISOString() }),
  });
  out.result(made, () => {
    out.success(`Credential ${made.name} created. Its secret is not shown again:`);
    out.line(`export AWS_ACCESS_KEY_ID=${made.accessKeyId}`);
    out.line(`export AWS_SECRET_ACCESS_KEY=${made.secretAccessKey}`);
    out.line(`export AWS_REGION=${made.region}`);
    out.line(`export AWS_ENDPOINT_URL_S3=${made.endpoint}`);
  });
};
