import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { type CityResponse, Reader } from 'mmdb-lib';
import { agentFamily, isBot } from '#core/logs/agents.ts';
import type { Entry } from '#core/logs/entry.ts';
import type { RequestOptions } from '#core/logs/request-options.ts';
import {
  cut,
  maskAddress,
  maskQuery,
  maskText,
  momentOf,
  sanitiseHeaders,
  truncateAddress,
} from '#core/logs/sanitise.ts';
import { type CacheStatus, cacheStatuses, type RequestLine } from '#core/request-log.ts';

const max = { path: 2048, query: 2048, userAgent: 512, referer: 1024, error: 2048, name: 255 };
/** Those that were answered with what the cache held. */
const hits: ReadonlySet<CacheStatus> = new Set(['hit', 'stale', 'updating', 'revalidated'] as const);

export async function requestEntry(
  options: RequestOptions,
): Promise<(line: RequestLine & { weight?: number }) => Entry> {
  const countryOf = await countries(options.countriesFile);
  return (line) => toEntry(line, options, countryOf);
}

type CountryOf = (address: string | undefined) => { country: string | null; subdivision: string | null };

/** MaxMind's and DB-IP's databases have the same form, and the same names inside. */
async function countries(file: string | undefined): Promise<CountryOf> {
  const none = { country: null, subdivision: null };
  if (file === undefined) return () => none;
  const reader = new Reader<CityResponse>(await readFile(file));
  return (address) => {
    if (address === undefined || isIP(address) === 0) return none;
    const found = reader.get(address);
    return {
      country: found?.country?.iso_code ?? null,
      subdivision: found?.subdivisions?.[0]?.iso_code ?? null,
    };
  };
}

function toEntry(
  line: RequestLine & { weight?: number },
  options: RequestOptions,
  countryOf: CountryOf,
): Entry {
  const text = (value: string | undefined, length: number) =>
    value === undefined ? null : cut(value, length);
  const header = (name: string) => {
    const value = line.requestHeaders[name];
    return Array.isArray(value) ? value[0] : value;
  };
  const userAgent = header('user-agent');
  const referer = header('referer');
  const { country, subdivision } = countryOf(line.address);
  const requestHeaders = sanitiseHeaders(line.requestHeaders, options.addresses);
  const responseHeaders = sanitiseHeaders(line.responseHeaders, options.addresses);
  const cacheStatus = cacheStatuses.find((status) => status === line.cacheStatus) ?? null;
  const cacheHit = cacheStatus === null ? null : hits.has(cacheStatus);
  const path = cut(maskText(line.path), max.path);
  const hostname = cut(line.hostname.toLowerCase(), max.name);
  const method = cut(line.method, 32);
  const error = line.error === undefined ? null : cut(maskText(line.error), max.error);
  const bot = isBot(userAgent);
  const query = line.query === undefined || line.query === '' ? null : cut(maskQuery(line.query), max.query);
  const truncated =
    requestHeaders.isCut ||
    responseHeaders.isCut ||
    line.path.length > max.path ||
    (line.query?.length ?? 0) > max.query ||
    (userAgent?.length ?? 0) > max.userAgent ||
    (line.error?.length ?? 0) > max.error;
  const region = text(line.region, max.name);
  const edgeLocation = text(line.edgeLocation, max.name);
  const bytesSent = line.bytesSent ?? null;
  const durationMs = line.durationMs ?? null;
  const body = {
    deploymentId: line.deploymentId ?? null,
    deploymentFunction: reference(line.deploymentFunctionId, line.deploymentFunction),
    deploymentAsset: reference(line.deploymentAssetId, line.deploymentAsset),
    storageBucket: reference(line.storageBucketId, line.storageBucket),
    storageObject: reference(line.storageObjectId, line.storageObject),
    request: {
      ...{ method, hostname, path, query, country },
      protocol: text(line.protocol, 32),
      userAgent: text(userAgent, max.userAgent),
      referer: referer === undefined ? null : cut(maskAddress(referer), max.referer),
    },
    response: { status: line.status, cacheStatus, cacheHit, region, edgeLocation },
    metrics: {
      requestBodyBytes: line.requestBodyBytes ?? null,
      responseBodyBytes: line.responseBodyBytes ?? null,
      bytesSent,
      durationMs,
    },
    startedAt: line.startedAt,
    completedAt: line.completedAt ?? null,
    ...{ bot, error, truncated },
  };
  return {
    id: line.id,
    scope: line.applicationId,
    at: momentOf(line.startedAt),
    weight: line.weight ?? 1,
    values: [
      line.deploymentId ?? null,
      line.deploymentFunctionId ?? null,
      line.deploymentAssetId ?? null,
      line.storageBucketId ?? null,
      line.storageObjectId ?? null,
      method,
      line.status,
      line.status === null ? 0 : Math.floor(line.status / 100),
      hostname,
      path,
      country,
      region,
      edgeLocation,
      cacheStatus,
      cacheHit === null ? null : Number(cacheHit),
      Number(bot),
      hostOf(referer),
      agentFamily(userAgent),
      error,
      bytesSent ?? line.responseBodyBytes ?? null,
      durationMs,
    ],
    body: JSON.stringify(body),
    detail: JSON.stringify({
      requestHeaders: requestHeaders.headers,
      responseHeaders: responseHeaders.headers,
      clientAddress: line.address === undefined ? null : truncateAddress(line.address, options.addresses),
      clientSubdivision: subdivision,
    }),
  };
}

function reference<T extends object>(
  id: string | undefined,
  shown: T | undefined,
): ({ id: string } & T) | null {
  return id === undefined ? null : ({ id, ...shown } as { id: string } & T);
}

/** Of the page that led here, what may be counted: its host. */
function hostOf(referer: string | undefined): string | null {
  if (referer === undefined) return null;
  const host = /^https?:\/\/(?:[^/@\s?#]{0,256}@)?([^/:?#\s]{1,255})/i.exec(referer.slice(0, 600))?.[1];
  return host?.toLowerCase() ?? null;
}
