import { newId } from '../../server/core/ids.ts';
import type { RequestLine } from '../../server/core/request-log.ts';
import type { Dice } from '../../server/testing/dice.ts';

/** Requests of a busy shop: repeatable, with values as skewed as real ones. */

export const day = 86_400_000;

const agents = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'curl/8.9.1',
];
const methods = ['GET', 'GET', 'GET', 'GET', 'GET', 'GET', 'GET', 'POST', 'POST', 'PUT', 'DELETE'];
const statuses = [
  ...Array(80).fill(200),
  ...Array(8).fill(304),
  ...Array(6).fill(404),
  301,
  302,
  400,
  401,
  500,
  503,
];
const cacheStatuses = ['hit', 'hit', 'hit', 'miss', 'bypass', 'stale'] as const;
const regions = ['eu-1', 'us-1', 'ap-1'];

function id(kind: number, number: number): string {
  return `0195c11c-${kind.toString(16).padStart(4, '0')}-7000-8000-${number.toString(16).padStart(12, '0')}`;
}

export const ids = {
  application: id(1, 1),
  deployment: (number: number) => id(2, number),
  bucket: (number: number) => id(3, number),
  object: (number: number) => id(4, number),
};

export function benchLine(dice: Dice, startedAt: number): RequestLine {
  const isStored = dice.next() < 0.3;
  const status = dice.of(statuses) as number;
  const object = dice.skewed(200_000);
  const path = isStored
    ? `/files/${object % 50}/${object}.jpg`
    : `/products/${dice.skewed(40)}/${dice.skewed(5000)}`;
  return {
    id: newId(startedAt),
    organizationId: id(0, 1),
    applicationId: ids.application,
    ...(isStored
      ? { storageBucketId: ids.bucket(object % 3), storageObjectId: ids.object(object) }
      : { deploymentId: ids.deployment(dice.skewed(60)) }),
    method: dice.of(methods),
    hostname: `${dice.of(['www', 'shop', 'api', 'cdn'])}.example.com`,
    path,
    ...(dice.next() < 0.2 ? { query: `page=${dice.skewed(100)}&sort=price` } : {}),
    protocol: 'HTTP/2',
    address: `203.0.${Math.floor(dice.next() * 256)}.${Math.floor(dice.next() * 256)}`,
    requestHeaders: {
      host: 'shop.example.com',
      'user-agent': dice.of(agents),
      accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
      'accept-encoding': 'gzip, deflate, br',
      'accept-language': 'de-DE,de;q=0.9,en;q=0.8',
      referer: `https://www.example.com/products/${dice.skewed(40)}`,
      cookie: 'session=0123456789abcdef',
    },
    responseHeaders: {
      'content-type': isStored ? 'image/jpeg' : 'text/html; charset=utf-8',
      'content-length': 1000 + dice.skewed(100_000),
      etag: `"${dice.skewed(5000).toString(16)}"`,
    },
    status,
    cacheStatus: dice.of(cacheStatuses),
    region: dice.of(regions),
    responseBodyBytes: 1000 + dice.skewed(100_000),
    bytesSent: 1200 + dice.skewed(100_000),
    durationMs: Math.round(1000 * (1 + 2000 * dice.next() ** 8)) / 1000,
    ...(status >= 500 ? { error: 'The function did not answer in time.' } : {}),
    startedAt,
    completedAt: startedAt + 10,
  };
}
