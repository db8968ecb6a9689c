import { S3Client } from '@aws-sdk/client-s3';

/** For tests outside of the server's own folder, whose packages are others. */
export * as aws from '@aws-sdk/client-s3';

export interface S3Keys {
  accessKeyId: string;
  secretAccessKey: string;
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
