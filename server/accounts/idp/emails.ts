import type { Logger } from 'pino';
import type { Mailer } from '#core/mailer.ts';
import type { Attempts } from './attempts.ts';
import { PeopleProblem } from './errors.ts';

interface Email {
  /** So many of one kind reach an address in an hour. */
  kind: string;
  to: string;
  subject: string;
  paragraphs: readonly string[];
}

/**
 * The e-mails to people about their own accounts. They are sent in the background: an answer that waited for the mail
 * server would tell by its time whether there was somebody to write to.
 */
export class Emails {
  readonly #mailer: Mailer | null;
  readonly #attempts: Attempts;
  readonly #perHour: number;
  readonly #baseUrl: string;
  readonly #log: Logger;
  readonly #underWay = new Set<Promise<void>>();

  constructor(deps: {
    mailer: Mailer | null;
    attempts: Attempts;
    perHour: number;
    baseUrl: string;
    log: Logger;
  }) {
    this.#mailer = deps.mailer;
    this.#attempts = deps.attempts;
    this.#perHour = deps.perHour;
    this.#baseUrl = deps.baseUrl;
    this.#log = deps.log;
  }

  /** False where no mail server is set: addresses cannot be verified, and operators hand over reset links. */
  get areSent(): boolean {
    return this.#mailer !== null;
  }

  /** The token is behind a `#`: browsers keep that to themselves. */
  verification(to: string, token: string): void {
    this.#post({
      kind: 'verification',
      to,
      subject: 'Confirm your address',
      paragraphs: [
        'To confirm that this address is yours, open this link:',
        `${this.#baseUrl}/verify-email#${token}`,
        'If you did not request this, you can ignore this e-mail.',
      ],
    });
  }

  passwordReset(to: string, link: string): void {
    this.#post({
      kind: 'reset',
      to,
      subject: 'Choose a new password',
      paragraphs: [
        'To choose a new password, open this link. It works once:',
        link,
        'If you did not request this, you can ignore this e-mail. Your password will not change.',
      ],
    });
  }

  /** To the owner of an address that somebody tried to sign up with. */
  alreadySignedUp(to: string): void {
    this.#post({
      kind: 'already signed up',
      to,
      subject: 'You already have an account',
      paragraphs: [
        'Someone, probably you, tried to sign up with this address. It already has an account. Sign in at',
        `${this.#baseUrl}/sign-in`,
        'If you forgot your password, you can reset it there.',
      ],
    });
  }

  /** To the old address, before anything is changed. */
  addressChange(to: string, newAddress: string, token: string): void {
    this.#post({
      kind: 'address change',
      to,
      subject: 'Confirm the change of your address',
      paragraphs: [
        `A change of your account's address to ${newAddress} was requested. To confirm it, open this link:`,
        `${this.#baseUrl}/verify-email#${token}`,
        'If you did not request this, do not open the link, and change your password: someone has access to your account.',
      ],
    });
  }

  /** Resolves when nothing is under way any more. */
  async close(): Promise<void> {
    await Promise.all(this.#underWay);
  }

  #post(email: Email): void {
    const sending = this.#send(email).catch((err) => {
      this.#log.error({ err, email: email.kind }, 'An e-mail could not be sent.');
    });
    this.#underWay.add(sending);
    void sending.finally(() => this.#underWay.delete(sending));
  }

  async #send({ kind, to, subject, paragraphs }: Email): Promise<void> {
    const limit = { key: `email:${kind}:${to}`, limit: this.#perHour, windowSeconds: 3600 };
    try {
      await this.#attempts.take([limit]);
    } catch (error) {
      // Enough of them lie in that mailbox.
      if (error instanceof PeopleProblem) return;
      throw error;
    }
    const text = `${[...paragraphs, this.#baseUrl].join('\n\n')}\n`;
    await this.#mailer?.send({ to, subject, text });
  }
}
