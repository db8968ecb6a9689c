import type { Area, OpenedArea, Parts } from '#http/area.ts';
import { Instance } from './service.ts';
import { instanceSettings } from './settings.ts';

export const area = {
  settings: {
    heading: 'Defaults that operators can change while the server runs',
    group: instanceSettings,
  },
  tables: ['instance_settings'],
} satisfies Area;

export function open({ db, settings }: Parts<'db', typeof instanceSettings>): OpenedArea & {
  instance: Instance;
} {
  return { instance: new Instance({ db, defaults: settings }) };
}
