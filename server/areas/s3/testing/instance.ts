import type { S3Client } from '@aws-sdk/client-s3';
import type { Clock } from '#core/clock.ts';
import { newBlobsUrl } from '#testing/blobs.ts';
import type { EngineName, TestHome } from '#testing/engines.ts';
import { type Instance, startInstance } from '#testing/instance.ts';
import { newS3Client, type S3Keys } from '#testing/s3-client.ts';

/** A server in this process, and clients of its S3 endpoint. */
export interface S3Instance extends AsyncDisposable {
  instance: Instance;
  /** Of the port without a base path. */
  root: string;
  applicationId: string;
  /** Of the first application. */
  credential(options?: Record<string, unknown>): Promise<Credentialed>;
  /** With keys that were made elsewhere. */
  clientOf(keys: S3Keys): S3Client;
  /** Of a second application in the same organization. */
  otherApplication(): Promise<Credentialed>;
}

interface Credentialed extends S3Keys {
  id: string;
  client: S3Client;
}

export async function startS3(
  engine: EngineName,
  options: {
    blobs?: 'files' | 's3';
    settings?: Record<string, string>;
    clock?: Clock;
    home?: TestHome;
  } = {},
): Promise<S3Instance> {
  const { blobs = 'files', settings = {}, clock, home } = options;
  const instance = await startInstance(engine, {
    settings: { ...settings, ...(blobs === 's3' ? { MAINSTAY_BLOBS_URL: newBlobsUrl() } : {}) },
    ...(clock ? { clock } : {}),
    ...(home ? { home } : {}),
  });
  const root = instance.listeners.get('s3') ?? '';
  const applicationId = instance.bootstrapped.application.id;
  const clients: S3Client[] = [];
  const clientOf = (keys: S3Keys) => {
    const client = newS3Client(`${instance.url}/s3`, keys);
    clients.push(client);
    return client;
  };
  const make = async (id: string, body: Record<string, unknown>): Promise<Credentialed> => {
    const path = `/applications/${id}/storage/s3-credentials`;
    const made = await instance.call('POST', path, { as: 'organization', body });
    if (made.status !== 200) throw new Error(`No credential: ${JSON.stringify(made.body)}`);
    const { accessKeyId, secretAccessKey } = made.body as Credentialed;
    const client = clientOf({ accessKeyId, secretAccessKey });
    return { id: made.body.id, accessKeyId, secretAccessKey, client };
  };
  return {
    ...{ instance, root, applicationId, clientOf },
    credential: (body = {}) => make(applicationId, body),
    async otherApplication() {
      const organizationId = instance.bootstrapped.organization.id;
      const body = { organizationId, name: `Other ${Math.random()}` };
      const { body: made } = await instance.call('POST', '/applications', { as: 'organization', body });
      return make(made.id, {});
    },
    async [Symbol.asyncDispose]() {
      for (const client of clients) client.destroy();
      await instance[Symbol.asyncDispose]();
    },
  };
}
