import type { Found } from './format.ts';

/**
 * A JSON document. `path` leads to the names, dots between the steps; what stands there is a list of names, an object
 * whose keys are names, or a list of objects with the name under `field`. Throws where it leads elsewhere.
 */
export function json(text: string, found: Found, options: { path?: string; field?: string }): void {
  let value: unknown = JSON.parse(text);
  for (const step of options.path?.split('.') ?? [])
    value = (value as Record<string, unknown> | null)?.[step];
  takeNames(value, found, options.field);
}

/** The same for a value that is at hand already. */
export function takeNames(value: unknown, found: Found, field?: string): void {
  if (typeof value !== 'object' || value === null)
    throw new Error('There is no list of names where the path leads.');
  const isIterable = Symbol.iterator in value;
  for (const item of isIterable ? (value as Iterable<unknown>) : Object.keys(value)) {
    const name = field ? (item as Record<string, unknown> | null)?.[field] : item;
    if (typeof name === 'string') found.name(name);
  }
}
