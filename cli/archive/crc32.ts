import * as zlib from 'node:zlib';

/** The checksum of ZIP; `value` is that of the bytes before. */
export function crc32(data: Uint8Array, value = 0): number {
  // Node has it since 20.15.
  const native = (zlib as { crc32?: (data: Uint8Array, value?: number) => number }).crc32;
  if (native) return native(data, value);
  let crc = ~value;
  for (const byte of data) crc = (table[(crc ^ byte) & 0xff] as number) ^ (crc >>> 8);
  return ~crc >>> 0;
}

const table = Array.from({ length: 256 }, (_, at) => {
  let crc = at;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc >>> 0;
});
