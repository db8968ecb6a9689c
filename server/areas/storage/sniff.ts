/** What the first bytes say that something is; undefined: they say nothing. */
export function sniffContentType(head: Uint8Array): string | undefined {
  for (const [type, offset, magic] of signatures) {
    if (head.length < offset + magic.length) continue;
    if (magic.every((byte, at) => head[offset + at] === byte)) return refine(type, head);
  }
  return undefined;
}

const ascii = (text: string) => [...Buffer.from(text, 'latin1')];

const signatures: readonly [type: string, offset: number, magic: readonly number[]][] = [
  ['image/png', 0, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  ['image/jpeg', 0, [0xff, 0xd8, 0xff]],
  ['image/gif', 0, ascii('GIF8')],
  ['riff', 0, ascii('RIFF')],
  ['ftyp', 4, ascii('ftyp')],
  ['image/bmp', 0, ascii('BM')],
  ['image/x-icon', 0, [0, 0, 1, 0]],
  ['image/tiff', 0, [0x49, 0x49, 0x2a, 0]],
  ['image/tiff', 0, [0x4d, 0x4d, 0, 0x2a]],
  ['application/pdf', 0, ascii('%PDF-')],
  ['application/zip', 0, [0x50, 0x4b, 3, 4]],
  ['application/gzip', 0, [0x1f, 0x8b, 8]],
  ['application/zstd', 0, [0x28, 0xb5, 0x2f, 0xfd]],
  ['application/x-xz', 0, [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0]],
  ['application/x-7z-compressed', 0, [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c]],
  ['application/wasm', 0, [0, 0x61, 0x73, 0x6d]],
  ['video/webm', 0, [0x1a, 0x45, 0xdf, 0xa3]],
  ['application/ogg', 0, ascii('OggS')],
  ['audio/flac', 0, ascii('fLaC')],
  ['audio/mpeg', 0, ascii('ID3')],
  ['audio/mpeg', 0, [0xff, 0xfb]],
  ['font/woff', 0, ascii('wOFF')],
  ['font/woff2', 0, ascii('wOF2')],
];

const riffKinds = new Map([
  ['WEBP', 'image/webp'],
  ['WAVE', 'audio/wav'],
  ['AVI ', 'video/x-msvideo'],
]);

function refine(type: string, head: Uint8Array): string | undefined {
  const four = Buffer.from(head.subarray(8, 12)).toString('latin1');
  if (type === 'riff') return riffKinds.get(four);
  if (type !== 'ftyp') return type;
  if (four.startsWith('avi')) return 'image/avif';
  if (/^(heic|heix|mif1)$/.test(four)) return 'image/heic';
  if (four === 'qt  ') return 'video/quicktime';
  if (four.startsWith('M4A')) return 'audio/mp4';
  return 'video/mp4';
}

const types = new Map(
  Object.entries({
    avif: 'image/avif',
    css: 'text/css; charset=utf-8',
    csv: 'text/csv; charset=utf-8',
    gif: 'image/gif',
    gz: 'application/gzip',
    htm: 'text/html; charset=utf-8',
    html: 'text/html; charset=utf-8',
    ico: 'image/x-icon',
    jpeg: 'image/jpeg',
    jpg: 'image/jpeg',
    js: 'text/javascript; charset=utf-8',
    json: 'application/json',
    md: 'text/markdown; charset=utf-8',
    mjs: 'text/javascript; charset=utf-8',
    mp3: 'audio/mpeg',
    mp4: 'video/mp4',
    ogg: 'audio/ogg',
    pdf: 'application/pdf',
    png: 'image/png',
    svg: 'image/svg+xml',
    tar: 'application/x-tar',
    txt: 'text/plain; charset=utf-8',
    wasm: 'application/wasm',
    wav: 'audio/wav',
    webm: 'video/webm',
    webmanifest: 'application/manifest+json',
    webp: 'image/webp',
    woff: 'font/woff',
    woff2: 'font/woff2',
    xml: 'application/xml',
    yaml: 'application/yaml',
    yml: 'application/yaml',
    zip: 'application/zip',
  }),
);

/** By the bytes where they are certain, else by the end of the key. */
export function contentTypeFor(key: string, head: Uint8Array): string | null {
  const end = key.slice(key.lastIndexOf('.') + 1).toLowerCase();
  const byName = types.get(end);
  const byBytes = sniffContentType(head);
  // A picture that is called .html stays a picture; a .docx, whose bytes are those of a ZIP, is known by neither.
  if (byBytes !== undefined && (byName === undefined || !byBytes.startsWith('application/'))) return byBytes;
  return byName ?? null;
}
