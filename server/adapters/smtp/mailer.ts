import { createTransport } from 'nodemailer';
import type { Mailer } from '#core/mailer.ts';
import { Problem } from '#core/problem.ts';

/** Mail over SMTP: `smtp://user:password@host:587` (STARTTLS where offered) or `smtps://` (TLS from the start). */
export function openSmtp({ url, from }: { url: URL; from: string }): Mailer {
  const transport = createTransport(
    { url: url.href, pool: true, connectionTimeout: 5000, greetingTimeout: 5000, socketTimeout: 10_000 },
    { from },
  );
  return {
    async send({ to, subject, text }) {
      try {
        await transport.sendMail({ to, subject, text });
      } catch (cause) {
        const sentence = 'The mail could not be sent just now. Try again shortly.';
        throw new Problem('unavailable', sentence, { cause, retryAfterSeconds: 30 });
      }
    },
    async check() {
      await transport.verify();
    },
    close: () => transport.close(),
  };
}
