import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Logger } from 'pino';
import type { Powers } from '#accounts/api-keys/service.ts';
import { findUser } from '#accounts/users/service.ts';
import { isoTime } from '#core/clock.ts';
import { problemSender } from '#http/errors.ts';
import type { Attempts } from '../attempts.ts';
import { PeopleProblem, peopleSkin } from '../errors.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { Clients } from './clients.ts';
import type { DeviceRow } from './device-store.ts';
import { decideDevice, findDevice } from './devices.ts';
import type { GrantDeps } from './grants.ts';
import { toClient, toScopes } from './render.ts';
import { DeviceDecision, DeviceOutcome, DeviceQuery, WaitingDevice } from './schema.ts';
import { grantPower } from './scopes.ts';

const tags = ['OAuth for other apps'];

/** What the page at `/device` needs: which program waits under the code, and the decision. */
export function deviceRoutes(
  deps: GrantDeps & {
    log: Logger;
    sessions: Sessions;
    clients: Clients;
    attempts: Attempts;
    limits: { userCodeAttempts: number };
    powers: Powers;
  },
): FastifyPluginAsyncTypebox {
  const { db, vault, clock, sessions, clients, attempts, limits, powers, log } = deps;

  /** Guessing at codes would find other people's devices: wrong ones are counted for the person who enters them. */
  const waiting = async (userId: string, code: string): Promise<DeviceRow> => {
    const key = `user-code:${userId}`;
    const attempt = await attempts.take([{ key, limit: limits.userCodeAttempts, windowSeconds: 900 }]);
    const device = await findDevice(db, { vault, now: clock.now() }, code);
    if (!device) {
      const sentence = 'This code is not valid. Check it, or request a new one: codes expire.';
      throw new PeopleProblem('not_found', 'UNKNOWN_DEVICE_CODE', sentence);
    }
    await attempt.giveBack();
    return device;
  };

  return async (app) => {
    app.setErrorHandler(problemSender(log, peopleSkin));

    app.get(
      '/idp/oauth2/device',
      {
        config: { errors: [404], public: true, session: true },
        schema: {
          operationId: 'getWaitingDevice',
          summary: 'Get the device of a user code',
          tags,
          querystring: DeviceQuery,
          response: { 200: WaitingDevice },
        },
      },
      async (request) => {
        const session = await sessions.demand(request);
        const device = await waiting(session.userId, request.query.user_code);
        const [client, user] = await Promise.all([clients(device.client_id), findUser(db, session.userId)]);
        return {
          client: client
            ? toClient(client)
            : { id: device.client_id, name: device.client_id, firstParty: false },
          scopes: toScopes(device.scope),
          account: user ? { id: user.id, email: user.email, name: user.name } : null,
          address: device.address,
          userAgent: device.user_agent,
          requestedAt: isoTime(device.created_at),
          expiresAt: isoTime(device.expires_at),
        };
      },
    );

    app.post(
      '/idp/oauth2/device',
      {
        config: { public: true, session: true },
        schema: {
          operationId: 'decideDevice',
          summary: 'Approve or deny a device',
          tags,
          body: DeviceDecision,
          response: { 200: DeviceOutcome },
        },
      },
      async (request) => {
        const session = await sessions.demand(request);
        const { userCode, approve } = request.body;
        const device = await waiting(session.userId, userCode);
        if (approve) await powers.demand(session.auth, grantPower(device.scope));
        const status = approve ? ('approved' as const) : ('denied' as const);
        const { userId, createdAt: authenticatedAt, epoch } = session;
        const decision = { status, userId, authenticatedAt, epoch };
        if (await decideDevice(db, device.id, decision)) return { status };
        throw new PeopleProblem('conflict', 'DEVICE_DECIDED', 'This request was already approved or denied.');
      },
    );
  };
}
