import type { Context } from './context.ts';
import type { Description, Given } from './describe.ts';

/** What a command does; a number is its exit code. */
// biome-ignore lint/suspicious/noConfusingVoidType: most commands end with nothing to say.
export type Run<D extends Description> = (context: Context, given: Given<D>) => Promise<number | void>;
