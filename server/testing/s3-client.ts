import assert from 'node:assert/strict';
import { S3Client } from '@aws-sdk/client-s3';
import { fetchToken } from './instance.ts';

/** For tests outside of the server's own folder, whose packages are others. */
export * as aws from '@aws-sdk/client-s3';

export interface S3Keys {
  accessKeyId: string;
  secretAccessKey: string;
}

/** A credential that may read and write everything of an application, made with one of its keys. */
export async function makeS3Keys(
  url: string,
  key: { id: string; secret: string },
  applicationId: string,
): Promise<S3Keys> {
  const response = await fetch(`${url}/applications/${applicationId}/storage/s3-credentials`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await fetchToken(url, key)}`, 'content-type': 'application/json' },
    body: '{}',
  });
  assert.equal(response.status, 200);
  return (await response.json()) as S3Keys;
}

/** As the dashboard's lines have it, but nothing is tried twice: what fails is seen. */
export function newS3Client(endpoint: string, { accessKeyId, secretAccessKey }: S3Keys): S3Client {
  return new S3Client({
    ...{ endpoint, region: 'us-east-1', forcePathStyle: true, maxAttempts: 1 },
    credentials: { accessKeyId, secretAccessKey },
  });
}

/** Status and code of the refusal: `404 NoSuchKey`; `none` when there is none. */
export async function failure(sent: Promise<unknown>): Promise<string> {
  try {
    await sent;
    return 'none';
  } catch (thrown) {
    const { name, $metadata } = thrown as { name: string; $metadata?: { httpStatusCode?: number } };
    if ($metadata === undefined) throw thrown;
    return `${$metadata.httpStatusCode} ${name}`;
  }
}

/** The content of an answer to `GetObject`. */
export async function bytesOf({
  Body,
}: {
  Body?: { transformToByteArray(): Promise<Uint8Array> } | undefined;
}): Promise<Buffer> {
  return Buffer.from((await Body?.transformToByteArray()) ?? []);
}
