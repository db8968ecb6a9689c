import path from 'node:path';
import { type Environment, readSettings, type SettingGroup, SettingsError } from '#core/settings.ts';
import { type AreaSettings, settingsSections } from './areas.ts';

/** Every setting, in the order and under the headings of docs/settings.md. */
export const settingGroups = new Map<string, SettingGroup>();
for (const { heading, group } of settingsSections)
  settingGroups.set(heading, { ...settingGroups.get(heading), ...group });

const allSettings: SettingGroup = Object.assign({}, ...settingGroups.values());

export type Config = Omit<AreaSettings, 'baseUrl' | 'host' | 'adminHost' | 'dataDir'> & {
  host: string;
  adminHost: string;
  /** Without a slash at the end. */
  baseUrl: string;
  /** Absolute. */
  dataDir: string;
};

/** Reads and checks every setting; throws `SettingsError` that names each wrong one and what was expected. */
export function readConfig(environment: Environment): Config {
  const settings = readSettings(allSettings, environment) as AreaSettings;
  const wrong = settingsSections.map(({ check }) => check?.(settings)).filter((line) => line !== undefined);
  if (wrong.length > 0) throw new SettingsError(wrong);
  const { baseUrl } = settings;
  return {
    ...settings,
    host: settings.host ?? '127.0.0.1',
    adminHost: settings.adminHost ?? '127.0.0.1',
    baseUrl: (baseUrl?.href ?? `http://localhost:${settings.port}`).replace(/\/+$/, ''),
    dataDir: path.resolve(settings.dataDir ?? 'data'),
  };
}

/** The name of the setting that says so, for errors that know the number alone. */
export function settingOfPort(port: number, config: Config): string | undefined {
  const values: Record<string, unknown> = config;
  const isOurs = ([key, { name }]: [string, SettingGroup[string]]) =>
    name.endsWith('_PORT') && values[key] === port;
  return Object.entries(allSettings).find(isOurs)?.[1].name;
}

/** Variables that look like settings and are none: mistyped, or of another version. */
export function unknownSettings(environment: Environment): string[] {
  const known = new Set<string>(Object.values(allSettings).map((setting) => setting.name));
  return Object.keys(environment).filter((name) => name.startsWith('MAINSTAY_') && !known.has(name));
}
