import { type CleanedWhere, createAdapterFactory, type DBAdapter } from '@better-auth/core/db/adapter';
import type { BetterAuthOptions } from 'better-auth/minimal';
import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import type { Db, Tables, Tx } from '#core/db.ts';
import { isId, newId } from '#core/ids.ts';
import type { Vault } from '#core/vault.ts';
import { sessionDigest } from '../sessions/sessions.ts';
import { idOfAlias } from './alias.ts';
import { auditChange, type Row } from './consequences.ts';
import { epochColumns, noteEpochs } from './epochs.ts';
import { type Model, modelOf } from './models.ts';
import { sealRow, unsealRow } from './seals.ts';

interface Deps {
  db: Db;
  vault: Vault;
}

/**
 * better-auth on our database: its writes are ours (`Db.write`, one transaction with the audit record and the notifications), its
 * fields our columns. Session tokens are kept as digests, second factors sealed.
 */
export function databaseAdapter(deps: Deps) {
  return (options: BetterAuthOptions) => adapterOn(deps, options, undefined);
}

function adapterOn(deps: Deps, options: BetterAuthOptions, tx: Tx | undefined): DBAdapter {
  const make = createAdapterFactory({
    config: {
      adapterId: 'mainstay',
      supportsBooleans: false,
      supportsNumericIds: false,
      customTransformInput: ({ data }) => (data instanceof Date ? data.getTime() : data),
      customTransformOutput: ({ data, fieldAttributes }) =>
        fieldAttributes.type === 'date' && typeof data === 'number' ? new Date(data) : data,
      transaction: tx ? false : (work) => deps.db.write((inner) => work(adapterOn(deps, options, inner))),
    },
    adapter: () => operations(deps, tx),
  });
  return make(options);
}

type Clauses = readonly CleanedWhere[];

