import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { type CityResponse, Reader } from 'mmdb-lib';
import { agentFamily, isBot } from '#core/logs/agents.ts';
import type { Entry } from '#core/logs/entry.ts';
import { headerSanitiser } from '#core/logs/headers.ts';
import { remembered } from '#core/logs/remembered.ts';
import type { RequestOptions } from '#core/logs/request-options.ts';
import { cut, maskAddress, maskQuery, maskText, momentOf, truncateAddress } from '#core/logs/sanitise.ts';
import { type CacheStatus, cacheStatuses, type RequestLine } from '#core/request-log.ts';

const max = { path: 2048, query: 2048, userAgent: 512, referer: 1024, error: 2048, name: 255 };
/** A program that does not say what it is. */
const noAgent = { bot: true, family: null, shown: null };
const noReferer = { host: null, shown: null };
/** Those that were answered with what the cache held. */
const hits: ReadonlySet<CacheStatus> = new Set(['hit', 'stale', 'updating', 'revalidated'] as const);

export async function requestEntry(
  options: RequestOptions,
): Promise<(line: RequestLine & { weight?: number }) => Entry> {
  const reading: Reading = {
    countryOf: await countries(options.countriesFile),
    sanitise: headerSanitiser(options.addresses),
    agentOf: remembered((text) => ({
      bot: isBot(text),
      family: agentFamily(text),
      shown: cut(text, max.userAgent),
    })),
    refererOf: remembered((text) => ({ host: hostOf(text), shown: cut(maskAddress(text), max.referer) })),
    shownAddress: (address) => truncateAddress(address, options.addresses),
  };
  return (line) => toEntry(line, reading);
}

/** What is found out about a line's texts. */
interface Reading {
  countryOf: CountryOf;
  sanitise: ReturnType<typeof headerSanitiser>;
  agentOf: (userAgent: string) => { bot: boolean; family: string | null; shown: string };
  refererOf: (referer: string) => { host: string | null; shown: string };
  shownAddress: (address: string) => string | null;
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

function toEntry(line: RequestLine & { weight?: number }, reading: Reading): Entry {
  const text = (value: string | undefined, length: number) =>
    value === undefined ? null : cut(value, length);
  const header = (name: string) => {
    const value = line.requestHeaders[name];
    return Array.isArray(value) ? value[0] : value;
  };
  const userAgent = header('user-agent');
  const agent = userAgent === undefined ? noAgent : reading.agentOf(userAgent);
  const refererText = header('referer');
  const referer = refererText === undefined ? noReferer : reading.refererOf(refererText);
  const { country, subdivision } = reading.countryOf(line.address);
  const requestHeaders = reading.sanitise(line.requestHeaders);
  const responseHeaders = reading.sanitise(line.responseHeaders);
  const cacheStatus = cacheStatuses.find((status) => status === line.cacheStatus) ?? null;
  const cacheHit = cacheStatus === null ? null : hits.has(cacheStatus);
  const path = cut(maskText(line.path), max.path);
  const hostname = cut(line.hostname.toLowerCase(), max.name);
  const method = cut(line.method, 32);
  const error = line.error === undefined ? null : cut(maskText(line.error), max.error);
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
      userAgent: agent.shown,
      referer: referer.shown,
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
    ...{ bot: agent.bot, error, truncated },
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
      Number(agent.bot),
      referer.host,
      agent.family,
      error,
      bytesSent ?? line.responseBodyBytes ?? null,
      durationMs,
    ],
    body: JSON.stringify(body),
    detail:
      `{"requestHeaders":${requestHeaders.json},"responseHeaders":${responseHeaders.json},` +
      `"clientAddress":${line.address === undefined ? null : JSON.stringify(reading.shownAddress(line.address))},` +
      `"clientSubdivision":${JSON.stringify(subdivision)}}`,
  };
}

function reference<T extends object>(
  id: string | undefined,
  shown: T | undefined,
): ({ id: string } & T) | null {
  return id === undefined ? null : ({ id, ...shown } as { id: string } & T);
}

/** Of the page that led here, what may be counted: its host. */
function hostOf(referer: string): string | null {
  const host = /^https?:\/\/(?:[^/@\s?#]{0,256}@)?([^/:?#\s]{1,255})/i.exec(referer.slice(0, 600))?.[1];
  return host?.toLowerCase() ?? null;
}
