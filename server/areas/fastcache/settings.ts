import { size } from '#core/settings.ts';

export const cacheSettings = {
  cacheApplicationBytes: size({
    name: 'MAINSTAY_CACHE_APPLICATION_SIZE',
    meaning:
      'What the items of one application may count together: their keys and values, and 160 bytes each. Past it, those ' +
      'nearest to expiry make room, then the oldest.',
    fallback: '256MiB',
    minBytes: 1024 * 1024,
  }),
  cacheValueBytes: size({
    name: 'MAINSTAY_CACHE_VALUE_SIZE',
    meaning:
      'How large a value may be, in UTF-8. A request body may be six times as large: JSON can spell it so.',
    fallback: '1MiB',
    minBytes: 1024,
    maxBytes: 16 * 1024 * 1024,
  }),
};
