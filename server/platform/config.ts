import path from 'node:path';
import { apiKeySettings } from '#accounts/api-keys/settings.ts';
import { applicationSettings } from '#accounts/applications/settings.ts';
import { oauthSettings, peopleSettings } from '#accounts/idp/settings.ts';
import { instanceSettings } from '#accounts/instance/settings.ts';
import { memberSettings } from '#accounts/members/settings.ts';
import { organizationSettings } from '#accounts/organizations/settings.ts';
import { productSettings } from '#accounts/products/settings.ts';
import { tokenSettings } from '#accounts/tokens/settings.ts';
import { envVarSettings } from '#areas/env-vars/settings.ts';
import { cacheSettings } from '#areas/fastcache/settings.ts';
import { reputationSettings } from '#areas/web-reputation/settings.ts';
import { whoisSettings } from '#areas/whois/settings.ts';
import {
  type Environment,
  readSettings,
  type SettingGroup,
  SettingsError,
  type SettingsOf,
} from '#core/settings.ts';
import { httpSettings } from '#http/settings.ts';
import { engineSettings } from './engine-settings.ts';

/** Every setting, in the order and under the headings of docs/settings.md. */
export const settingGroups = {
  'Listening and limits': httpSettings,
  Engines: engineSettings,
  'API keys and tenants': apiKeySettings,
  Tokens: tokenSettings,
  People: peopleSettings,
  'OAuth for other programs': oauthSettings,
  'Organizations and members': { ...organizationSettings, ...memberSettings },
  Applications: applicationSettings,
  'Defaults that operators can change while the server runs': instanceSettings,
  Products: productSettings,
  'Environment variables': envVarSettings,
  'Key-value cache': cacheSettings,
  'Web reputation': reputationSettings,
  Whois: whoisSettings,
} satisfies Record<string, SettingGroup>;

const allSettings = {
  ...httpSettings,
  ...engineSettings,
  ...apiKeySettings,
  ...tokenSettings,
  ...peopleSettings,
  ...oauthSettings,
  ...organizationSettings,
  ...memberSettings,
  ...applicationSettings,
  ...instanceSettings,
  ...productSettings,
  ...envVarSettings,
  ...cacheSettings,
  ...reputationSettings,
  ...whoisSettings,
};

export type Config = Omit<SettingsOf<typeof allSettings>, 'baseUrl' | 'host' | 'adminHost' | 'dataDir'> & {
  host: string;
  adminHost: string;
  /** Without a slash at the end. */
  baseUrl: string;
  /** Absolute. */
  dataDir: string;
};

/** Reads and checks every setting; throws `SettingsError` that names each wrong one and what was expected. */
export function readConfig(environment: Environment): Config {
  const settings = readSettings(allSettings, environment);
  if (settings.masterKey !== undefined && settings.masterKeyFile !== undefined) {
    throw new SettingsError([
      'MAINSTAY_MASTER_KEY and MAINSTAY_MASTER_KEY_FILE are both set: set one of them.',
    ]);
  }
  if ((settings.oidcIssuer === undefined) !== (settings.oidcClientId === undefined)) {
    throw new SettingsError(['MAINSTAY_OIDC_ISSUER and MAINSTAY_OIDC_CLIENT_ID belong together: set both.']);
  }
  const { baseUrl } = settings;
  if (baseUrl && (baseUrl.search || baseUrl.hash || baseUrl.username)) {
    throw new SettingsError([`MAINSTAY_BASE_URL: "${baseUrl.href}" must have no query, fragment or user.`]);
  }
  return {
    ...settings,
    host: settings.host ?? '127.0.0.1',
    adminHost: settings.adminHost ?? '127.0.0.1',
    baseUrl: (baseUrl?.href ?? `http://localhost:${settings.port}`).replace(/\/+$/, ''),
    dataDir: path.resolve(settings.dataDir ?? 'data'),
  };
}

/** Variables that look like settings and are none: mistyped, or of another version. */
export function unknownSettings(environment: Environment): string[] {
  const known = new Set<string>(Object.values(allSettings).map((setting) => setting.name));
  return Object.keys(environment).filter((name) => name.startsWith('MAINSTAY_') && !known.has(name));
}
