import { browserHeader } from '#http/browser.ts';
import { type Answer, toAnswer } from './instance.ts';

interface CallOptions {
  body?: unknown;
  headers?: Record<string, string>;
}

/** What a page of ours does in a browser: keeps cookies, sends them along, and the header that only our pages send. */
export class Browser {
  readonly cookies = new Map<string, string>();
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  async call(method: string, path: string, { body, headers = {} }: CallOptions = {}): Promise<Answer> {
    const response = await fetch(path.startsWith('http') ? path : `${this.#url}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(this.cookies.size > 0 ? { cookie: this.cookieHeader() } : {}),
        [browserHeader]: '1',
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    this.#keep(response.headers.getSetCookie());
    return toAnswer(response);
  }

  /** Follows a link as the address bar does: no header of ours. */
  async open(path: string): Promise<Answer> {
    const response = await fetch(path.startsWith('http') ? path : `${this.#url}${path}`, {
      redirect: 'manual',
      headers: this.cookies.size > 0 ? { cookie: this.cookieHeader() } : {},
    });
    this.#keep(response.headers.getSetCookie());
    return toAnswer(response);
  }

  signIn(email: string, password: string): Promise<Answer> {
    return this.call('POST', '/idp/sign-in/email', { body: { email, password } });
  }

  cookieHeader(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  #keep(cookies: readonly string[]): void {
    for (const cookie of cookies) {
      const [pair = ''] = cookie.split(';', 1);
      const equals = pair.indexOf('=');
      const [name, value] = [pair.slice(0, equals), pair.slice(equals + 1)];
      if (value === '' || /max-age=0(;|$)/i.test(cookie)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
  }
}

/** A new person of that address in a browser of their own, signed in. For instances that send no e-mail. */
export async function signedUp(
  url: string,
  email: string,
  options: { name?: string } = {},
): Promise<Browser> {
  const browser = new Browser(url);
  const body = { email, password, name: options.name ?? 'Test Person' };
  const made = await browser.call('POST', '/idp/sign-up/email', { body });
  if (made.status !== 200) throw new Error(`Sign-up: ${made.status} ${JSON.stringify(made.body)}`);
  const entered = await browser.signIn(email, password);
  if (entered.status !== 200) throw new Error(`Sign-in: ${entered.status} ${JSON.stringify(entered.body)}`);
  return browser;
}

/** Of everybody in `signedUp`. */
export const password = 'seldom-plover-quartz';
