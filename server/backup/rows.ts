/** How rows are written down: one JSON array a line, bytes as `{"$bytes": "<base64>"}`. */

export type Row = Record<string, unknown>;

export function encodeRow(table: string, row: Row): string {
  const plain: Row = {};
  for (const [column, value] of Object.entries(row)) {
    plain[column] = value instanceof Uint8Array ? { $bytes: Buffer.from(value).toString('base64') } : value;
  }
  return JSON.stringify([table, plain]);
}

export function decodeRow(line: string): { table: string; row: Row } {
  const [table, row] = JSON.parse(line) as [string, Row];
  for (const [column, value] of Object.entries(row)) {
    if (value !== null && typeof value === 'object') {
      row[column] = Buffer.from((value as { $bytes: string }).$bytes, 'base64');
    }
  }
  return { table, row };
}
