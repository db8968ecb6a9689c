import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { collect } from '../core/collect.ts';
import type { Context } from '../core/context.ts';
import type { Given } from '../core/describe.ts';
import { wrongUsage } from '../core/failure.ts';
import { parallel } from '../core/parallel.ts';
import { stateFolder } from '../core/places.ts';
import type { Run } from '../core/run.ts';
import { bytes, counted } from '../core/text.ts';
import type { storageCopy } from '../descriptions/storage.ts';
import { demandObject, objectsBelow, openStorage, type Storage } from '../storage/bucket.ts';
import { content, downloadFile } from '../storage/download.ts';
import { removeLeftovers } from '../storage/leftovers.ts';
import { filesBelow } from '../storage/local.ts';
import { keyOf, type Place, pathBelow, placeOf } from '../storage/places.ts';
import { uploadFile } from '../storage/upload.ts';
import type { Watch } from '../storage/watch.ts';

const filesAtOnce = 16;
/** Of one file. */
const partsAtOnce = 4;

type Options = Given<typeof storageCopy>['options'];
type Remote = Extract<Place, { kind: 'remote' }>;
type Local = Extract<Place, { kind: 'local' }>;

/** One of what is to be done. */
interface Job {
  from: string;
  to: string;
  size: number;
  run(watch: Watch): Promise<void>;
}

export const run: Run<typeof storageCopy> = async (context, { arguments: given, options }) => {
  const [from, to] = [placeOf(given.from), placeOf(given.to)];
  const storage = await openStorage(context, options);
  if (from.kind === 'pipe') return fromStdin(context, storage, to, options);
  if (to.kind === 'pipe') return toStdout(context, storage, from);
  if (from.kind === 'local' && to.kind === 'local')
    throw wrongUsage('Neither path is a bucket.', 'Use bucket:path for one of them.');
  const jobs =
    from.kind === 'local'
      ? await uploads(context, storage, from, to as Remote, options)
      : to.kind === 'local'
        ? await downloads(context, storage, from, to, options)
        : await copies(storage, from, to, options);
  await work(context, jobs, options);
};

/** Does the jobs, several at once, and says how far they are. */
export async function work(
  context: Context,
  jobs: readonly Job[],
  options: { jobs: number | undefined; 'dry-run': boolean },
): Promise<void> {
  const { out } = context;
  const total = jobs.reduce((sum, { size }) => sum + size, 0);
  if (options['dry-run'])
    return out.result({ dryRun: true, files: jobs.map(({ from, to, size }) => ({ from, to, size })) }, () => {
      for (const { from, to } of jobs) out.line(`${from} -> ${to}`);
      out.note(`${counted(jobs.length, 'file')}, ${bytes(total)}. Nothing was copied.`);
    });
  // Before the first job: none may continue with what is being removed.
  await removeLeftovers(stateFolder(context.env));
  const progress = context.progress('Copying');
  let done = 0;
  let files = 0;
  const atOnce = Math.max(1, options.jobs ?? filesAtOnce);
  const watch = watchOf(context, Math.floor(atOnce / Math.max(1, Math.min(atOnce, jobs.length))), (count) => {
    done += count;
    progress.count(`${files} of ${counted(jobs.length, 'file')}`, done, total);
  });
  try {
    await parallel(jobs, atOnce, async (job) => {
      context.signal.throwIfAborted();
      await job.run(watch);
      files += 1;
      if (out.isJson) out.event({ from: job.from, to: job.to, bytes: job.size }, () => {});
    });
  } finally {
    progress.end();
  }
  out.success(`${counted(files, 'file')} copied, ${bytes(total)}.`);
}

function watchOf(context: Context, parts: number, onBytes: (count: number) => void): Watch {
  const { signal, env } = context;
  return { signal, state: stateFolder(env), partsAtOnce: Math.min(parts, partsAtOnce), onBytes };
}

