import { randomBytes, randomInt } from 'node:crypto';
import type { Db, Tx } from '#core/db.ts';
import { newId } from '#core/ids.ts';
import type { Vault } from '#core/vault.ts';
import { OAuthProblem } from '#http/oauth-errors.ts';
import {
  type DeviceRow,
  deleteDevice,
  findDeviceWithUser,
  findPendingDevice,
  insertDevice,
  setPolled,
  updatePendingDevice,
} from './device-store.ts';
import type { GrantRow } from './grant-store.ts';
import { createGrant, type GrantDeps } from './grants.ts';

/** The device grant (RFC 8628): a program shows a short code, a person types it elsewhere and approves. */

/** RFC 8628, 6.1: no vowels, so no words; nothing that looks like something else. 20^8 codes are 34 bits. */
const alphabet = 'BCDFGHJKLMNPQRSTVWXZ';
const pollSeconds = 5;
const maxPollSeconds = 60;
/** Clocks and networks are not exact. */
const toleranceMilliseconds = 500;

export async function startDevice(
  deps: GrantDeps & { deviceSeconds: number },
  asked: { clientId: string; scope: string; address: string; userAgent: string | undefined },
): Promise<{ deviceCode: string; userCode: string; pollSeconds: number }> {
  const { db, vault, clock, deviceSeconds } = deps;
  const now = clock.now();
  const deviceCode = `mdc_${randomBytes(32).toString('base64url')}`;
  const device = {
    id: newId(now),
    device_digest: digestOf(vault, 'device', deviceCode),
    client_id: asked.clientId,
    scope: asked.scope,
    address: asked.address,
    user_agent: asked.userAgent?.slice(0, 500) ?? null,
    status: 'pending',
    user_id: null,
    authenticated_at: null,
    epoch: null,
    poll_seconds: pollSeconds,
    polled_at: null,
    expires_at: now + deviceSeconds * 1000,
    created_at: now,
  } as const;
  for (;;) {
    const userCode = newUserCode();
    const row = { ...device, user_digest: digestOf(vault, 'user', userCode) };
    // A code that another device shows already is not given to a second one.
    const isNew = await db.write((tx) => insertDevice(tx, row));
    if (isNew) return { deviceCode, userCode, pollSeconds };
  }
}

function newUserCode(): string {
  const letters = Array.from({ length: 8 }, () => alphabet[randomInt(alphabet.length)]);
  return `${letters.slice(0, 4).join('')}-${letters.slice(4).join('')}`;
}

/** The device that waits under this code, however it was typed. */
export function findDevice(
  db: Db | Tx,
  { vault, now }: { vault: Vault; now: number },
  typed: string,
): Promise<DeviceRow | undefined> {
  const letters = typed.toUpperCase().replace(/[^A-Z]/g, '');
  const userCode = `${letters.slice(0, 4)}-${letters.slice(4)}`;
  return findPendingDevice(db, digestOf(vault, 'user', userCode), now);
}

/** What the person said, once. False when the device does not wait any more. */
export function decideDevice(
  db: Db,
  id: string,
  decision: { status: 'approved' | 'denied'; userId: string; authenticatedAt: number; epoch: number },
): Promise<boolean> {
  const { status, userId, authenticatedAt, epoch } = decision;
  const values = { status, user_id: userId, authenticated_at: authenticatedAt, epoch };
  return db.write((tx) => updatePendingDevice(tx, id, values));
}

type Poll = { grant: GrantRow } | { wait: 'authorization_pending' | 'slow_down' | 'access_denied' | 'gone' };

/** The device asks whether it has been approved (RFC 8628, 3.4 and 3.5). */
export async function pollDevice(
  deps: GrantDeps,
  request: { deviceCode: string; clientId: string; requestId: string },
): Promise<GrantRow> {
  const { db, vault, clock } = deps;
  const digest = digestOf(vault, 'device', request.deviceCode);
  const poll = await db.write(async (tx): Promise<Poll> => {
    const device = await findDeviceWithUser(tx, digest);
    const now = clock.now();
    if (!device || device.client_id !== request.clientId || device.expires_at <= now) return { wait: 'gone' };
    if (device.status === 'pending') return { wait: await noteWaiting(tx, device, now) };
    // Either way this was the last word.
    await deleteDevice(tx, device.id);
    const { user_id: userId, authenticated_at: authenticatedAt, epoch } = device;
    const isOver = device.suspended_at !== null || epoch !== device.user_epoch;
    if (device.status === 'denied' || userId === null || authenticatedAt === null || epoch === null || isOver)
      return { wait: 'access_denied' };
    const { client_id: clientId, scope } = device;
    const granted = { userId, clientId, scope, authenticatedAt, epoch };
    return { grant: await createGrant(tx, deps, request.requestId, granted) };
  });
  if ('grant' in poll) return poll.grant;
  if (poll.wait === 'gone')
    throw new OAuthProblem(
      'expired_token',
      'The device code is not valid: it was already used or has expired. Start again.',
    );
  throw new OAuthProblem(poll.wait, sentences[poll.wait]);
}

const sentences = {
  authorization_pending: 'The device has not been approved yet. Try again later.',
  slow_down: 'Too many requests. Wait five seconds longer between requests.',
  access_denied: 'The user denied the request.',
};

async function noteWaiting(
  tx: Tx,
  device: DeviceRow,
  now: number,
): Promise<'authorization_pending' | 'slow_down'> {
  const due = (device.polled_at ?? 0) + device.poll_seconds * 1000 - toleranceMilliseconds;
  const early = now < due;
  const poll_seconds = early ? Math.min(maxPollSeconds, device.poll_seconds + 5) : device.poll_seconds;
  await setPolled(tx, device.id, { polled_at: now, poll_seconds });
  return early ? 'slow_down' : 'authorization_pending';
}

function digestOf(vault: Vault, kind: 'device' | 'user', code: string): string {
  return vault.hash(`${kind} code ${code}`, 1).digest.toString('base64url');
}
