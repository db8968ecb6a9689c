import path from 'node:path';
import { exclusively, readJson, writePrivate } from './files.ts';
import type { Keychain } from './keychain.ts';

/** What a profile proves itself with. */
export type Credential =
  | { kind: 'grant'; refreshToken: string }
  | { kind: 'key'; clientId: string; clientSecret: string }
  | { kind: 'token'; token: string };

/** An access token that is still good for a while: no secret that lasts, so it stays in the file. */
export interface AccessToken {
  token: string;
  /** Milliseconds since 1970. */
  expiresAt: number;
}

interface Entry {
  credential?: Credential;
  keychain?: true;
  access?: AccessToken;
}
type File = Record<string, Entry>;

/** The credentials of all profiles: in the keychain where there is one that works, else in a file of mode 0600. */
export class Credentials {
  readonly file: string;
  readonly #keychain: Keychain | undefined;

  constructor(folder: string, keychain: Keychain | undefined) {
    this.file = path.join(folder, 'credentials.json');
    this.#keychain = keychain;
  }

  async get(profile: string): Promise<{ credential: Credential | undefined; access?: AccessToken }> {
    const { credential, keychain, access } = (await this.#entry(profile)) ?? {};
    const found = credential ?? (keychain ? await this.#fromKeychain(profile) : undefined);
    return { credential: found, ...(access ? { access } : {}) };
  }

  /** Without a look into the keychain, which may ask its owner. */
  async access(profile: string): Promise<AccessToken | undefined> {
    return (await this.#entry(profile))?.access;
  }

  /** Says where it is kept. */
  async set(profile: string, credential: Credential, access?: AccessToken): Promise<string> {
    const isInKeychain = await this.#toKeychain(profile, credential);
    const entry: Entry = {
      ...(isInKeychain ? { keychain: true } : { credential }),
      ...(access ? { access } : {}),
    };
    await this.#change((file) => ({ ...file, [profile]: entry }));
    return isInKeychain ? (this.#keychain?.name ?? '') : this.file;
  }

  async delete(profile: string): Promise<void> {
    if ((await this.#entry(profile))?.keychain) await this.#keychain?.delete(profile);
    await this.#change(({ [profile]: _, ...others }) => others);
  }

  /** One process at a time renews what is kept. */
  exclusively<T>(work: () => Promise<T>): Promise<T> {
    return exclusively(`${this.file}.renewal`, work);
  }

  async #entry(profile: string): Promise<Entry | undefined> {
    const file = (await readJson<File>(this.file)) ?? {};
    return Object.hasOwn(file, profile) ? file[profile] : undefined;
  }

  #change(change: (file: File) => File): Promise<void> {
    return exclusively(this.file, async () => {
      await writePrivate(this.file, change((await readJson<File>(this.file)) ?? {}));
    });
  }

  async #fromKeychain(profile: string): Promise<Credential | undefined> {
    const text = await this.#keychain?.get(profile).catch(() => null);
    return text ? JSON.parse(text) : undefined;
  }

  /** False where it cannot be read back: a locked keychain, no service behind the tool. */
  async #toKeychain(profile: string, credential: Credential): Promise<boolean> {
    if (!this.#keychain) return false;
    const text = JSON.stringify(credential);
    try {
      await this.#keychain.set(profile, text);
      return (await this.#keychain.get(profile)) === text;
    } catch {
      return false;
    }
  }
}
