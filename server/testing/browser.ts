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
