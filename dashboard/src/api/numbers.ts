const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

/** 1,234 in full; from a hundred thousand on 123.5K. Counts of sampled lines are weighted, and rounded here. */
export function countText(value: number): string {
  return value < 100_000 ? Math.round(value).toLocaleString('en') : compact.format(value);
}

/** 1 object, 2 objects. */
export function counted(count: number, what: string): string {
  return `${countText(count)} ${what}${count === 1 ? '' : 's'}`;
}

export function percentText(part: number, whole: number): string {
  return whole === 0 ? '–' : hundredthsText((100 * part) / whole);
}

/** A number that is in percent already. */
export function hundredthsText(value: number): string {
  return `${value.toLocaleString('en', { maximumFractionDigits: 1 })}%`;
}

const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];

export function bytesText(count: number | null): string {
  if (count === null) return '–';
  const power = count < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(count) / 10));
  const value = count / 1024 ** power;
  return `${value.toLocaleString('en', { maximumFractionDigits: value < 100 ? 1 : 0 })} ${units[power]}`;
}

export function millisecondsText(milliseconds: number | null): string {
  if (milliseconds === null) return '–';
  if (milliseconds >= 10_000) return `${(milliseconds / 1000).toFixed(1)} s`;
  return `${milliseconds < 10 ? milliseconds.toFixed(1) : Math.round(milliseconds).toLocaleString('en')} ms`;
}

/** Dollars to the cent, of millionths; what is less than a cent says so. */
export function costText(micros: number): string {
  if (micros > 0 && micros < 10_000) return '< $0.01';
  return (micros / 1e6).toLocaleString('en', { style: 'currency', currency: 'USD' });
}

export const microsText = (micros: number) => `${micros.toLocaleString('en')} micro-dollars`;
