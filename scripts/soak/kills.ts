import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { engines, testHome } from '../../server/testing/engines.ts';
import { fetchToken } from '../../server/testing/instance.ts';
import { after, bootstrapped, type Campaign, randomBetween, startServer } from './campaign.ts';
import { Ledger } from './ledger.ts';

/** kill -9 of the server under writes, again and again. */
export const kills: Campaign[] = engines.map((engine) => ({
  name: `kill -9 of the server (${engine})`,
  async run(seconds) {
    await using home = await testHome(engine);
    const settings = { ...home.settings, MAINSTAY_BASE_URL: 'http://mainstay.test' };
    const keys = await bootstrapped(settings);
    const ledger = new Ledger();
    const isOver = after(seconds);
    let count = 0;
    do {
      const server = await startServer(settings);
      const token = await fetchToken(server.url, keys.user);
      let dead = false;
      const load = ledger.load({
        writers: 6,
        isOver: () => dead,
        target: () => ({ url: server.url, token }),
      });
      // On a slow machine nothing has been acknowledged by then, and a kill would prove nothing.
      const before = ledger.acknowledged.size;
      const isLate = after(20);
      await sleep(randomBetween(100, 600));
      while (ledger.acknowledged.size === before && !isLate()) await sleep(randomBetween(1, 50));
      await server.end('SIGKILL');
      dead = true;
      await load;
      count++;
    } while (!isOver());
    await using server = await startServer(settings);
    assert.ok(ledger.acknowledged.size > 0, 'nothing was acknowledged: no kill proved anything');
    return `${count} kills: ${await ledger.verify(settings, server.url)}`;
  },
}));
