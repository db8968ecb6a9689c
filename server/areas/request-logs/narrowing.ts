import { Problem } from '#core/problem.ts';

/** Pieces of the queries by which lines are narrowed down. Each throws `Problem('invalid_request')` that names its parameter. */

const maxValues = 50;

/** Values separated by commas; undefined when there are none. */
export function listOf(
  name: string,
  text: string | undefined,
  accepts: (item: string) => boolean = () => true,
  expected = '',
): string[] | undefined {
  if (text === undefined) return undefined;
  const items = text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
  if (items.length === 0) return undefined;
  if (items.length > maxValues)
    throw new Problem(
      'invalid_request',
      `The query parameter "${name}" must have at most ${maxValues} values.`,
    );
  if (!items.every(accepts))
    throw new Problem('invalid_request', `The query parameter "${name}" must be ${expected}.`);
  return items;
}
