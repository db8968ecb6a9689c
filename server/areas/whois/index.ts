import type { Area, OpenedArea, Parts } from '#http/area.ts';
import { whoisMetrics } from './metrics.ts';
import { whoisRoutes } from './routes.ts';
import { Whois } from './service.ts';
import { whoisSettings } from './settings.ts';

export const area = {
  settings: { heading: 'Whois', group: whoisSettings },
  transientTables: ['whois_answers'],
  products: { whois: 'Whois' },
} satisfies Area;

export async function open(
  parts: Parts<'db' | 'clock' | 'log' | 'dataDir', typeof whoisSettings>,
): Promise<OpenedArea> {
  const { db, clock, log, dataDir, settings } = parts;
  const whois = await Whois.open({
    ...{ db, clock, log, metrics: whoisMetrics() },
    settings: { ...settings, dataDir },
  });
  return {
    routes: [whoisRoutes({ whois })],
    tasks: [{ everySeconds: 3600, name: 'sweep whois answers', work: () => whois.sweep() }],
    close: () => whois.settle(),
  };
}
