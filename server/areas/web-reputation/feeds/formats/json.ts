import type { Found } from './format.ts';

/** Where the names of a JSON document are. */
export interface Place {
  /** Leads to the names, dots between the steps. */
  readonly path?: string;
  /** What holds the name, or several names, where the names are objects. */
  readonly field?: string;
  /** Of objects, only those with one of these texts in the field: `{ "category": ["ad"] }`. */
  readonly where?: Readonly<Record<string, readonly string[]>>;
}

/**
 * A JSON document. What stands where the path leads is a list of names, an object whose keys are names, or a list of objects.
 * Throws where it leads elsewhere.
 */
export function json(text: string, found: Found, { path, ...place }: Place): void {
  let value: unknown = JSON.parse(text);
  for (const step of path?.split('.') ?? []) value = (value as Record<string, unknown> | null)?.[step];
  takeNames(value, found, place);
}

/** The same for a value that is at hand already. */
export function takeNames(value: unknown, found: Found, { field, where }: Omit<Place, 'path'> = {}): void {
  if (typeof value !== 'object' || value === null)
    throw new Error('There is no list of names where the path leads.');
  const isIterable = Symbol.iterator in value;
  for (const item of isIterable ? (value as Iterable<unknown>) : Object.keys(value)) {
    if (where && !isMeant(item, where)) continue;
    const names = field ? (item as Record<string, unknown> | null)?.[field] : item;
    // A name with a star means what is below it, and so does a name without.
    for (const name of [names].flat()) if (typeof name === 'string') found.name(name.replace(/^\*\./, ''));
  }
}

function isMeant(item: unknown, where: Readonly<Record<string, readonly string[]>>): boolean {
  const fields = (item ?? {}) as Record<string, unknown>;
  return Object.entries(where).every(([field, texts]) => texts.includes(String(fields[field])));
}
