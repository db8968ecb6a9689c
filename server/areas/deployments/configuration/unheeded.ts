import type { Configuration } from '@mainstay/config';

/** What a configuration asks for and does not get, in words for the log: existing files name such settings, and must go on working. */
export function unheeded({ populateAssetCache, regions, functions, services }: Configuration): string[] {
  const said: string[] = [];
  const say = (setting: string, why: string) => said.push(`${setting} has no effect: ${why}.`);
  if (populateAssetCache) say('populateAssetCache', 'files are cached when they are requested');
  if (regions?.some((region) => region !== 'global')) say('regions', 'this instance runs in one region');
  const all = Object.entries(functions ?? {});
  const ofFunctions = {
    streaming: 'responses are always streamed',
    includeFiles: 'functions are packed with the whole project',
    excludeFiles: 'functions are packed with the whole project',
    symlinks: 'symbolic links of the project are kept, and no others are created',
  } as const;
  for (const [setting, why] of Object.entries(ofFunctions))
    for (const [pattern, settings] of all) {
      const value = settings[setting as keyof typeof ofFunctions];
      const isAsked = setting === 'streaming' ? value === false : value !== undefined;
      if (isAsked) say(`functions[${JSON.stringify(pattern)}].${setting}`, why);
    }
  for (const kind of ['postgres', 'redis'] as const)
    for (const setting of Object.keys(services?.[kind] ?? {}))
      if (setting !== 'envBindings')
        say(`services.${kind}.${setting}`, 'this instance uses the engine that its operator configured');
  return said;
}