function operations({ db, vault }: Deps, tx: Tx | undefined) {
  const read = tx ?? db;
  const write = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => (tx ? work(tx) : db.write(work));
  const forms = new Forms(vault);

  /** Rows that a change touched, with everything that follows from it done. */
  const changed = async (
    tx: Tx,
    kind: 'updated' | 'deleted',
    { table }: Model,
    rows: Row[],
    changes: Row,
  ): Promise<Row[]> => {
    for (const row of rows) await auditChange(tx, { table, write: kind, row, changes });
    return rows;
  };

  const update = (modelName: string, where: Clauses, fields: Row, increment: Record<string, number> = {}) => {
    const model = modelOf(modelName);
    return write(async (tx) => {
      const ids = (await forms.select(tx, model, where)).map((row) => String(row['id']));
      if (ids.length === 0) return [];
      const sums = Object.entries(increment).map(([field, by]) => {
        const column = forms.column(model, field);
        return [column, sql`${sql.ref(column)} + ${by}`] as const;
      });
      const rows: Row[] = [];
      for (const id of ids) {
        const changes = { ...forms.toColumns(model, id, fields), ...Object.fromEntries(sums) };
        if (Object.keys(changes).length === 0) continue;
        const query = tx.updateTable(model.table as 'users').set(changes as object);
        rows.push(...((await query.where('id', '=', id).returningAll().execute()) as unknown as Row[]));
        await changed(tx, 'updated', model, rows.slice(-1), changes);
      }
      return rows.map((row) => forms.toRecord(model, row, where));
    });
  };

  const remove = (modelName: string, where: Clauses, options: { one?: true } = {}) => {
    const model = modelOf(modelName);
    return write(async (tx) => {
      const found = await forms.select(tx, model, where);
      const ids = (options.one ? found.slice(0, 1) : found).map((row) => String(row['id']));
      if (ids.length === 0) return [];
      const query = tx.deleteFrom(model.table as 'users').where('id', 'in', ids);
      const rows = (await query.returningAll().execute()) as unknown as Row[];
      await changed(tx, 'deleted', model, rows, {});
      return rows.map((row) => forms.toRecord(model, row, where));
    });
  };

  return {
    create: async <T extends Row>({ model: name, data }: { model: string; data: T }): Promise<T> => {
      const model = modelOf(name);
      const id = typeof data['id'] === 'string' ? data['id'] : newId();
      const row: Row = { ...model.fixed, ...forms.toColumns(model, id, data), id };
      if (model.table === 'sessions') row['last_used_at'] = row['created_at'];
      await write(async (tx) => {
        const made = { ...row, ...(await epochColumns(tx, model, row)) };
        await tx
          .insertInto(model.table as 'users')
          .values(made as never)
          .execute();
        await auditChange(tx, { table: model.table, write: 'created', row: made, changes: made });
      });
      return { ...data, id };
    },
    findOne: async <T>({ model: name, where }: { model: string; where: Clauses }): Promise<T | null> => {
      const model = modelOf(name);
      const [row] = await forms.select(read, model, where, { limit: 1 });
      return row ? (forms.toRecord(model, row, where) as T) : null;
    },
    findMany: async <T>(query: {
      model: string;
      where?: Clauses | undefined;
      limit: number;
      offset?: number | undefined;
      sortBy?: { field: string; direction: 'asc' | 'desc' } | undefined;
    }): Promise<T[]> => {
      const model = modelOf(query.model);
      const { where = [], ...page } = query;
      const rows = await forms.select(read, model, where, page);
      return rows.map((row) => forms.toRecord(model, row, where) as T);
    },
    count: async ({ model: name, where = [] }: { model: string; where?: Clauses | undefined }) =>
      (await forms.select(read, modelOf(name), where)).length,
    update: async <T>(query: { model: string; where: Clauses; update: T }): Promise<T | null> => {
      const rows = await update(query.model, query.where, query.update as Row);
      return (rows[0] as T | undefined) ?? null;
    },
    updateMany: async (query: { model: string; where: Clauses; update: Row }) =>
      (await update(query.model, query.where, query.update)).length,
    delete: async ({ model, where }: { model: string; where: Clauses }) => {
      await remove(model, where);
    },
    deleteMany: async ({ model, where }: { model: string; where: Clauses }) =>
      (await remove(model, where)).length,
    consumeOne: async <T>({ model, where }: { model: string; where: Clauses }): Promise<T | null> =>
      ((await remove(model, where, { one: true }))[0] as T | undefined) ?? null,
    incrementOne: async <T>(query: {
      model: string;
      where: Clauses;
      increment: Record<string, number>;
      set?: Row | undefined;
    }): Promise<T | null> => {
      const rows = await update(query.model, query.where, query.set ?? {}, query.increment);
      return (rows[0] as T | undefined) ?? null;
    },
  };
}

/** Links and ceremonies of somebody whose epoch is another since are not there. */
const standing = sql<SqlBool>`(user_id is null or epoch = (select u.epoch from users u where u.id = verifications.user_id))`;

type Columns = ExpressionBuilder<Tables, 'users'>;

/** What better-auth says, in the form in which it is kept, and back. */
class Forms {
  readonly #vault: Vault;

  constructor(vault: Vault) {
    this.#vault = vault;
  }

  column({ table, columns }: Model, field: string): string {
    const column = columns[field];
    if (!column) throw new Error(`better-auth asked for "${field}" of ${table}, which is not kept.`);
    return column;
  }

