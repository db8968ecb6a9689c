import { systemSource } from '#accounts/audit-log/service.ts';
import { createResetLink } from '#accounts/idp/service.ts';
import { byEmail } from '#accounts/users/service.ts';
import { isoTime } from '#core/clock.ts';
import { readConfig } from '../platform/config.ts';
import { createLog } from '../platform/log.ts';
import { openPlatform } from '../platform/platform.ts';
import { type Command, UsageError } from './command.ts';

export const resetPassword: Command = {
  name: 'reset-password',
  summary: 'Print a password reset link for a user.',
  details:
    'For users, including the operator, of an instance that does not send e-mail. The link works once; the server\n' +
    'can be running.',
  options: {
    email: { type: 'string', value: 'ADDRESS', meaning: 'Address of the user.', required: true },
  },
  async run(values, environment) {
    const config = readConfig(environment);
    const { log } = createLog({ level: 'warn', format: config.logFormat });
    await using platform = await openPlatform(config, log);
    const { db, vault, clock } = platform;
    const { baseUrl, mailLinkLifetime: lifetimeSeconds } = config;
    const { url, expiresAt } = await db.write(async (tx) => {
      const user = await byEmail(tx, String(values['email']));
      if (!user) throw new UsageError('There is no user with this address.');
      const now = clock.now();
      return createResetLink(tx, { vault, baseUrl, now, lifetimeSeconds }, systemSource, user);
    });
    process.stdout.write(`${url}\n`);
    process.stderr.write(`Valid until ${isoTime(expiresAt)}, once.\n`);
    return 0;
  },
};
