import type { Compilable, CompiledQuery, Kysely, RawBuilder } from 'kysely';
import type { Db, Tables, Tx } from '#core/db.ts';

/** Stands for a value while the text is made. */
class Place {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/**
 * A query whose text is made once for each database: in a profile, building it took longer than SQLite took to run it.
 * `build` passes the values on as parameters and decides nothing by them; each call gives the same names, none undefined.
 */
export function fixedQuery<Values extends object, Row>(
  build: (db: Kysely<Tables>, values: Values) => Compilable<Row>,
): (db: Kysely<Tables>, values: Values) => Compilable<Row> {
  const known = new WeakMap<object, { text: CompiledQuery<Row>; places: readonly unknown[] }>();
  const make = (db: Kysely<Tables>, values: Values) => {
    const places = Object.fromEntries(Object.keys(values).map((name) => [name, new Place(name)]));
    const text = build(db, places as Values).compile();
    const made = { text, places: text.parameters };
    known.set(db.getExecutor().adapter, made);
    return made;
  };
  return (db, values) => ({
    compile() {
      const { text, places } = known.get(db.getExecutor().adapter) ?? make(db, values);
      const parameters = places.map((place) =>
        place instanceof Place ? values[place.name as keyof Values] : place,
      );
      return { ...text, parameters };
    },
  });
}

/** The same for a query that is written as SQL. */
export function fixedSql<Values extends object, Row = never>(
  build: (values: Values) => RawBuilder<Row>,
): (db: Kysely<Tables>, values: Values) => Compilable<Row> {
  return fixedQuery<Values, Row>((db, values) => ({ compile: () => build(values).compile(db) }));
}

/** The first row of a query, if there is any. */
export async function firstOf<Row>(db: Db | Tx, query: Compilable<Row>): Promise<Row | undefined> {
  return (await db.executeQuery(query.compile())).rows[0];
}
