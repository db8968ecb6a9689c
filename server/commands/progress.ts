/** Shows on a terminal how far a long piece of work is; says nothing elsewhere. */
export function showRows(done: string): { show: (table: string, rows: number) => void; end: () => void } {
  const { stderr } = process;
  if (!stderr.isTTY) return { show: () => undefined, end: () => undefined };
  return {
    show: (table, rows) => stderr.write(`\r${table}: ${rows} rows ${done}\x1b[K`),
    end: () => stderr.write('\r\x1b[K'),
  };
}
