import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { type ServiceEngine, ServiceRefused } from '#core/service-engine.ts';

const connectMilliseconds = 5000;
/** Of one role. */
const maxConnections = 50;
/** Somebody else has made it this moment: duplicate_object, duplicate_database, unique_violation. */
const madeMeanwhile = new Set(['42710', '42P04', '23505']);
/** invalid_authorization_specification, invalid_password. */
const turnedAway = new Set(['28000', '28P01']);

/** Databases with a role each, on a PostgreSQL whose role in the address may create both. */
export function openPostgresService(url: URL): ServiceEngine {
  const connection = { connectionString: url.href, connectionTimeoutMillis: connectMilliseconds };
  const pool = new pg.Pool({ ...connection, max: 2, idleTimeoutMillis: 10_000, allowExitOnIdle: true });
  // An idle connection that is lost is made again by the next use.
  pool.on('error', () => {});

  /** Functions reach the engine from this machine: a password has to be what keeps them apart. */
  async function refuseOpenDoor(): Promise<void> {
    const stranger = new URL(url);
    stranger.password = randomBytes(12).toString('hex');
    const client = new pg.Client({ ...connection, connectionString: stranger.href });
    client.on('error', () => {});
    try {
      await client.connect();
    } catch (error) {
      if (turnedAway.has((error as pg.DatabaseError).code ?? '')) return;
      throw error;
    } finally {
      await client.end().catch(() => {});
    }
    throw new ServiceRefused(
      'The PostgreSQL of MAINSTAY_SERVICES_POSTGRES_URL lets anybody in without a password: its operator has to demand one (pg_hba.conf).',
    );
  }

  async function make(statement: string): Promise<void> {
    await pool.query(statement).catch((error: pg.DatabaseError) => {
      if (!madeMeanwhile.has(error.code ?? '')) throw error;
    });
  }

  return {
    kind: 'postgres',
    address: { host: url.hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(url.port) || 5432, tls: false },
    async ensure(name, password) {
      await refuseOpenDoor();
      const role = pg.escapeIdentifier(name);
      await make(`create role ${role}`);
      const secret = pg.escapeLiteral(password);
      await pool.query(`alter role ${role} login connection limit ${maxConnections} password ${secret}`);
      const known = await pool.query('select 1 from pg_database where datname = $1', [name]);
      if (known.rowCount === 0) {
        // Whoever gives a database to a role has to be in it.
        await pool.query(`grant ${role} to current_user`);
        await make(`create database ${role} owner ${role}`);
      }
      await pool.query(`revoke all on database ${role} from public`);
    },
    async drop(name) {
      const role = pg.escapeIdentifier(name);
      await pool.query(`drop database if exists ${role} with (force)`);
      await pool.query(`drop role if exists ${role}`);
    },
    [Symbol.asyncDispose]: () => pool.end(),
  };
}
