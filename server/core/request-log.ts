/** What an answer came from, as shared caches name it. */
export const cacheStatuses = ['hit', 'miss', 'bypass', 'revalidated', 'stale', 'updating'] as const;
export type CacheStatus = (typeof cacheStatuses)[number];

/** One answered request, as the gateway, the storage host and the S3 endpoint hand it to the log. */
export interface RequestLine {
  /** UUIDv7 of the moment it started: sorts by time. */
  id: string;
  organizationId: string;
  applicationId: string;
  deploymentId?: string;
  deploymentFunctionId?: string;
  /** What the log shows of the function: it is kept as it was when the request was answered. */
  deploymentFunction?: { name: string | null; path: string; region: string | null };
  deploymentAssetId?: string;
  deploymentAsset?: { path: string; objectKey: string };
  storageBucketId?: string;
  storageBucket?: { name: string; slug: string };
  storageObjectId?: string;
  storageObject?: { key: string; contentType: string | null };
  method: string;
  hostname: string;
  path: string;
  /** Without the question mark. The log masks secrets in it. */
  query?: string;
  /** `HTTP/1.1`. */
  protocol?: string;
  /** As the connection or a trusted proxy says; the log truncates it where the operator wants so. */
  address?: string;
  /** As they came; the log sanitises them before anything is stored. */
  requestHeaders: Readonly<Record<string, string | string[] | undefined>>;
  responseHeaders: Readonly<Record<string, number | string | string[] | undefined>>;
  /** Null: the connection ended before an answer. */
  status: number | null;
  cacheStatus?: CacheStatus;
  /** Where the answer was made, such as the name of this node's region. */
  region?: string;
  edgeLocation?: string;
  requestBodyBytes?: number;
  responseBodyBytes?: number;
  /** Head and body together. */
  bytesSent?: number;
  durationMs?: number;
  /** Why the request failed, in a sentence for the owner of the application. */
  error?: string;
  /** Milliseconds since 1970. */
  startedAt: number;
  completedAt?: number;
}

/**
 * Where answered requests go; handed to the areas that answer them. `write` never throws, never waits and keeps no more
 * than a bounded number of lines: the line is copied before it returns, so its objects may be used again.
 */
export interface RequestLog {
  write(line: RequestLine): void;
}
