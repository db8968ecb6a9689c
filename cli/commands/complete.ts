import { candidates } from '../completion/candidates.ts';
import type { Run } from '../core/run.ts';
import type { complete } from '../descriptions/more.ts';

/** What the completions of the shells ask. The last word is the one that is being typed. */
export const run: Run<typeof complete> = async (context, { arguments: { words } }) => {
  const { profiles } = await context.profiles.all();
  for (const { word, summary } of candidates(context.root, words, [...profiles.keys()]))
    context.out.line(`${word}\t${summary}`);
};
