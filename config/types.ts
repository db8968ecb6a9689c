import type { runtimeNames } from './schema.ts';

/** The configuration file, version 4. `null` counts as absent wherever it is allowed. */
export interface Configuration {
  version: 4;
  /** The folder that is served as it is. */
  assets?: string | null;
  /** Run in order, instead of the framework's own. */
  build_commands?: string[] | null;
  /** For the build and for the functions; variables of the environment win. */
  env?: Record<string, string> | null;
  /** Files, globs or expressions; later ones override earlier ones. */
  functions?: Record<string, FunctionSettings> | null;
  /** Tried in order. */
  routes?: Route[] | null;
  images?: ImageSettings | null;
  services?: Services | null;
  regions?: string[] | null;
  populateAssetCache?: boolean | null;
  /** Taken, and not applied. */
  presets?: string[] | null;
}

export type RuntimeName = (typeof runtimeNames)[number];

export interface FunctionSettings {
  /** Megabytes, 128 to 3009. */
  memory?: number;
  /** Seconds, 1 to 28 800. */
  max_duration?: number;
  runtime?: RuntimeName;
  streaming?: boolean;
  /** `rate(5 minutes)` or `cron(0 3 * * ? *)`, in UTC. */
  schedule?: string;
  symlinks?: Record<string, string>;
  includeFiles?: string | string[];
  excludeFiles?: string | string[];
}

export type Condition =
  | { type: 'host'; value: string }
  | { type: 'header' | 'cookie' | 'query'; key: string; value?: string };

export interface Route {
  /** A path; `*` is `$1` in the destination. */
  source: string;
  /** A file, a function, or an address of http or https. */
  destination?: string;
  has?: Condition[];
  missing?: Condition[];
  methods?: string[];
  headers?: Record<string, string>;
  redirect?: boolean;
  statusCode?: number;
}

type ImageFormat = 'image/avif' | 'image/webp' | 'image/jpeg' | 'image/png';

export interface ImageSettings {
  localPatterns?: { pathname?: string; search?: string }[];
  remotePatterns?: {
    protocol?: 'http' | 'https';
    hostname: string;
    port?: string;
    pathname?: string;
    search?: string;
  }[];
  widths?: number[];
  heights?: number[];
  qualities?: number[];
  formats?: ImageFormat[];
  minimumCacheTTL?: number;
  dangerouslyAllowSVG?: boolean;
  contentSecurityPolicy?: string;
  contentDispositionType?: 'inline' | 'attachment';
  maximumRedirects?: number;
  maximumResponseBody?: number;
  variants?: Record<
    string,
    {
      width?: number;
      height?: number;
      quality?: number;
      format?: ImageFormat;
      fit?: 'contain' | 'cover' | 'fill' | 'inside' | 'outside';
    }
  >;
}

export interface Services {
  redis?: {
    /** The variables that hold its address, by part. */
    envBindings?: Partial<
      Record<'url' | 'host' | 'port' | 'user' | 'password' | 'prefix' | 'db' | 'ssl', string>
    >;
    primaryRegion?: string;
    readRegions?: string[];
    eviction?: boolean;
  } | null;
  postgres?: {
    envBindings?: Partial<Record<'url' | 'host' | 'port' | 'user' | 'password' | 'database', string>>;
    postgresVersion?: '14' | '15' | '16' | '17';
    region?: string;
  } | null;
  storage?: { buckets: Record<string, { visibility?: 'public' | 'private' } | null> } | null;
}
