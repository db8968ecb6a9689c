import { accountOf } from '../core/account.ts';
import type { Run } from '../core/run.ts';
import type { aiModels } from '../descriptions/more.ts';

export const run: Run<typeof aiModels> = async (context, { options }) => {
  const { out } = context;
  const client = await context.client();
  const { items } = await client.ai.models(await accountOf(context, options));
  const query = (options.query ?? '').toLowerCase();
  const found = items.filter(({ id, name }) => `${id} ${name}`.toLowerCase().includes(query));
  // Catalogue prices are in dollars for a million tokens.
  const price = (value: number | undefined) => (value === undefined ? null : `$${value}`);
  out.result(found, () => {
    if (found.length === 0)
      return out.note('No models are available. An owner adds providers in the dashboard, under AI.');
    out.table(found, [
      { title: 'Id', value: ({ id }) => id, style: out.paint.bold },
      { title: 'Name', value: ({ name }) => name },
      { title: 'Context', value: ({ contextWindow }) => contextWindow, isFixed: true, alignsRight: true },
      { title: 'Input', value: ({ prices }) => price(prices?.input), isFixed: true, alignsRight: true },
      { title: 'Output', value: ({ prices }) => price(prices?.output), isFixed: true, alignsRight: true },
    ]);
  });
};
