import { test } from 'node:test';
import { campaigns } from './campaigns.ts';

/** The short share of `npm run soak`: some of its campaigns, for a moment. The long one is for nights. */
for (const { name, missing, short, run } of campaigns) {
  if (!short) continue;
  const lacking = missing?.();
  test(`under fire: ${name}`, { skip: lacking ? `this machine lacks ${lacking}` : false }, async (t) => {
    t.diagnostic(await run(1));
  });
}
