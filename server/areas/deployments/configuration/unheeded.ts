import type { Configuration } from '@mainstay/config';

/** What a configuration asks for and does not get, in words for the log: existing files name such settings, and must continue working. */
export function unheeded({ populateAssetCache, regions, functions, services }: Configuration): string[] {
  const said: string[] = [];
  const say = (setting: string, why: string) => said.push(`${setting} has no effect: ${why}.`);
  if (populateAssetCache) say('populateAssetCache', 'files are cached when they are requested');
  if (regions?.some((region) => region !== 'global')) say('regions', 'this instance runs in one region');
  for (const [pattern, { streaming }] of Object.entries(functions ?? {}))
    if (streaming === false)
      say(`functions[${JSON.stringify(pattern)}].streaming`, 'responses are always streamed');
  for (const kind of ['postgres', 'redis'] as const)
    for (const setting of Object.keys(services?.[kind] ?? {}))
      if (setting !== 'envBindings')
        say(`services.${kind}.${setting}`, 'this instance uses the engine that its operator configured');
  return said;
}
