import { integer } from '#core/settings.ts';

export const apiKeySettings = {
  keyCacheSize: integer({
    name: 'MAINSTAY_KEY_CACHE_SIZE',
    meaning: 'How many API keys, and how many memberships, each process remembers (about 1 KiB each).',
    fallback: 20_000,
    min: 1,
    max: 10_000_000,
  }),
};
