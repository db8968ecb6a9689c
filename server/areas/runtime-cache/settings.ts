import { size } from '#core/settings.ts';

export const runtimeCacheSettings = {
  runtimeCacheValueBytes: size({
    name: 'MAINSTAY_RUNTIME_CACHE_VALUE',
    meaning: 'Largest entry of the runtime cache, which frameworks keep rendered pages and fetched data in.',
    fallback: '8MiB',
    minBytes: 64 * 1024,
    maxBytes: 64 * 1024 * 1024,
  }),
};
