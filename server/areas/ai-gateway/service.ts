import { systemClock } from '#core/clock.ts';
import type { Db } from '#core/db.ts';
import { priceLists, readPriceFile } from './catalogue/price-list.ts';

const oldMilliseconds = 30 * 86_400_000;

/** For `doctor`: where prices of models come from and how old they are. Throws what the operator should see to. */
export async function describePrices(
  db: Db,
  config: { aiCatalogueFile: string | undefined; aiCatalogueUrl: URL | undefined },
): Promise<string> {
  const { aiCatalogueFile: file, aiCatalogueUrl: url } = config;
  const list = file === undefined ? undefined : await readPriceFile(file);
  const lists = await priceLists(db, { file, list, url });
  const texts = lists.map(({ name, asOf, failure }) => {
    const days = asOf === null ? null : Math.floor((systemClock.now() - Date.parse(asOf)) / 86_400_000);
    const age = asOf === null ? 'not fetched yet' : `of ${asOf.slice(0, 10)}, ${days} days old`;
    return `${name}: ${age}${failure === null ? '' : ` (the last attempt failed: ${failure})`}`;
  });
  const last = lists.at(-1);
  const isOld = last?.asOf != null && systemClock.now() - Date.parse(last.asOf) > oldMilliseconds;
  const text = texts.join('; ');
  if (last?.source === 'bundled')
    return isOld ? `${text}. MAINSTAY_AI_CATALOGUE_FILE or MAINSTAY_AI_CATALOGUE_URL bring newer ones` : text;
  if (last?.failure != null) throw new Error(`${text}. What was fetched before holds.`);
  if (isOld) throw new Error(`${text}. Bring it up to date.`);
  return text;
}
