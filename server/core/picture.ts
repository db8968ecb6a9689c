import { type ChildProcess, fork } from 'node:child_process';
import { setPriority } from 'node:os';
import { Problem } from '#core/problem.ts';
import { Semaphore } from '#core/semaphore.ts';
import type { PictureReply } from './picture-process.ts';

/** A photograph of a phone; 64 MB once it is decoded. */
const maxPixels = 16_000_000;
const timeoutMilliseconds = 10_000;
/** The process, and its memory, are given back when nobody has sent a picture for so long. */
const idleMilliseconds = 30_000;

const gate = new Semaphore({ width: 1, maxWaiting: 20 });
let drawing: ChildProcess | undefined;
let idle: NodeJS.Timeout | undefined;

/**
 * A picture as it may be served: decoded and drawn again as a square WebP of 256 pixels, so that nothing of what was
 * uploaded survives but what can be seen (no metadata, no trailing bytes, no second format). One at a time, in a process
 * of its own: threads here would take those that passwords are hashed by, and a decoder that is broken into finds
 * nothing. Throws `Problem('invalid_request')` for what is no picture.
 */
export async function redraw(upload: Buffer): Promise<Buffer> {
  if (!looksLikePicture(upload)) throw unreadable(new Error('Its first bytes are those of no format.'));
  const reply = await gate.run(() => ask(upload));
  if ('problem' in reply) throw unreadable(new Error(reply.problem));
  return Buffer.from(reply.picture);
}

async function ask(upload: Buffer): Promise<PictureReply> {
  clearTimeout(idle);
  drawing ??= start();
  const child = drawing;
  const { promise, resolve } = Promise.withResolvers<PictureReply>();
  const ended = () => resolve({ problem: 'The process that draws it ended.' });
  const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMilliseconds);
  child.once('message', resolve).once('exit', ended).once('error', ended);
  child.ref();
  child.channel?.ref();
  child.send({ upload, maxPixels });
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    child.off('message', resolve).off('exit', ended).off('error', ended).unref();
    child.channel?.unref();
    idle = setTimeout(() => child.disconnect(), idleMilliseconds).unref();
  }
}

function start(): ChildProcess {
  const child = fork(new URL('./picture-process.ts', import.meta.url), {
    serialization: 'advanced',
    // Of ours it gets nothing: no settings, no secrets.
    env: {},
    execArgv: [],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  // Who waits for a picture waits longer than who waits for a request.
  if (child.pid !== undefined) setPriority(child.pid, 10);
  const forget = () => {
    if (drawing === child) drawing = undefined;
  };
  return child.on('exit', forget).on('disconnect', forget).on('error', forget);
}

/** What browsers make pictures as, by how they begin. SVG is left out: it is a program. */
function looksLikePicture(upload: Buffer): boolean {
  const starts = (text: string, at = 0) =>
    upload.subarray(at, at + text.length).equals(Buffer.from(text, 'latin1'));
  return (
    starts('\xff\xd8\xff') ||
    starts('\x89PNG\r\n\x1a\n') ||
    starts('GIF87a') ||
    starts('GIF89a') ||
    (starts('RIFF') && starts('WEBP', 8)) ||
    (starts('ftyp', 4) && (starts('avif', 8) || starts('avis', 8) || starts('mif1', 8)))
  );
}

function unreadable(cause: Error): Problem {
  const sentence =
    'The picture cannot be read. Send a JPEG, PNG, WebP, GIF or AVIF of at most 16 megapixels.';
  return new Problem('invalid_request', sentence, { cause });
}
