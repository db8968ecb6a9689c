import { hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { type Clock, clockMarginMilliseconds } from '#core/clock.ts';
import { type Db, TransactionConflict, type Tx, type WriteOptions } from '#core/db.ts';
import { Problem } from '#core/problem.ts';
import type { Vault } from '#core/vault.ts';
import {
  claimAnswer,
  findAnswer,
  removeAnswer,
  removeAnswersBefore,
  storeAnswer,
} from './idempotency-store.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route runs its work through `Once`, and its description says so. */
    once?: true;
  }
}

const keptMilliseconds = 24 * 3_600_000;

export function answerContext(owner: string, key: string): string {
  return `idempotency_keys.answer:${owner}:${key}`;
}

/**
 * Runs the transaction of a request that creates something, once for each `Idempotency-Key`
 * (draft-ietf-httpapi-idempotency-key-header). The answer is stored in that same transaction, so a crash leaves both
 * the thing and its answer, or neither.
 */
export type Once = <T>(
  request: FastifyRequest,
  work: (tx: Tx) => Promise<T>,
  options?: WriteOptions,
) => Promise<T>;

export function idempotency({ db, vault, clock }: { db: Db; vault: Vault; clock: Clock }): Once {
  return async function once<T>(
    request: FastifyRequest,
    work: (tx: Tx) => Promise<T>,
    options: WriteOptions = {},
  ): Promise<T> {
    const key = idempotencyKey(request);
    if (key === undefined) return db.write(work, options);
    const owner = ownerOf(request);
    const fingerprint = fingerprintOf(request);
    const mine = { owner, key };

    return db.write(async (tx) => {
      const now = clock.now();
      const stored = await findAnswer(tx, mine);
      if (stored && stored.expires_at > now) {
        if (stored.fingerprint !== fingerprint) {
          const sentence = 'This Idempotency-Key was used for another request; send a new one.';
          throw new Problem('unprocessable', sentence);
        }
        // A row without an answer cannot be seen: both are written by one transaction.
        return JSON.parse(
          vault.decryptText(answerContext(owner, key), stored.answer ?? new Uint8Array()),
        ) as T;
      }
      if (stored) await removeAnswer(tx, mine);
      // Claimed before the work: an equal request that runs beside this one waits here, and then finds the answer.
      const claim = { ...mine, fingerprint, answer: null, expires_at: now + keptMilliseconds };
      if (!(await claimAnswer(tx, claim)))
        throw new TransactionConflict('Lost the race for an Idempotency-Key.');
      const result = await work(tx);
      const answer = vault.encrypt(answerContext(owner, key), JSON.stringify(result));
      await storeAnswer(tx, mine, answer);
      return result;
    }, options);
  };
}

/** The same promise for a request that an engine beside the database fulfils; undefined: the client asks for none. */
export function onceOf(
  request: FastifyRequest,
  now: number,
): { id: string; fingerprint: string; expiresAt: number } | undefined {
  const key = idempotencyKey(request);
  if (key === undefined) return undefined;
  const id = hash('sha256', `${ownerOf(request)}\n${key}`);
  return { id, fingerprint: fingerprintOf(request), expiresAt: now + keptMilliseconds };
}

/** The credential, not its actor alone: an answer may hold a secret that a weaker credential must not be shown. */
function ownerOf({ auth }: FastifyRequest): string {
  const { actor, through, clientId, grantId, scopes } = auth;
  const credential = hash('sha256', [through, clientId, grantId, ...scopes].join(' '));
  return `${actor.type}:${actor.id}:${credential}`;
}

function fingerprintOf({ method, url, body }: FastifyRequest): string {
  return hash('sha256', `${method} ${url}\n${JSON.stringify(body)}`);
}

function idempotencyKey(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key === 'string' && /^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw new Problem(
    'invalid_request',
    'Idempotency-Key must be 1 to 255 visible ASCII characters, such as a UUID.',
  );
}

/** Forgets answers that nobody can ask for any more. */
export async function sweepIdempotency(db: Db, now: number): Promise<void> {
  await db.write((tx) => removeAnswersBefore(tx, now - clockMarginMilliseconds));
}
