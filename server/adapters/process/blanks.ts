import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { link, mkdir, readdir, readlink, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import type { Unit } from '#core/runner.ts';
import type { Box } from './box.ts';

/** A process of our own Node in its sandbox, which has loaded what it can without knowing its code. */
export interface Blank {
  box: Box;
  child: ChildProcess;
  /** Mounted in it, and still empty. */
  folder: string;
  memoryMegabytes: number;
}

/** A package of more entries is mounted into a new sandbox: that is faster than linking them one by one. */
const maxEntries = 500;
const usualMemory = 256;

/**
 * Processes that wait for a function, from when the first one is started: an instance without functions has none. The heap
 * of a process is fixed when it starts, so those that wait have the memory of the function that was started last. A package
 * gets into a sandbox that is running already as hard links, in the folder that is mounted there.
 */
export class Blanks implements AsyncDisposable {
  readonly #open: (memoryMegabytes: number, folder: string) => Promise<Blank>;
  readonly #most: number;
  readonly #folder: string;
  #ready: Blank[] = [];
  #memory = usualMemory;
  #filling: Promise<void> | null = null;
  #isClosed = false;

  constructor(deps: {
    open: (memoryMegabytes: number, folder: string) => Promise<Blank>;
    most: number;
    folder: string;
  }) {
    this.#open = deps.open;
    this.#most = deps.most;
    this.#folder = deps.folder;
  }

  /** Undefined where none fits; then the function is started from nothing. */
  async take(unit: Unit): Promise<Blank | undefined> {
    this.#memory = unit.memoryMegabytes;
    try {
      // Node reads these when it starts, and this one has.
      if (Object.keys(unit.env).some((name) => name.startsWith('NODE_') && name !== 'NODE_ENV'))
        return undefined;
      const at = this.#ready.findIndex(
        ({ memoryMegabytes, child }) => memoryMegabytes === unit.memoryMegabytes && isRunning(child),
      );
      const blank = this.#ready[at];
      if (!blank) return undefined;
      this.#ready.splice(at, 1);
      if (await linkInto(unit.folder, blank.folder)) return blank;
      await this.#end(blank);
      return undefined;
    } finally {
      this.#fill();
    }
  }

  #fill(): void {
    if (this.#filling || this.#isClosed) return;
    this.#filling = this.#fillUp()
      .catch(() => {})
      .finally(() => {
        this.#filling = null;
      });
  }

  async #fillUp(): Promise<void> {
    const memory = this.#memory;
    const unfit = this.#ready.filter((blank) => blank.memoryMegabytes !== memory || !isRunning(blank.child));
    this.#ready = this.#ready.filter((blank) => !unfit.includes(blank));
    await Promise.all(unfit.map((blank) => this.#end(blank)));
    while (this.#ready.length < this.#most && !this.#isClosed) {
      const folder = path.join(this.#folder, randomBytes(6).toString('hex'));
      await mkdir(folder, { recursive: true });
      const blank = await this.#open(memory, folder);
      blank.child.once('close', () => void rm(folder, { recursive: true, force: true }).catch(() => {}));
      this.#ready.push(blank);
    }
  }

  async #end({ box, child }: Blank): Promise<void> {
    const closed = new Promise((resolve) => child.once('close', resolve));
    child.stdout?.resume();
    child.stderr?.resume();
    if (isRunning(child)) {
      await box.kill(child.pid);
      await closed;
    }
    await box[Symbol.asyncDispose]();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    await this.#filling;
    await Promise.all(this.#ready.splice(0).map((blank) => this.#end(blank)));
  }
}

function isRunning({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null;
}

/** False where there are too many entries, or where links do not reach; what was made goes with the folder. */
async function linkInto(from: string, to: string): Promise<boolean> {
  const queue = [''];
  let count = 0;
  for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
    const entries = await readdir(path.join(from, at), { withFileTypes: true });
    count += entries.length;
    if (count > maxEntries) return false;
    for (const entry of entries) {
      const name = path.join(at, entry.name);
      const [source, target] = [path.join(from, name), path.join(to, name)];
      try {
        if (entry.isDirectory()) {
          await mkdir(target);
          queue.push(name);
        } else if (entry.isSymbolicLink()) await symlink(await readlink(source), target);
        else await link(source, target);
      } catch {
        return false;
      }
    }
  }
  return true;
}
