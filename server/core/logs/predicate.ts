import type { LogFilter } from '#core/log-store.ts';

export type Value = string | number | null;

/** Whether a value of the filter's column (of any of them) fits. */
export function predicate(filter: LogFilter): (value: Value) => boolean {
  if ('in' in filter) {
    const wanted = new Set<Value>(filter.in);
    return (value) => wanted.has(value);
  }
  if ('prefix' in filter) {
    const { prefix } = filter;
    return (value) => typeof value === 'string' && value.startsWith(prefix);
  }
  if ('contains' in filter) {
    const part = filter.contains.toLowerCase();
    return (value) => typeof value === 'string' && value.toLowerCase().includes(part);
  }
  const { min } = filter;
  return (value) => typeof value === 'number' && value >= min;
}

export function columnsOf(filter: LogFilter): readonly string[] {
  return 'columns' in filter ? filter.columns : [filter.column];
}
