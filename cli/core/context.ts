import { type Client, createClient, type TokenSource } from '@mainstay/sdk';
import { Credentials } from './credentials.ts';
import { Failure, wrongUsage } from './failure.ts';
import type { Globals } from './globals.ts';
import { systemKeychain } from './keychain.ts';
import type { Output } from './output.ts';
import type { Node } from './parse.ts';
import { configFolder } from './places.ts';
import { type Profile, Profiles } from './profiles.ts';
import { Progress } from './progress.ts';
import { findLink, type Linked } from './project.ts';
import { useProxy } from './proxy.ts';
import { credentialOf, notSignedIn, storedTokens, tokensOf } from './session.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** The instance that a command talks to, and as whom. */
export interface Connection {
  url: string;
  tokens: TokenSource;
  /** Undefined where the credentials were given, not kept. */
  profile: string | undefined;
  organizationId: string | undefined;
}

/** What a command is run with. */
export class Context {
  readonly env: Env;
  readonly cwd: string;
  readonly out: Output;
  readonly globals: Globals;
  /** Every command, for completions. */
  readonly root: Node;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
  readonly profiles: Profiles;
  readonly credentials: Credentials;
  #connection: Promise<Connection> | undefined;
  #client: Promise<Client> | undefined;
  #linked: Promise<Linked | undefined> | undefined;
  /** For error messages. */
  url: string | undefined;

  constructor(given: {
    env: Env;
    cwd: string;
    out: Output;
    globals: Globals;
    signal: AbortSignal;
    root: Node;
  }) {
    this.env = given.env;
    this.cwd = given.cwd;
    this.out = given.out;
    this.globals = given.globals;
    this.root = given.root;
    this.signal = given.signal;
    const folder = configFolder(given.env);
    this.profiles = new Profiles(folder);
    this.credentials = new Credentials(folder, systemKeychain(given.env));
  }

  linked(): Promise<Linked | undefined> {
    this.#linked ??= findLink(this.cwd);
    return this.#linked;
  }

  /** Of `--token`, the environment, or a profile, in this order. */
  connection(): Promise<Connection> {
    this.#connection ??= this.#connect();
    return this.#connection;
  }

  client(): Promise<Client> {
    this.#client ??= this.connection().then(async ({ url, tokens }) => {
      await useProxy(this.env);
      return createClient({ baseUrl: url, token: tokens });
    });
    return this.#client;
  }

  async #connect(): Promise<Connection> {
    const { env, globals } = this;
    const given = givenCredential(env, globals);
    const linked = await this.linked();
    const { current, profiles } = await this.profiles.all();
    const named = globals.profile ?? env['MAINSTAY_PROFILE'];
    if (named !== undefined && !profiles.has(named))
      throw new Failure(`There is no profile "${named}".`, {
        exit: 'notSignedIn',
        next: `Run \`mainstay login --profile ${named} <address>\`; \`mainstay profiles\` lists all.`,
      });
    const wanted = trimmed(globals.url ?? env['MAINSTAY_API_BASE_URL']);
    const name = named ?? chooseProfile(profiles, current, wanted ?? linked?.link.url);
    const profile = name === undefined ? undefined : (profiles.get(name) as Profile);
    const url = wanted ?? (given ? (linked?.link.url ?? profile?.url) : profile?.url);
    this.url = url;
    if (given) {
      if (!url)
        throw wrongUsage(
          'The address of the instance is missing.',
          'Set MAINSTAY_API_BASE_URL, or give --url.',
        );
      return { url, tokens: tokensOf(url, given), profile: undefined, organizationId: undefined };
    }
    const needed = wanted ?? (named === undefined ? linked?.link.url : undefined);
    if (!profile || name === undefined || (needed !== undefined && profile.url !== needed)) {
      this.url = needed;
      throw notSignedIn(needed);
    }
    return {
      url: profile.url,
      tokens: storedTokens(this.credentials, name, profile.url),
      profile: name,
      organizationId: profile.organizationId,
    };
  }

  /** Whether somebody is there to answer. */
  get canAsk(): boolean {
    return (
      process.stdin.isTTY === true && process.stderr.isTTY === true && !this.out.isJson && !this.env['CI']
    );
  }

  async prompts() {
    const prompts = await import('./prompts.ts');
    const terminal = { input: process.stdin, screen: process.stderr, paint: this.out.notePaint };
    return {
      ask: (question: string, fallback?: string) => prompts.ask(terminal, question, fallback),
      askSecret: (question: string) => prompts.askSecret(terminal, question),
      select: <T>(question: string, choices: readonly { label: string; hint?: string; value: T }[]) =>
        prompts.select(terminal, question, choices),
      confirm: (question: string) => prompts.confirm(terminal, question),
    };
  }

  /** Before something is destroyed. Without a terminal nobody can say yes but `--yes`. */
  async confirm(question: string): Promise<void> {
    if (this.globals.yes) return;
    if (!this.canAsk)
      throw wrongUsage(
        `${question} Confirmation is required, but the input is not a terminal.`,
        'Pass --yes to confirm.',
      );
    if (!(await (await this.prompts()).confirm(question)))
      throw new Failure('Nothing was changed.', { exit: 'failed' });
  }

  progress(text: string): Progress {
    return new Progress(process.stderr, !this.out.isJson && !this.globals.quiet, text);
  }
}

function givenCredential(env: Env, globals: Globals) {
  const text = globals.token ?? env['MAINSTAY_TOKEN'];
  if (text) return credentialOf(text) as Exclude<ReturnType<typeof credentialOf>, { kind: 'grant' }>;
  const clientId = env['MAINSTAY_CLIENT_ID'];
  const clientSecret = env['MAINSTAY_CLIENT_SECRET'];
  // A profile that was named is meant, whatever the environment holds.
  if (clientId && clientSecret && !globals.profile) return { kind: 'key' as const, clientId, clientSecret };
  return undefined;
}

/** The current one, unless another is for the instance that is meant. */
function chooseProfile(
  profiles: ReadonlyMap<string, Profile>,
  current: string | undefined,
  url: string | undefined,
): string | undefined {
  const isCurrent = current !== undefined && profiles.has(current);
  if (url === undefined || (isCurrent && profiles.get(current)?.url === url))
    return isCurrent ? current : undefined;
  for (const [name, profile] of profiles) if (profile.url === url) return name;
  return isCurrent ? current : undefined;
}

/** As addresses are kept: with a scheme, without a slash at the end. */
export function trimmed(url: string | undefined): string | undefined {
  if (url === undefined || url.trim() === '') return undefined;
  const text = url.trim();
  const isLocal = /^(localhost|127\.|\[::1\])/.test(text);
  const whole = /^https?:\/\//.test(text) ? text : `${isLocal ? 'http' : 'https'}://${text}`;
  if (!URL.canParse(whole))
    throw wrongUsage(`"${url}" is not a valid URL.`, 'Use a URL like https://mainstay.example.com');
  return whole.replace(/\/+$/, '');
}
