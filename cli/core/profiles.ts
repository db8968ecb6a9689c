import path from 'node:path';
import { exclusively, readJson, writePrivate } from './files.ts';

/** An instance, and who one is there. */
export interface Profile {
  url: string;
  /** For people: the address or name that they signed in with. */
  account?: string;
  /** Taken where no organization is named. */
  organizationId?: string;
}

interface File {
  current?: string;
  profiles: Record<string, Profile>;
}

/** The profiles of this user of the machine. */
export class Profiles {
  readonly file: string;

  constructor(folder: string) {
    this.file = path.join(folder, 'profiles.json');
  }

  async all(): Promise<{ current: string | undefined; profiles: Map<string, Profile> }> {
    const { current, profiles = {} } = (await readJson<File>(this.file)) ?? { profiles: {} };
    return { current, profiles: new Map(Object.entries(profiles)) };
  }

  async set(name: string, profile: Profile): Promise<void> {
    await this.#change(({ profiles }) => ({ current: name, profiles: { ...profiles, [name]: profile } }));
  }

  async use(name: string): Promise<void> {
    await this.#change((file) => ({ ...file, current: name }));
  }

  async delete(name: string): Promise<void> {
    await this.#change(({ current, profiles }) => {
      const { [name]: _, ...others } = profiles;
      const next = current === name ? Object.keys(others)[0] : current;
      return { ...(next === undefined ? {} : { current: next }), profiles: others };
    });
  }

  #change(change: (file: File) => File): Promise<void> {
    return exclusively(this.file, async () => {
      const file = (await readJson<File>(this.file)) ?? { profiles: {} };
      await writePrivate(this.file, change(file));
    });
  }
}
