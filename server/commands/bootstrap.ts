import type { Logger } from 'pino';
import { passwordPolicy, StrengthMeter } from '#accounts/idp/service.ts';
import { byEmail } from '#accounts/users/service.ts';
import { Problem } from '#core/problem.ts';
import { type Config, readConfig } from '../platform/config.ts';
import { createLog } from '../platform/log.ts';
import { openPlatform } from '../platform/platform.ts';
import { type Command, UsageError } from './command.ts';
import { type BootstrapKey, type Bootstrapped, prepare } from './prepare.ts';

export const bootstrap: Command = {
  name: 'bootstrap',
  summary:
    'Prepare an instance without a browser: an operator, an organization, an application, a key for each.',
  details:
    'Can be run again at any time, also while the server runs: existing resources are left unchanged, and the same\n' +
    'keys are printed. A key that was revoked or rotated is replaced by a new one.',
  options: {
    email: { type: 'string', value: 'ADDRESS', meaning: 'Address of the operator.', required: true },
    password: {
      type: 'string',
      value: 'TEXT',
      meaning: 'Password of the operator, 8 characters or more.',
      required: true,
    },
    organization: { type: 'string', value: 'NAME', meaning: 'Name of the organization.', required: true },
    application: { type: 'string', value: 'NAME', meaning: 'Name of the application.', required: true },
    json: { type: 'boolean', meaning: 'Print JSON.' },
  },
  async run(values, environment) {
    const wanted = {
      email: checked(values['email'], /^[^\s@]{1,64}@[^\s@]{1,253}$/, '--email must be an e-mail address.'),
      password: checked(values['password'], /^.{8,256}$/su, '--password must have 8 to 256 characters.'),
      organization: checked(
        values['organization'],
        namePattern,
        '--organization must have 1 to 128 characters.',
      ),
      application: checked(
        values['application'],
        namePattern,
        '--application must have 1 to 128 characters.',
      ),
    };
    const config = readConfig(environment);
    const { log } = createLog({ level: 'warn', format: config.logFormat });
    await using platform = await openPlatform(config, log);
    if (!(await byEmail(platform.db, wanted.email))) await demandGoodPassword(wanted, config, log);
    const result = await prepare(platform, wanted);
    process.stdout.write(values['json'] ? `${JSON.stringify(result)}\n` : readable(result, config.baseUrl));
    return 0;
  },
};

/** The rule of sign-up: what it refuses is no password for an operator. */
async function demandGoodPassword(
  { email, password }: { email: string; password: string },
  config: Config,
  log: Logger,
): Promise<void> {
  await using meter = new StrengthMeter();
  const { passwordStrength: minScore, breachedPasswordsUrl: breachesUrl } = config;
  try {
    await passwordPolicy({ meter, minScore, breachesUrl, log }).demand(password, [email]);
  } catch (error) {
    throw error instanceof Problem ? new UsageError(`--password: ${error.message}`) : error;
  }
}

/** Not blank, no control characters. */
const namePattern = /^(?=.*\S)\P{Cc}{1,128}$/u;

function checked(value: string | boolean | undefined, pattern: RegExp, sentence: string): string {
  if (typeof value !== 'string' || !pattern.test(value)) throw new UsageError(sentence);
  return value.trim();
}

function readable({ user, organization, application, keys }: Bootstrapped, baseUrl: string): string {
  const key = (name: string, { id, secret }: BootstrapKey) =>
    `  ${name.padEnd(13)} client_id ${id}\n${' '.repeat(16)}client_secret ${secret}\n`;
  return [
    `User          ${user.id} (${user.email})`,
    `Organization  ${organization.id}`,
    `Application   ${application.id}`,
    '',
    'API keys (the secrets are not stored: keep them)',
    key('user', keys.user) + key('organization', keys.organization) + key('application', keys.application),
    'A token for five minutes:',
    `  curl -u '${keys.application.id}:${keys.application.secret}' -d grant_type=client_credentials ${baseUrl}/oauth2/token`,
    '',
  ].join('\n');
}
