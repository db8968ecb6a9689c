import type { Client } from '@mainstay/sdk';
import { applicationId } from '../core/choose.ts';
import type { Context } from '../core/context.ts';
import { Failure } from '../core/failure.ts';

export type StoredObject = Awaited<ReturnType<Client['storage']['getObject']>>;

/** The storage of one application and environment. */
export interface Storage {
  client: Client;
  app: string;
  environment: string | undefined;
  /** To hand on to calls. */
  at: { environment?: string };
}

export async function openStorage(
  context: Context,
  options: { app: string | undefined; env: string | undefined },
): Promise<Storage> {
  const client = await context.client();
  const app = await applicationId(context, options.app);
  return {
    client,
    app,
    environment: options.env,
    at: options.env === undefined ? {} : { environment: options.env },
  };
}

/** Every object whose key begins so, in the order of the keys. */
export function objectsBelow(
  { client, app, at }: Storage,
  bucket: string,
  prefix: string,
): AsyncIterable<StoredObject> {
  return client.storage.listObjects(app, bucket, { ...at, prefix, delimiter: '', limit: 1000 });
}

/** The object of exactly this key. */
async function findObject(storage: Storage, bucket: string, key: string): Promise<StoredObject | undefined> {
  const { client, app, at } = storage;
  // Of all keys that begin so, the key itself sorts first.
  const { items } = await client.storage.listObjects(app, bucket, {
    ...at,
    prefix: key,
    delimiter: '',
    limit: 1,
  });
  return items[0]?.key === key ? items[0] : undefined;
}

export async function demandObject(storage: Storage, bucket: string, key: string): Promise<StoredObject> {
  const found = await findObject(storage, bucket, key);
  if (found) return found;
  throw new Failure(`There is no object ${bucket}:${key}.`, {
    exit: 'notFound',
    next: `\`mainstay storage ls ${bucket}:\` lists them; a folder needs --recursive.`,
  });
}