  toColumns(model: Model, id: string, data: Row): Row {
    const row: Row = {};
    for (const [field, value] of Object.entries(data)) {
      const column = model.columns[field];
      if (column && value !== undefined) row[column] = this.#kept(column, value);
    }
    return model.table === 'two_factors' ? sealRow(this.#vault, id, row) : row;
  }

  toRecord({ table, columns }: Model, kept: Row, where: Clauses): Row {
    const row = table === 'two_factors' ? unsealRow(this.#vault, kept) : kept;
    const record: Row = {};
    for (const [field, column] of Object.entries(columns)) record[field] = row[column];
    // Who came with a token gets it back: better-auth puts it into the cookie again.
    const presented = where.find(({ field, operator }) => field === 'token' && operator === 'eq')?.value;
    if (typeof presented === 'string') record['token'] = presented;
    return record;
  }

  async select(
    on: Db | Tx,
    model: Model,
    where: Clauses,
    page: {
      limit?: number;
      offset?: number | undefined;
      sortBy?: { field: string; direction: 'asc' | 'desc' } | undefined;
    } = {},
  ): Promise<Row[]> {
    const { limit, offset, sortBy } = page;
    const [sealed, plain] = split(where, ({ field }) => isSealed(model, field));
    let query = on.selectFrom(model.table as 'users').selectAll();
    if (plain.length > 0) query = query.where((eb) => this.#condition(eb, model, plain));
    if (model.table === 'verifications') query = query.where(standing);
    if (sortBy) query = query.orderBy(sql.ref(this.column(model, sortBy.field)), sortBy.direction);
    if (limit !== undefined) query = query.limit(limit);
    if (offset) query = query.offset(offset);
    const rows = (await query.execute()) as unknown as Row[];
    noteEpochs(model, rows);
    if (sealed.length === 0) return rows;
    // Sealed twice, the same value is two others: compared once it is opened.
    const opens = (row: Row) =>
      sealed.every(({ field, value }) => this.toRecord(model, row, [])[field] === value);
    return rows.filter(opens);
  }

  /** Those joined by OR hold together as one of the conditions. */
  #condition(eb: Columns, model: Model, where: Clauses): Expression<SqlBool> {
    const [either, all] = split(where, ({ connector }) => connector === 'OR');
    const conditions = all.map((clause) => this.#clause(eb, model, clause));
    if (either.length > 0) conditions.push(eb.or(either.map((clause) => this.#clause(eb, model, clause))));
    return eb.and(conditions);
  }

  #clause(eb: Columns, model: Model, clause: CleanedWhere): Expression<SqlBool> {
    const { operator, value } = clause;
    const aliased = clause.field === 'email' && typeof value === 'string' ? idOfAlias(value) : undefined;
    if (aliased) return eb('id', '=', aliased);
    const column = this.column(model, clause.field);
    const ref = sql.ref(column);
    if (operator === 'in' || operator === 'not_in') {
      const values = (value as unknown[]).filter((item) => couldBe(column, item));
      const among = values.length > 0 ? eb(ref, 'in', this.#keptAll(column, values)) : sql<SqlBool>`1 = 0`;
      return operator === 'in' ? among : eb.not(among);
    }
    const comparison = comparisons[operator ?? 'eq'];
    if (!comparison) throw new Error(`better-auth asked for "${operator}", which nothing here needs.`);
    if (value === null) return eb(ref, operator === 'ne' ? 'is not' : 'is', null);
    if (!couldBe(column, value)) return operator === 'ne' ? sql<SqlBool>`1 = 1` : sql<SqlBool>`1 = 0`;
    return eb(ref, comparison, this.#kept(column, value));
  }

  #keptAll(column: string, values: readonly unknown[]): unknown[] {
    return values.map((value) => this.#kept(column, value));
  }

  #kept(column: string, value: unknown): unknown {
    return column === 'token_digest' ? sessionDigest(this.#vault, String(value)) : value;
  }
}

const comparisons: Partial<Record<string, '=' | '!=' | '<' | '<=' | '>' | '>='>> = {
  eq: '=',
  ne: '!=',
  lt: '<',
  lte: '<=',
  gt: '>',
  gte: '>=',
};

/** PostgreSQL refuses to compare a UUID with text that is none. */
function couldBe(column: string, value: unknown): boolean {
  return (column !== 'id' && column !== 'user_id') || (typeof value === 'string' && isId(value));
}

function isSealed({ table }: Model, field: string): boolean {
  return table === 'two_factors' && (field === 'secret' || field === 'backupCodes');
}

function split<T>(items: readonly T[], test: (item: T) => boolean): [T[], T[]] {
  return [items.filter(test), items.filter((item) => !test(item))];
}
