const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

/** 1,234 in full; from a hundred thousand on 123.5K. */
export function countText(value: number): string {
  return value < 100_000 ? value.toLocaleString('en') : compact.format(value);
}

/** 1 object, 2 objects. */
export function counted(count: number, what: string): string {
  return `${countText(count)} ${what}${count === 1 ? '' : 's'}`;
}

export function percentText(part: number, whole: number): string {
  return whole === 0
    ? '–'
    : `${((part / whole) * 100).toLocaleString('en', { maximumFractionDigits: part === whole ? 0 : 1 })}%`;
}

const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

export function bytesText(count: number): string {
  const power = count < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(count) / 10));
  return `${(count / 1024 ** power).toLocaleString('en', { maximumFractionDigits: 1 })} ${units[power]}`;
}

/** Dollars to the cent, of millionths; what is less than a cent says so. */
export function costText(micros: number): string {
  if (micros > 0 && micros < 10_000) return '< $0.01';
  return (micros / 1e6).toLocaleString('en', { style: 'currency', currency: 'USD' });
}

export const microsText = (micros: number) => `${micros.toLocaleString('en')} micro-dollars`;
