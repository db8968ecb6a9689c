const cents = new Intl.NumberFormat('en', { style: 'currency', currency: 'USD' });
const small = new Intl.NumberFormat('en', {
  style: 'currency',
  currency: 'USD',
  minimumFractionDigits: 2,
  maximumFractionDigits: 6,
});

/** Micro-dollars to the cent; below a cent as exact as they are, since most requests cost less. */
export function costText(micros: number): string {
  return micros === 0 || micros >= 10_000 ? cents.format(micros / 1e6) : small.format(micros / 1e6);
}

/** A unit price: micro-dollars per million tokens are read as dollars per million. */
export const priceText = (micros: number | null | undefined) =>
  micros === null || micros === undefined ? '–' : small.format(micros / 1e6);

/** What somebody typed as dollars, in micro-dollars; null where nothing was typed. */
export function microsOf(dollars: string): number | null {
  const text = dollars.trim();
  if (text === '') return null;
  return Math.round(Number(text.replace(/^\$/, '').replaceAll(',', '')) * 1e6);
}

export const dollarsOf = (micros: number | null | undefined) =>
  micros === null || micros === undefined ? '' : String(micros / 1e6);
