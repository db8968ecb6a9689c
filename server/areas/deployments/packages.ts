import { spawn } from 'node:child_process';
import { mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Blobs, newBlobName } from '#core/blobs.ts';
import type { Clock } from '#core/clock.ts';
import { comesFromFullDisk, DiskFull, isNearlyFull } from '#core/disk.ts';
import { newId } from '#core/ids.ts';
import { isAlive } from '#core/is-alive.ts';

/** A folder, or these entries of it, as one blob: a tar archive, since that keeps links and modes and both ends have it. */
export async function packFolder(
  blobs: Blobs,
  clock: Clock,
  folder: string,
  names: readonly string[] | null = null,
): Promise<{ blob: string; size: number }> {
  const args = [
    '--create',
    '--file=-',
    '--exclude-vcs',
    '--exclude=./node_modules/.cache',
    // pnpm keeps its packages beside the project where it has no cache.
    '--exclude=./.pnpm-store',
    '--sort=name',
    ...(names ? ['--no-recursion', '--null', '--files-from=-'] : ['.']),
  ];
  const child = spawn(
    'tar',
    ['--directory', folder, '--numeric-owner', '--owner=0', '--group=0', '--mtime=@0', ...args],
    {
      stdio: ['pipe', 'pipe', 'pipe'],
    },
  );
  const ended = exit(child);
  child.stdin.on('error', () => {});
  child.stdin.end((names ?? []).map((name) => `./${name}\0`).join(''));
  // What a child has printed is thrown away when it ends and nobody reads yet.
  const output = child.stdout.pipe(new PassThrough());
  const blob = newBlobName(clock.now());
  const size = await blobs.put(
    blob,
    (async function* () {
      yield* output;
      await ended;
    })(),
  );
  return { blob, size };
}

function exit(child: ReturnType<typeof spawn>): Promise<void> {
  let errors = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(0, 4096);
  });
  const ended = new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) =>
      code === 0 ? resolve() : reject(new Error(`tar ended with ${code}: ${errors.trim()}`)),
    );
  });
  ended.catch(() => {});
  return ended;
}

function isClosedEarly(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'EPIPE' || code === 'ERR_STREAM_PREMATURE_CLOSE';
}

/**
 * Packages unpacked on this node, read-only for what runs in them; the ones that were used longest ago free some space. A folder
 * appears under its name only when it is whole.
 */
export class Packages {
  readonly #folder: string;
  readonly #blobs: Blobs;
  readonly #most: number;
  readonly #unpacking = new Map<string, Promise<string>>();
  /** How many instances run in each: these stay. */
  readonly #held = new Map<string, number>();

  constructor(deps: { folder: string; blobs: Blobs; most: number }) {
    this.#folder = deps.folder;
    this.#blobs = deps.blobs;
    this.#most = deps.most;
  }

  /** Keeps the package unpacked until the returned function is called. */
  hold(blob: string): () => void {
    this.#held.set(blob, (this.#held.get(blob) ?? 0) + 1);
    return () => {
      const left = (this.#held.get(blob) ?? 1) - 1;
      if (left > 0) this.#held.set(blob, left);
      else this.#held.delete(blob);
    };
  }

  /** The folder with the package's files. */
  unpacked(blob: string): Promise<string> {
    const known = this.#unpacking.get(blob);
    if (known !== undefined) return known;
    const work = this.#unpack(blob).finally(() => this.#unpacking.delete(blob));
    this.#unpacking.set(blob, work);
    return work;
  }

  async #unpack(blob: string): Promise<string> {
    const place = path.join(this.#folder, blob);
    const found = await stat(place).catch(() => null);
    if (found) {
      await utimes(place, new Date(), new Date()).catch(() => {});
      return place;
    }
    await this.#makeRoom();
    const aside = path.join(this.#folder, `.${process.pid}-${newId()}`);
    await mkdir(aside, { recursive: true, mode: 0o755 });
    try {
      const args = ['--extract', '--file=-', '--no-same-owner', '--directory', aside];
      const child = spawn('tar', args, { stdio: ['pipe', 'ignore', 'pipe'] });
      const ended = exit(child);
      const content = await this.#blobs.stream(blob, { start: 0, end: Number.MAX_SAFE_INTEGER });
      // It may end before it has read the padding behind the archive: whether all is well, its exit says.
      const [sent] = await Promise.allSettled([pipeline(Readable.from(content), child.stdin), ended]);
      await ended;
      if (sent.status === 'rejected' && !isClosedEarly(sent.reason)) throw sent.reason;
      await rename(aside, place).catch(async (error) => {
        // Another process on this machine was faster.
        if (!(await stat(place).catch(() => null))) throw error;
      });
      return place;
    } catch (error) {
      // What tar says of it depends on the language of the machine.
      const isFull = comesFromFullDisk(error) || (await isNearlyFull(aside).catch(() => false));
      throw isFull ? new DiskFull({ cause: error }) : error;
    } finally {
      await rm(aside, { recursive: true, force: true });
    }
  }

  /** Deletes what processes that were killed had begun to unpack. */
  async sweep(): Promise<void> {
    for (const name of await readdir(this.#folder).catch(() => [])) {
      const [, owner] = /^\.(\d+)-/.exec(name) ?? [];
      if (owner && !isAlive(Number(owner)))
        await rm(path.join(this.#folder, name), { recursive: true, force: true });
    }
  }

  async #makeRoom(): Promise<void> {
    const all = await readdir(this.#folder).catch(() => []);
    // Hidden ones are being unpacked, or belong to processes that wait.
    const names = all.filter((name) => !name.startsWith('.') && !this.#held.has(name));
    if (names.length < this.#most) return;
    const ages = await Promise.all(
      names.map(async (name) => ({
        name,
        usedAt: (await stat(path.join(this.#folder, name)).catch(() => null))?.mtimeMs ?? 0,
      })),
    );
    ages.sort((a, b) => a.usedAt - b.usedAt);
    for (const { name } of ages.slice(0, names.length - this.#most + 1))
      await rm(path.join(this.#folder, name), { recursive: true, force: true });
  }
}
