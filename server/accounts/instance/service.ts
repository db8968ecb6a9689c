import { type AuditSource, audit } from '#accounts/audit-log/service.ts';
import { Cached } from '#core/cached.ts';
import type { Clock } from '#core/clock.ts';
import type { Db } from '#core/db.ts';
import { announce } from '#core/notifications.ts';
import type { SettingsOf } from '#core/settings.ts';
import type { instanceSettings } from './settings.ts';
import { listSettings, putSetting } from './store.ts';

declare module '#core/notifications.ts' {
  interface Topics {
    /** Key: empty. */
    instance_settings: true;
  }
}

/** Settings that operators may change while the server runs. */
export type InstanceSettings = SettingsOf<typeof instanceSettings>;

const topic = 'instance_settings';

/** The environment gives the defaults; what operators have set since is in the database, and wins. */
export class Instance {
  readonly #db: Db;
  readonly #defaults: InstanceSettings;
  readonly #current: Cached<InstanceSettings>;

  constructor({ db, defaults }: { db: Db; defaults: InstanceSettings }) {
    this.#db = db;
    this.#defaults = defaults;
    this.#current = new Cached({
      notifications: db.notifications,
      max: 1,
      topics: [],
      sweepingTopics: [topic],
      load: () => this.#read(),
    });
  }

  /** What holds now, at most a second behind a change on another node. */
  async settings(): Promise<InstanceSettings> {
    return this.#current.get('all');
  }

  async change(
    changes: Partial<InstanceSettings>,
    source: AuditSource,
    clock: Clock,
  ): Promise<InstanceSettings> {
    await this.#db.write(async (tx) => {
      const updated_at = clock.now();
      for (const [name, wanted] of Object.entries(changes)) {
        await putSetting(tx, { name, value: JSON.stringify(wanted), updated_at });
      }
      await audit(tx, source, {
        organizationId: null,
        action: 'instance.settings_updated',
        targetType: 'instance',
        targetId: null,
        details: { ...changes },
      });
      announce(tx, topic, '');
    });
    return this.settings();
  }

  async #read(): Promise<InstanceSettings> {
    const {
      earlyAccess,
      organizationQuota,
      organizationsPerMinute,
      paymentRequired,
      organizationsWithoutPayment,
    } = this.#defaults;
    const defaults = {
      earlyAccess,
      organizationQuota,
      organizationsPerMinute,
      paymentRequired,
      organizationsWithoutPayment,
    };
    const rows = await listSettings(this.#db);
    return { ...defaults, ...Object.fromEntries(rows.map(({ name, value }) => [name, JSON.parse(value)])) };
  }
}
