import { execFileSync } from 'node:child_process';
import {
  closeSync,
  fdatasyncSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';

type Flag = 'dirty' | 'clean';

/**
 * Which data file counts. Commits are handed to the kernel and not synced: they survive every death of the process, but
 * after a crash of the machine the file may be torn in ways that LMDB cannot see. So a note beside it says whether the
 * file was synced since its last write, and in which run of the machine that write was; a file that is neither synced
 * nor of this run is left behind for an empty one. Only the holder of LMDB's write lock changes the note.
 */
export class Generation {
  /** The data file. */
  readonly file: string;
  readonly #note: number;
  readonly #boot: string;
  readonly #seen: Buffer;
  readonly #dirty: Buffer;

  private constructor(folder: string, boot: string, name: string) {
    this.file = path.join(folder, name);
    this.#note = openSync(path.join(folder, noteName), 'r+');
    this.#boot = boot;
    this.#dirty = Buffer.from(noteLine('dirty', boot, name));
    this.#seen = Buffer.alloc(this.#dirty.length);
  }

  /** Makes the folder and the note where they are missing. */
  static open(folder: string, boot: string = bootId()): Generation {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const found = readNote(folder);
    if (found && (found.flag === 'clean' || found.boot === boot)) {
      return new Generation(folder, boot, found.name);
    }
    // Every process that comes here in this run of the machine does the same: none undoes what another has begun.
    const name = `${boot}.mdb`;
    replaceNote(folder, noteLine('dirty', boot, name));
    for (const entry of readdirSync(folder))
      if (/\.mdb(-lock)?$/.test(entry) && !entry.startsWith(name)) unlinkSync(path.join(folder, entry));
    return new Generation(folder, boot, name);
  }

  /** Before a commit. One read of a page in memory, except for the first write after a clean end. */
  markDirty(): void {
    readSync(this.#note, this.#seen, 0, this.#seen.length, 0);
    if (!this.#seen.equals(this.#dirty)) this.#write('dirty');
  }

  /** Puts the data file on the disk and notes so. */
  markClean(): void {
    const data = openSync(this.file, 'r+');
    try {
      fdatasyncSync(data);
    } finally {
      closeSync(data);
    }
    this.#write('clean');
  }

  close(): void {
    closeSync(this.#note);
  }

  #write(flag: Flag): void {
    writeSync(this.#note, noteLine(flag, this.#boot, path.basename(this.file)), 0);
    fdatasyncSync(this.#note);
  }
}

const noteName = 'generation';

/** Always the same length: it is overwritten in place. */
function noteLine(flag: Flag, boot: string, name: string): string {
  return `${flag} ${boot} ${name}\n`;
}

function readNote(folder: string): { flag: Flag; boot: string; name: string } | undefined {
  let text: string;
  try {
    text = readFileSync(path.join(folder, noteName), 'latin1');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  const [, flag, boot, name] = /^(dirty|clean) (\S+) (\S+\.mdb)\n$/.exec(text) ?? [];
  return flag && boot && name ? { flag: flag as Flag, boot, name } : undefined;
}

function replaceNote(folder: string, line: string): void {
  const aside = path.join(folder, `${noteName}.${process.pid}`);
  writeFileSync(aside, line, { flush: true, mode: 0o600 });
  renameSync(aside, path.join(folder, noteName));
  const handle = openSync(folder, 'r');
  fsyncSync(handle);
  closeSync(handle);
}

/** Names this run of the machine's kernel: another one after every restart. */
export function bootId(): string {
  if (process.platform === 'darwin')
    return execFileSync('sysctl', ['-n', 'kern.bootsessionuuid'], { encoding: 'utf8' }).trim();
  return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
}
