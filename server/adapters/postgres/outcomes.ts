import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { Sockets } from '#adapters/postgres/sockets.ts';

/** How to ask for a transaction again: its number, and which history of the server it belongs to. */
export interface TransactionMark {
  xid: string;
  /** Changes when a replica takes over: it may give the same number to another transaction. */
  timeline: string;
  /**
   * Where the server's last checkpoint is. Numbers are not written down when they are given out: after a crash, which ends
   * with a checkpoint, a number that left no trace on the disk is given to another transaction.
   */
  checkpoint: string;
}

export type Outcome = 'committed' | 'aborted' | 'unknown';

const history = `substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8) as timeline,
  (select checkpoint_lsn::text from pg_control_checkpoint()) as checkpoint`;
/** Costs no round trip: it goes with the statement that begins the transaction. */
export const markQuery = `select pg_current_xact_id()::text as xid, ${history}`;
const pauseMilliseconds = 50;

/** What became of a transaction whose COMMIT was not answered, asked on fresh connections for so long. */
export async function outcomeOf(
  mark: TransactionMark,
  connection: pg.ClientConfig,
  seconds: number,
): Promise<Outcome> {
  const deadline = performance.now() + seconds * 1000;
  do {
    const status = await ask(mark, connection).catch(() => 'in progress');
    if (status !== 'in progress') return status as Outcome;
    // Its session may not have noticed yet that its client is gone, or the server may be starting.
    await sleep(pauseMilliseconds);
  } while (performance.now() < deadline);
  return 'unknown';
}

async function ask(mark: TransactionMark, connection: pg.ClientConfig): Promise<Outcome | 'in progress'> {
  const sockets = new Sockets();
  const client = new pg.Client({
    ...connection,
    stream: sockets.make,
    ...{ query_timeout: 2000, connectionTimeoutMillis: 2000 },
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query(`select pg_xact_status($1::text::xid8) as status, ${history}`, [
      mark.xid,
    ]);
    const [found] = rows as (Omit<TransactionMark, 'xid'> & { status: Outcome | 'in progress' | null })[];
    if (found?.timeline !== mark.timeline) return 'unknown';
    // It may be another transaction that was committed under this number. What was aborted never was ours committed.
    if (found.status === 'committed' && found.checkpoint !== mark.checkpoint) return 'unknown';
    return found.status ?? 'unknown';
  } catch (error) {
    // A number that this server has not given out yet: of another server, or a crash took the transaction with it.
    if (!(error instanceof pg.DatabaseError && error.code === '22023')) throw error;
    const { rows } = await client.query(`select ${history}`);
    return (rows as { timeline: string }[])[0]?.timeline === mark.timeline ? 'aborted' : 'unknown';
  } finally {
    await sockets.closeAfter(client.end());
  }
}
