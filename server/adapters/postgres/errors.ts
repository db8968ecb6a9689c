import { databaseUnavailable, TransactionConflict, UniqueViolation } from '#core/db.ts';
import { NothingChanged } from '#core/problem.ts';
import { WaitedTooLong } from '#core/waits.ts';

/** Serialization failure and deadlock (https://www.postgresql.org/docs/current/errcodes-appendix.html). */
const raceCodes = new Set(['40001', '40P01']);
/** Too many connections, statement timeout, shutdown, crash, starting up, idle for too long, read-only after a failover. */
const awayCodes = new Set(['53300', '57014', '57P01', '57P02', '57P03', '57P05', '25006', '25P03']);
const networkCodes = new Set([
  ...[
    'ECONNREFUSED',
    'ECONNRESET',
    'EPIPE',
    'ETIMEDOUT',
    'ENOTFOUND',
    'EAI_AGAIN',
    'EHOSTUNREACH',
    'ENETUNREACH',
  ],
  'ENOENT',
]);
/** What `pg` says without a code when the connection went away or the pool gave up waiting for one. */
const awayMessages =
  /Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error|Client was closed|Cannot use a pool after/;

export function fromPostgres(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error));
  const code = (error as Error & { code?: string }).code ?? '';
  if (raceCodes.has(code)) return new TransactionConflict(error.message, { cause: error });
  if (code === '23505') return new UniqueViolation(error.message, { cause: error });
  // lock_timeout.
  if (code === '55P03') return new WaitedTooLong(error);
  if (code === '53100') {
    const sentence = "The database's disk is full. Nothing was changed; its operator has to free space.";
    return new NothingChanged('storage_full', sentence, { cause: error });
  }
  // A replica that has not taken over yet; it says so of serializable transactions and of its log.
  const isReplica =
    (code === '0A000' && /hot standby/.test(error.message)) ||
    (code === '55000' && /recovery is in progress/.test(error.message));
  const away = isReplica || awayCodes.has(code) || code.startsWith('08') || networkCodes.has(code);
  if (away || awayMessages.test(error.message) || error instanceof AggregateError)
    return databaseUnavailable(error);
  return error;
}
