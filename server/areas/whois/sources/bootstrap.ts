import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Logger } from 'pino';
import type { Clock } from '#core/clock.ts';
import type { Outgoing } from '#core/outgoing.ts';
import { unlistedRdap } from './known-servers.ts';
import { get, type HttpLimits } from './rdap-client.ts';

/** The file has some 100 KiB. */
const MAX_BYTES = 8 * 1024 * 1024;
const DAY = 86_400_000;
/** After a failed refresh. */
const HOUR = 3_600_000;

/**
 * Which RDAP service answers for which TLD: IANA's bootstrap file (RFC 9224), kept in the data folder and fetched again
 * every day; while it cannot be fetched, the last one counts however old it is.
 */
export class Bootstrap {
  readonly #options: BootstrapOptions;
  readonly #file: string;
  #services: ReadonlyMap<string, string> = new Map();
  #origins: ReadonlySet<string> = new Set();
  #dueAt = 0;
  #refreshing: Promise<void> | undefined;

  private constructor(options: BootstrapOptions) {
    this.#options = options;
    this.#file = path.join(options.dataDir, 'whois', 'rdap-dns.json');
    this.#use(new Map());
  }

  static async open(options: BootstrapOptions): Promise<Bootstrap> {
    const bootstrap = new Bootstrap(options);
    await bootstrap.#load();
    return bootstrap;
  }

  /** The service for a TLD in ASCII form, its URL ending in a slash; undefined when it has none. */
  async serviceOf(tld: string): Promise<URL | undefined> {
    if (this.#options.clock.now() >= this.#dueAt) {
      const refreshing = this.refresh();
      // The first answer waits for the file; later ones use the old one meanwhile.
      if (this.#services.size <= unlistedRdap.size + this.#options.overrides.size) await refreshing;
    }
    const service = this.#services.get(tld);
    return service === undefined ? undefined : new URL(service);
  }

  /** Whether a URL belongs to a service that IANA or the operator names: those may have any port and plain HTTP. */
  knows(url: URL): boolean {
    return this.#origins.has(url.origin);
  }

  /** Fetches the file when it is due. Never throws: the old one stays. */
  refresh(): Promise<void> {
    if (this.#options.clock.now() < this.#dueAt) return Promise.resolve();
    this.#refreshing ??= this.#fetch().finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  async #fetch(): Promise<void> {
    const { url, outgoing, limits, clock, log } = this.#options;
    try {
      const answer = await get(url, {
        accept: 'application/json',
        outgoing,
        limits: { ...limits, maxBytes: MAX_BYTES },
        mayFollow: (to) => to.protocol === 'https:',
      });
      if (answer.status !== 200) throw new Error(`${url.href} answered ${answer.status}.`);
      const services = readServices(JSON.parse(answer.body.toString('utf8')));
      if (services.size === 0) throw new Error(`${url.href} lists no service.`);
      this.#use(services);
      this.#dueAt = clock.now() + DAY;
      await this.#keep(answer.body);
    } catch (err) {
      this.#dueAt = clock.now() + HOUR;
      log.warn({ err }, 'The list of RDAP services could not be refreshed; the last one stays in use.');
    }
  }

  async #load(): Promise<void> {
    try {
      const { fetchedAt, file } = JSON.parse(await readFile(this.#file, 'utf8')) as {
        fetchedAt: number;
        file: unknown;
      };
      this.#use(readServices(file));
      this.#dueAt = fetchedAt + DAY;
    } catch (err) {
      if ((err as NodeJS.ErrnoException).code !== 'ENOENT') {
        this.#options.log.warn({ err }, `${this.#file} cannot be read; it will be fetched again.`);
      }
    }
  }

  async #keep(body: Buffer): Promise<void> {
    const text = JSON.stringify({
      fetchedAt: this.#options.clock.now(),
      file: JSON.parse(body.toString('utf8')),
    });
    await mkdir(path.dirname(this.#file), { recursive: true });
    // Written aside and renamed: another process may be reading. Lost in a crash, it is fetched again.
    const aside = `${this.#file}.${process.pid}`;
    await writeFile(aside, text);
    await rename(aside, this.#file);
  }

  #use(listed: ReadonlyMap<string, string>): void {
    this.#services = new Map([...unlistedRdap, ...listed, ...this.#options.overrides]);
    this.#origins = new Set([...this.#services.values()].map((service) => new URL(service).origin));
  }
}

export interface BootstrapOptions {
  url: URL;
  /** The operator's own, by TLD: they win over IANA's. */
  overrides: ReadonlyMap<string, string>;
  dataDir: string;
  outgoing: Outgoing;
  limits: HttpLimits;
  clock: Clock;
  log: Logger;
}

/** `{"services": [[["com", "net"], ["https://rdap.example/"]], ...]}`; HTTPS is preferred where both are listed. */
function readServices(file: unknown): Map<string, string> {
  const services = (file as { services?: unknown } | null)?.services;
  const found = new Map<string, string>();
  for (const entry of Array.isArray(services) ? services : []) {
    const [tlds, urls] = Array.isArray(entry) ? (entry as unknown[]) : [];
    const all = (Array.isArray(urls) ? urls : []).filter(
      (url) => typeof url === 'string' && URL.canParse(url),
    );
    const url = all.find((candidate) => candidate.startsWith('https:')) ?? all[0];
    if (url === undefined || !/^https?:/.test(url)) continue;
    for (const tld of Array.isArray(tlds) ? tlds : []) {
      if (typeof tld === 'string') found.set(tld.toLowerCase(), url.endsWith('/') ? url : `${url}/`);
    }
  }
  return found;
}
