import type { Area, OpenedArea, Parts } from '#http/area.ts';
import { adminProductRoutes } from './admin-routes.ts';
import { productRoutes } from './routes.ts';
import { Entitlements, type ProductRegistry, readRegistry } from './service.ts';
import { productSettings } from './settings.ts';

export const area = {
  settings: { heading: 'Products', group: productSettings },
  tables: ['entitlements', 'subscriptions'],
} satisfies Area;

export async function open(
  { db, clock, cacheEntries: max, settings }: Parts<'db' | 'clock' | 'cacheEntries', typeof productSettings>,
  /** Names by slug: what the areas of the platform declare. */
  { ownProducts }: { ownProducts: Readonly<Record<string, string>> },
): Promise<OpenedArea & { registry: ProductRegistry; entitlements: Entitlements }> {
  const registry = await readRegistry(ownProducts, settings.productsFile);
  const entitlements = new Entitlements({ db, registry, max });
  return {
    ...{ registry, entitlements },
    routes: [productRoutes({ db, registry, entitlements }), adminProductRoutes({ db, clock, registry })],
  };
}
