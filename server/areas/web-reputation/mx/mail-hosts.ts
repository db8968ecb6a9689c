import type { Resolver } from './resolver.ts';

/** Whether mail for a domain has somewhere to go. */
export interface MailHosts {
  /** It has an MX record that is not the null one. */
  readonly hasMx: boolean;
  /** It has one, or none but an address: mail goes there then (RFC 5321, 5.1). */
  readonly accepts: boolean;
  /** No name server answered in time: the two are what was last known, else false. */
  readonly failed: boolean;
}

export class MailHostLookup {
  readonly #resolver: Resolver;
  readonly #timeoutMilliseconds: number;

  constructor(resolver: Resolver, options: { timeoutSeconds: number }) {
    this.#resolver = resolver;
    this.#timeoutMilliseconds = options.timeoutSeconds * 1000;
  }

  /**
   * `withAddress`: whether `accepts` is wanted, which may take a second question. The timeout holds for all of it.
   * Answered from memory where it can be, without a promise.
   */
  of(name: string, { withAddress }: { withAddress: boolean }): MailHosts | Promise<MailHosts> {
    const mx = this.#resolver.peek(name, 'MX');
    if (mx && (mx.found || mx.refusesMail || !mx.exists || !withAddress)) {
      return { hasMx: mx.found, accepts: mx.found, failed: false };
    }
    return this.#ask(name, withAddress);
  }

  async #ask(name: string, withAddress: boolean): Promise<MailHosts> {
    const deadline = AbortSignal.timeout(this.#timeoutMilliseconds);
    const mx = await this.#resolver.ask(name, 'MX', deadline);
    const hasMx = mx.known?.found ?? false;
    const isSettled = hasMx || !mx.known || mx.known.refusesMail || !mx.known.exists;
    if (!withAddress || isSettled) return { hasMx, accepts: hasMx, failed: mx.failed };
    const [v4, v6] = await Promise.all([
      this.#resolver.ask(name, 'A', deadline),
      this.#resolver.ask(name, 'AAAA', deadline),
    ]);
    const accepts = Boolean(v4.known?.found || v6.known?.found);
    return { hasMx, accepts, failed: mx.failed || (!accepts && (v4.failed || v6.failed)) };
  }
}
