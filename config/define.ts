import type { Configuration } from './types.ts';

/**
 * For `mainstay.ts`: gives the configuration back as it is, so that an editor knows its keys.
 *
 *     export default defineConfig({ version: 4, assets: 'public' });
 */
export function defineConfig<const C extends Configuration>(configuration: C): C {
  return configuration;
}
