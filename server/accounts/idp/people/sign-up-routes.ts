import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { audit } from '#accounts/audit-log/service.ts';
import { isInvited } from '#accounts/members/service.ts';
import { byEmail, createUser, hashPassword } from '#accounts/users/service.ts';
import { senderOf } from '#core/addresses.ts';
import type { Clock } from '#core/clock.ts';
import { type Db, UniqueViolation } from '#core/db.ts';
import { displayName } from '#core/names.ts';
import { NamedMutexes } from '#core/semaphore.ts';
import type { Vault } from '#core/vault.ts';
import { demandOwnPage } from '#http/browser.ts';
import { problemSender } from '#http/errors.ts';
import { type Accounts, sendPassed } from '../accounts/accounts.ts';
import { emailAlias } from '../accounts/alias.ts';
import { SignInAnswer } from '../accounts/schema.ts';
import type { Attempts } from '../attempts.ts';
import type { Emails } from '../emails.ts';
import { PeopleProblem, peopleSkin } from '../errors.ts';
import { inEvenTime } from '../even-time.ts';
import type { PasswordPolicy } from '../passwords/policy.ts';
import {
  CheckPassword,
  PasswordStrength,
  Setup,
  SetupQuery,
  SetupState,
  SignedUp,
  SignUp,
} from './schema.ts';
import { createFirstOperator, isSetupToken, setupRefused } from './setup.ts';
import { operatorExists } from './store.ts';

const tags = ['Sign-up'];
const config = { public: true, session: true } as const;
/** A password takes some 30 ms, a commit a few: what differs between addresses disappears in it. */
const evenMilliseconds = 500;

/** New people: everybody who may sign up, and the first operator. */
export function signUpRoutes(deps: {
  db: Db;
  vault: Vault;
  clock: Clock;
  log: Logger;
  accounts: Accounts;
  attempts: Attempts;
  emails: Emails;
  passwords: PasswordPolicy;
  origin: string;
  signUp: 'open' | 'invited' | 'closed';
  limits: { signUpsPerAddress: number };
}): FastifyPluginAsyncTypebox {
  const { db, vault, clock, log, accounts, attempts, emails, passwords, origin, limits } = deps;

  /** A page asks at each stroke: one is answered at a time for each address, and few wait. */
  const rating = new NamedMutexes({ maxWaiting: 3 });

  const countAsking = async (request: FastifyRequest) => {
    const key = `ask:${senderOf(request.ip)}`;
    await attempts.take([{ key, limit: limits.signUpsPerAddress, windowSeconds: 3600 }]);
  };

  const mayJoin = async (email: string): Promise<boolean> =>
    deps.signUp === 'open' || isInvited(db, email, clock.now());

  /** Makes the person, unless the address is known or not invited, which the answer does not tell. */
  const join = async (person: { email: string; name: string; password: string }, requestId: string) => {
    const { email, name } = person;
    // Loaded for everybody: that it was loaded for this one would show.
    if (emails.areSent) await accounts.open();
    const passwordHash = await hashPassword(person.password);
    if (!(await mayJoin(email))) return;
    const made = await db
      .write(async (tx) => {
        if (await byEmail(tx, email)) return null;
        const wanted = { email, name, passwordHash, emailVerified: false, isOperator: false };
        const user = await createUser(tx, { ...wanted, now: clock.now() });
        const target = { organizationId: null, targetType: 'user', targetId: user.id };
        const source = { actorType: 'user', actorId: user.id, requestId };
        await audit(tx, source, { ...target, action: 'user.created', details: { email } });
        return user;
      })
      .catch((error) => {
        // Somebody else signed up with the same address this moment.
        if (error instanceof UniqueViolation) return null;
        throw error;
      });
    if (!made) emails.alreadySignedUp(email);
    else if (emails.areSent) await accounts.sendVerification(made);
  };

  return async (app) => {
    app.setErrorHandler(problemSender(log, peopleSkin));

    app.post(
      '/idp/sign-up/email',
      {
        config,
        schema: {
          operationId: 'signUp',
          summary: 'Sign up',
          description: 'The response is the same for an address that already has an account.',
          tags,
          body: SignUp,
          response: { 200: SignedUp },
        },
      },
      async (request) => {
        demandOwnPage(request, origin);
        if (deps.signUp === 'closed') {
          const sentence = 'Sign-up is disabled. Contact the operator of this instance.';
          throw new PeopleProblem('forbidden', 'SIGN_UP_CLOSED', sentence);
        }
        await countAsking(request);
        const email = address(request.body.email);
        const name = displayName(request.body.name, 'name');
        const { password } = request.body;
        await passwords.demand(password, [email, name]);
        await inEvenTime(evenMilliseconds, () => join({ email, name, password }, request.id));
        return { status: true, verification: emails.areSent ? ('mail' as const) : ('none' as const) };
      },
    );

    app.post(
      '/idp/password-strength',
      {
        config,
        schema: {
          operationId: 'ratePassword',
          summary: 'Rate the strength of a password',
          tags,
          body: CheckPassword,
          response: { 200: PasswordStrength },
        },
      },
      async (request) => {
        demandOwnPage(request, origin);
        const { password, email, name } = request.body;
        const about = [email ?? '', name ?? ''].filter(Boolean);
        const { score, acceptable, warning, suggestions } = await rating.run(senderOf(request.ip), () =>
          passwords.rate(password, about),
        );
        return { score, acceptable, warning, suggestions: [...suggestions] };
      },
    );

    app.get(
      '/idp/setup',
      {
        config,
        schema: {
          operationId: 'getSetup',
          summary: 'Check the setup link of a new instance',
          tags,
          querystring: SetupQuery,
          response: { 200: SetupState },
        },
      },
      async (request) => {
        demandOwnPage(request, origin);
        const usable = isSetupToken({ vault, clock }, request.query.token) && !(await operatorExists(db));
        return { usable };
      },
    );

    app.post(
      '/idp/setup',
      {
        config,
        schema: {
          operationId: 'setUp',
          summary: 'Create the first operator of a new instance',
          tags,
          body: Setup,
          response: { 200: SignInAnswer },
        },
      },
      async (request, reply) => {
        demandOwnPage(request, origin);
        await countAsking(request);
        const { token, password } = request.body;
        if (!isSetupToken({ vault, clock }, token) || (await operatorExists(db))) throw setupRefused();
        const email = address(request.body.email);
        const name = displayName(request.body.name, 'name');
        await passwords.demand(password, [email, name]);
        const passwordHash = await hashPassword(password);
        const user = await createFirstOperator({ db, clock }, { email, name, passwordHash });
        const body = { email: emailAlias(user.id), password };
        const passage = { method: 'POST', path: '/sign-in/email', body } as const;
        return sendPassed(reply, await accounts.pass(request, passage));
      },
    );
  };
}

/** What better-auth, and most mail servers, take for an address. */
const addressPattern =
  /^(?!\.)(?!.*\.\.)[a-z0-9_'+\-.]{0,63}[a-z0-9_+-]@([a-z0-9][a-z0-9-]{0,62}\.)+[a-z]{2,63}$/;

function address(text: string): string {
  const email = text.trim().toLowerCase();
  if (addressPattern.test(email)) return email;
  const sentence = 'The field "email" must be an address such as you@example.com.';
  throw new PeopleProblem('invalid_request', 'INVALID_EMAIL', sentence);
}
