import { randomBytes } from 'node:crypto';
import type { Db, Tx } from '#core/db.ts';
import { newId } from '#core/ids.ts';
import { announce } from '#core/notifications.ts';
import { Problem } from '#core/problem.ts';
import {
  appHostname,
  findHostname,
  type HostnameRow,
  hostnameTopic,
  insertHostname,
  updateHostname,
} from './hostname-store.ts';

/** Room in the 63 characters of a DNS label for what deployments append: a hyphen and eight characters. */
const maxLabelLength = 50;

/** What would pass for a service of the platform, or of the mail and web server of any domain (RFC 2142). */
const reserved: ReadonlySet<string> = new Set(
  (
    'abuse account accounts admin administrator api auth authorize autoconfig autodiscover billing ' +
    'broadcasthost cdn console dashboard dns email ftp gateway git help hostmaster identity idp imap info ' +
    'internal isatap legal live localdomain localhost login logout mail mailer-daemon mainstay metrics mx ' +
    'network noreply ns ns1 ns2 oauth oauth2 oidc operator ops password payment payments platform policy pop ' +
    'pop3 postmaster privacy proxy registry root s3 secure security server sftp signin signout signup smtp ' +
    'ssh ssl sso static status storage support sysadmin system tls token trust undefined upload uploads ' +
    'usenet uucp verify webhook webhooks webmail webmaster whois wpad www www1 www2'
  ).split(' '),
);

export interface LabelRules {
  /** Why no application may have this label; null when one may, if it is free. */
  refusal(label: string): string | null;
}

export function labelRules(options: {
  /** Beside those that are reserved anyway. */
  reserved: readonly string[];
  /** The platform's own name that the label would pass for, if any. */
  imitates?: (label: string) => string | undefined;
}): LabelRules {
  const { imitates } = options;
  const own = new Set(options.reserved.map((label) => label.toLowerCase()));
  return {
    refusal(label) {
      const form = malformed(label);
      if (form) return form;
      if (reserved.has(label) || own.has(label)) return `The label "${label}" is reserved.`;
      const name = imitates?.(label);
      return name ? `The label "${label}" is too similar to "${name}", a reserved name.` : null;
    },
  };
}

function malformed(label: string): string | null {
  if (label === '') return 'A label must have at least one letter or digit.';
  if (label.length > maxLabelLength) return `A label must be at most ${maxLabelLength} characters long.`;
  if (/[^\p{ASCII}]/u.test(label))
    return 'A label must be written in the letters a to z, digits and hyphens; other scripts are not supported.';
  if (/[^a-z0-9-]/.test(label)) return 'A label must hold only the letters a to z, digits and hyphens.';
  if (label.startsWith('-') || label.endsWith('-')) return 'A label must not begin or end with a hyphen.';
  // RFC 5891, 4.2.3.1: there they mark names in other scripts.
  if (label.slice(2, 4) === '--') return 'A label must not have hyphens as its third and fourth characters.';
  return null;
}

/** What was meant: small letters, blanks and underscores as hyphens. */
export function normalizeLabel(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/[\s_]+/g, '-');
}

/** Why the application cannot have the label; null when it can, or has it already. */
export async function labelProblem(
  db: Db | Tx,
  rules: LabelRules,
  applicationId: string,
  label: string,
): Promise<string | null> {
  const holder = await findHostname(db, label);
  if (holder?.application_id === applicationId && holder.type === 'APP') return null;
  const refusal = rules.refusal(label);
  if (refusal) return refusal;
  return holder ? `The label "${label}" is taken.` : null;
}

/** The label that an application has from its creation: its slug, with a short hash when that cannot be. */
export async function claimFirstLabel(
  tx: Tx,
  rules: LabelRules,
  application: { id: string; slug: string; now: number },
): Promise<void> {
  const { id, slug, now } = application;
  const name = await freeLabel(tx, rules, slug);
  await insertHostname(tx, {
    id: newId(now),
    name,
    application_id: id,
    type: 'APP',
    source: 'system',
    environment_id: null,
    deployment_id: null,
    branch_id: null,
    created_at: now,
    updated_at: now,
  });
}

async function freeLabel(tx: Tx, rules: LabelRules, slug: string): Promise<string> {
  const isFree = async (label: string) => !rules.refusal(label) && !(await findHostname(tx, label));
  const label = cut(slug, maxLabelLength);
  if (await isFree(label)) return label;
  const short = cut(slug, maxLabelLength - 9);
  for (let attempt = 0; attempt < 4; attempt++) {
    const hashed = `${short}-${randomBytes(2).toString('hex')}`;
    if (await isFree(hashed)) return hashed;
  }
  // Whatever the slug is, this passes for nothing.
  return `app-${randomBytes(6).toString('hex')}`;
}

function cut(text: string, length: number): string {
  return text.slice(0, length).replace(/-+$/, '');
}

/** Gives the application another label, which is free. The one before is free at once. */
export async function changeLabel(
  tx: Tx,
  applicationId: string,
  label: string,
  now: number,
): Promise<HostnameRow> {
  const row = await appHostname(tx, applicationId);
  if (!row) throw new Problem('not_found', 'No application with this id is visible to this token.');
  await updateHostname(tx, row.id, { name: label, updated_at: now });
  announce(tx, hostnameTopic, row.name);
  announce(tx, hostnameTopic, label);
  return { ...row, name: label, updated_at: now };
}
