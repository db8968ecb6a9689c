import type { Manifest } from '#areas/deployments/service.ts';
import { globMatcher } from '#core/glob.ts';
import { LazyLru } from '#core/lazy-lru.ts';

/** What an image may be asked for as, with every default filled in. */
export interface ImagePolicy {
  localPatterns: readonly { pathname?: string; search?: string }[];
  remotePatterns: readonly {
    protocol?: 'http' | 'https';
    hostname: string;
    port?: string;
    pathname?: string;
    search?: string;
  }[];
  widths: readonly number[];
  heights: readonly number[];
  qualities: readonly number[];
  formats: readonly string[];
  minimumCacheTTL: number;
  dangerouslyAllowSVG: boolean;
  contentSecurityPolicy: string;
  contentDispositionType: 'inline' | 'attachment';
  maximumRedirects: number;
  maximumResponseBody: number;
  variants: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

const defaults: ImagePolicy = {
  localPatterns: [{ pathname: '/**' }],
  remotePatterns: [],
  widths: [640, 750, 828, 1080, 1200, 1920, 2048, 3840],
  heights: [],
  qualities: [75],
  formats: ['image/avif', 'image/webp'],
  minimumCacheTTL: 14_400,
  dangerouslyAllowSVG: false,
  contentSecurityPolicy: "script-src 'none'; frame-src 'none'; sandbox;",
  contentDispositionType: 'attachment',
  maximumRedirects: 3,
  maximumResponseBody: 50 * 1024 * 1024,
  variants: {},
};

export function policyOf(images: Manifest['images']): ImagePolicy {
  return { ...defaults, ...(images as Partial<ImagePolicy> | null) };
}

/** What is wrong with the query, in a sentence; null when the policy allows it. */
export function problemOf(policy: ImagePolicy, query: URLSearchParams): string | null {
  const variant = query.get('variant');
  if (variant !== null)
    return Object.hasOwn(policy.variants, variant)
      ? null
      : `The policy has no variant "${variant.slice(0, 64)}".`;
  const lists = { width: policy.widths, height: policy.heights, quality: policy.qualities } as const;
  for (const [name, allowed] of Object.entries(lists)) {
    const value = query.get(name);
    if (value === null || allowed.includes(Number(value))) continue;
    return `${name} must be one of ${allowed.join(', ') || 'none'}.`;
  }
  const format = query.get('format');
  if (format === null || format === 'auto') return null;
  const type = format.startsWith('image/') ? format : `image/${format}`;
  return policy.formats.includes(type) ? null : `format must be one of ${policy.formats.join(', ')}.`;
}

/** Whether the policy names the source: a path of the application, or an address elsewhere. */
export function allowsSource(policy: ImagePolicy, source: string): boolean {
  if (source.startsWith('/')) {
    const url = new URL(source, 'http://local');
    return policy.localPatterns.some((pattern) => matches(pattern, url));
  }
  const url = new URL(source);
  return policy.remotePatterns.some(
    (pattern) =>
      (pattern.protocol === undefined || url.protocol === `${pattern.protocol}:`) &&
      (pattern.port === undefined || url.port === pattern.port) &&
      hostMatches(pattern.hostname, url.hostname) &&
      matches(pattern, url),
  );
}

function matches({ pathname = '/**', search }: { pathname?: string; search?: string }, url: URL): boolean {
  return matchesGlob(pathname, url.pathname) && (search === undefined || url.search === search);
}

/** One star stands for a label, two for any number of them. */
function hostMatches(pattern: string, host: string): boolean {
  return matchesGlob(pattern.replaceAll('.', '/'), host.replaceAll('.', '/'));
}

const matchers = new LazyLru<string, (text: string) => boolean>({ max: 1000 });

function matchesGlob(pattern: string, text: string): boolean {
  const known = matchers.get(pattern);
  const matcher = known ?? globMatcher(pattern);
  if (!known) matchers.set(pattern, matcher);
  return matcher(text);
}

/** The best format that the visitor takes and the policy knows. */
export function negotiated(policy: ImagePolicy, accept: string | undefined): string | null {
  const found = policy.formats.find((type) => (accept ?? '').includes(type));
  return found ? found.slice('image/'.length) : null;
}
