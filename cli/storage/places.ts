import path from 'node:path';
import { wrongUsage } from '../core/failure.ts';

export type Place =
  | { kind: 'local'; path: string; isFolder: boolean }
  | { kind: 'remote'; bucket: string; key: string; isFolder: boolean }
  | { kind: 'pipe' };

/** `bucket:key`, a path here, or `-`. One letter before the colon is a drive of Windows, and no bucket is that short. */
export function placeOf(text: string): Place {
  if (text === '-') return { kind: 'pipe' };
  const remote = /^([a-z0-9][a-z0-9-]{2,61}):(.*)$/s.exec(text);
  if (remote) {
    const [, bucket = '', key = ''] = remote;
    const clean = key.replace(/^\/+/, '');
    return { kind: 'remote', bucket, key: clean, isFolder: clean === '' || clean.endsWith('/') };
  }
  return { kind: 'local', path: text, isFolder: /[/\\]$/.test(text) || text === '.' || text === '..' };
}

export function remoteOf(text: string): Extract<Place, { kind: 'remote' }> {
  const place = placeOf(text);
  if (place.kind === 'remote') return place;
  throw wrongUsage(`"${text}" is not an object.`, 'Write bucket:path, such as photos:2026/a.jpg.');
}

/** The key of a file that lies at this path below a folder; `separator` is the platform's. */
export function keyOf(prefix: string, relative: string, separator: string = path.sep): string {
  return prefix + relative.split(separator).join('/');
}

/**
 * Where an object of this key goes below a folder. A key may hold anything: one that would leave the folder, or that this
 * platform cannot have as a name, is refused.
 */
export function pathBelow(
  folder: string,
  relative: string,
  platform: NodeJS.Platform = process.platform,
): string {
  const segments = relative.split('/').filter((segment) => segment !== '');
  const isBad = (segment: string) =>
    segment === '.' ||
    segment === '..' ||
    segment.includes('\0') ||
    (platform === 'win32' && (/[<>:"|?*\\\p{Cc}]|[. ]$/u.test(segment) || reserved.test(segment)));
  const bad = segments.find(isBad);
  if (segments.length === 0 || bad !== undefined)
    throw wrongUsage(
      `The object ${JSON.stringify(relative)} cannot be a file here.`,
      'Copy it alone, to a name of your own.',
    );
  return (platform === 'win32' ? path.win32 : path.posix).join(folder, ...segments);
}

const reserved = /^(con|prn|aux|nul|com\d|lpt\d)(\..*)?$/i;
