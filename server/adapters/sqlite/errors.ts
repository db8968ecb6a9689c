import { TransactionConflict, UniqueViolation } from '#core/db.ts';
import { NothingChanged } from '#core/problem.ts';

/** What survives the way from the writer thread: structured cloning keeps no properties of an Error. */
export interface SqliteFailure {
  message: string;
  /** SQLite's extended result code (https://sqlite.org/rescode.html). */
  code: number;
}

export function toFailure(error: unknown): SqliteFailure {
  const { message, errcode } = error as Error & { errcode?: number };
  return { message, code: errcode ?? 0 };
}

const BUSY = 5;
const LOCKED = 6;
const IO_ERROR = 10;
const FULL = 13;
const CONSTRAINT_PRIMARY_KEY = 1555;
const CONSTRAINT_UNIQUE = 2067;

export function fromFailure({ message, code }: SqliteFailure): Error {
  const primary = code & 0xff;
  if (primary === BUSY || primary === LOCKED) return new TransactionConflict(message);
  if (code === CONSTRAINT_UNIQUE || code === CONSTRAINT_PRIMARY_KEY) return new UniqueViolation(message);
  if (primary === FULL || primary === IO_ERROR) {
    const sentence =
      'The disk of the server is full or failing. Nothing was changed; its operator has to free space.';
    return new NothingChanged('storage_full', sentence, { cause: new Error(`SQLite ${code}: ${message}`) });
  }
  return new Error(`SQLite ${code}: ${message}`);
}
