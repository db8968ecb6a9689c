import type { FastifyReply } from 'fastify';
import type { AuditSource } from '#accounts/audit-log/service.ts';
import type { Tx } from '#core/db.ts';
import { Problem } from '#core/problem.ts';
import { dotenvLine, parseDotenv } from './dotenv.ts';
import { changeVariable, checkKey, checkValue, createVariable, type Deps } from './service.ts';
import { type EnvVarRow, findByKey, list, type Place } from './store.ts';
import type { Values } from './values.ts';

interface Done {
  created: number;
  updated: number;
  unchanged: number;
}

/** The variables of a dotenv file, each of which may be one of ours. */
export function readVariables(content: string): Map<string, string> {
  const variables = parseDotenv(content);
  for (const [key, value] of variables) {
    checkKey(key);
    checkValue(value);
  }
  return variables;
}

/** Creates and changes all or, where one is there that may not be overwritten, none. */
export async function importAll(
  tx: Tx,
  deps: Deps,
  source: AuditSource,
  place: Place,
  options: { variables: ReadonlyMap<string, string>; sensitive: boolean; overwrite: boolean },
): Promise<Done> {
  const done = { created: 0, updated: 0, unchanged: 0 };
  for (const [key, value] of options.variables) {
    const row = await findByKey(tx, place, key);
    if (!row) {
      await createVariable(tx, deps, source, place, { key, value, sensitive: options.sensitive });
      done.created++;
      continue;
    }
    if (!options.overwrite) {
      throw new Problem('conflict', `There is a variable "${key}" already. Nothing was imported.`);
    }
    // A sensitive variable stays so, whatever the file is.
    const after = await changeVariable(tx, deps, source, row, { value });
    if (after.version === row.version) done.unchanged++;
    else done.updated++;
  }
  return done;
}

/** Copies the variables of one environment to another, sensitive ones without showing them to anybody. */
export async function copyAll(
  tx: Tx,
  deps: Deps,
  source: AuditSource,
  { from, to }: { from: Place; to: Place },
  options: { keys: ReadonlySet<string> | undefined; overwrite: boolean },
): Promise<Done & { skipped: number }> {
  const { keys, overwrite } = options;
  const done = { created: 0, updated: 0, unchanged: 0, skipped: 0 };
  const rows = await list(tx, from);
  const missing = [...(keys ?? [])].find((key) => !rows.some((row) => row.key === key));
  if (missing !== undefined) {
    throw new Problem(
      'not_found',
      `The environment to copy from has no variable "${missing}" of its own. Nothing was copied.`,
    );
  }
  for (const row of rows) {
    if (keys && !keys.has(row.key)) continue;
    const value = deps.values.open(row);
    const sensitive = row.sensitive === 1;
    const there = await findByKey(tx, to, row.key);
    if (!there) {
      await createVariable(tx, deps, source, to, { key: row.key, value, sensitive });
      done.created++;
    } else if (overwrite) {
      // What was a secret anywhere is one here.
      const changes = { value, sensitive: sensitive || there.sensitive === 1 };
      const after = await changeVariable(tx, deps, source, there, changes);
      if (after.version === there.version) done.unchanged++;
      else done.updated++;
    } else done.skipped++;
  }
  return done;
}

/** The variables as a dotenv file; sensitive ones are counted, never written. */
export function sendDotenv(reply: FastifyReply, rows: readonly EnvVarRow[], values: Values): FastifyReply {
  const plain = rows.filter((row) => row.sensitive === 0);
  const lines = plain.map(
    (row) => dotenvLine(row.key, values.open(row)) ?? `# ${row.key} has no dotenv spelling`,
  );
  const omitted = rows.length - plain.length;
  if (omitted > 0)
    lines.unshift(`# ${omitted} sensitive ${omitted === 1 ? 'variable is' : 'variables are'} left out`);
  const text = lines.map((line) => `${line}\n`).join('');
  return reply.type('text/plain; charset=utf-8').header('x-omitted-sensitive', String(omitted)).send(text);
}