async function uploads(
  context: Context,
  storage: Storage,
  from: Local,
  to: Remote,
  options: Options,
): Promise<Job[]> {
  const source = path.resolve(context.cwd, from.path);
  const stats = await stat(source);
  const contentType = options['content-type'];
  const job = (file: string, size: number, key: string): Job => ({
    from: file,
    to: `${to.bucket}:${key}`,
    size,
    run: (watch) => uploadFile(storage, { path: file, bucket: to.bucket, key, contentType }, watch),
  });
  if (!stats.isDirectory())
    return [job(source, stats.size, to.isFolder ? to.key + path.basename(source) : to.key)];
  if (!options.recursive)
    throw wrongUsage(`${from.path} is a folder.`, 'Pass --recursive to copy all of it.');
  const prefix = to.key === '' || to.key.endsWith('/') ? to.key : `${to.key}/`;
  const files = await filesBelow(source, context.signal);
  return files.map((file) => job(file.path, file.size, keyOf(prefix, file.relative)));
}

async function downloads(
  context: Context,
  storage: Storage,
  from: Remote,
  to: Local,
  options: Options,
): Promise<Job[]> {
  const target = path.resolve(context.cwd, to.path);
  const isFolder = to.isFolder || (await stat(target).catch(() => null))?.isDirectory() === true;
  if (!options.recursive) {
    const object = await demandObject(storage, from.bucket, from.key);
    const file = isFolder ? pathBelow(target, from.key.split('/').at(-1) ?? '') : target;
    return [
      {
        from: `${from.bucket}:${from.key}`,
        to: file,
        size: object.contentLength,
        run: (watch) => downloadFile(storage, object, from.bucket, file, watch),
      },
    ];
  }
  const prefix = from.isFolder ? from.key : `${from.key}/`;
  const objects = await collect(objectsBelow(storage, from.bucket, prefix));
  return objects
    .filter(({ key }) => !key.endsWith('/'))
    .map((object) => {
      const file = pathBelow(target, object.key.slice(prefix.length));
      return {
        from: `${from.bucket}:${object.key}`,
        to: file,
        size: object.contentLength,
        run: (watch) => downloadFile(storage, object, from.bucket, file, watch),
      };
    });
}

/** Within the instance: nothing passes through here. */
async function copies(storage: Storage, from: Remote, to: Remote, options: Options): Promise<Job[]> {
  const { client, app, at } = storage;
  const job = (object: { id: string; key: string; contentLength: number }, key: string): Job => ({
    from: `${from.bucket}:${object.key}`,
    to: `${to.bucket}:${key}`,
    size: object.contentLength,
    async run({ onBytes }) {
      await client.storage.copyObject(app, from.bucket, object.id, { key, bucket: to.bucket }, at);
      onBytes(object.contentLength);
    },
  });
  if (!options.recursive) {
    const object = await demandObject(storage, from.bucket, from.key);
    return [job(object, to.isFolder ? to.key + (from.key.split('/').at(-1) ?? '') : to.key)];
  }
  const prefix = from.isFolder ? from.key : `${from.key}/`;
  const target = to.key === '' || to.key.endsWith('/') ? to.key : `${to.key}/`;
  const objects = await collect(objectsBelow(storage, from.bucket, prefix));
  return objects.map((object) => job(object, target + object.key.slice(prefix.length)));
}

/** Its length has to be known first, so it is kept in a file for a moment. */
async function fromStdin(context: Context, storage: Storage, to: Place, options: Options): Promise<void> {
  if (to.kind !== 'remote' || to.isFolder)
    throw wrongUsage('stdin needs a target object.', 'Use bucket:path.');
  const folder = await mkdtemp(path.join(tmpdir(), 'mainstay-'));
  try {
    const file = path.join(folder, 'stdin');
    await writeFile(file, process.stdin, { mode: 0o600 });
    const source = { path: file, bucket: to.bucket, key: to.key, contentType: options['content-type'] };
    const { size } = await stat(file);
    await uploadFile(
      storage,
      source,
      watchOf(context, partsAtOnce, () => {}),
    );
    context.out.success(`${to.bucket}:${to.key} written, ${bytes(size)}.`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function toStdout(context: Context, storage: Storage, from: Place): Promise<void> {
  if (from.kind !== 'remote')
    throw wrongUsage('Only an object can be written to stdout.', 'Use bucket:path.');
  const object = await demandObject(storage, from.bucket, from.key);
  for await (const chunk of content(storage, object, from.bucket, context.signal)) {
    if (!process.stdout.write(chunk)) await new Promise((resolve) => process.stdout.once('drain', resolve));
  }
}
