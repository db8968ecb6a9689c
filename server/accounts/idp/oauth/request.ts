import { OAuthProblem } from '#http/oauth-errors.ts';
import type { Client, Clients } from './clients.ts';
import { outOfBand } from './redirects.ts';
import { askedScope } from './scopes.ts';

/** A request for authorization that is in order: code with PKCE, nothing else (RFC 6749, 4.1.1; RFC 7636; RFC 9700). */
export interface AuthorizationRequest {
  client: Client;
  redirectUri: string;
  scope: string;
  state: string | undefined;
  codeChallenge: string;
  nonce: string | undefined;
  prompt: ReadonlySet<string>;
  /** Seconds since the person proved who they are. */
  maxAge: number | undefined;
}

/** What is wrong with a request whose client and redirect address are right: the client is told, at that address. */
export class RedirectedProblem extends OAuthProblem {
  readonly location: string;

  constructor(code: string, message: string, location: string) {
    super(code, message);
    this.location = location;
  }
}

type Place = Pick<AuthorizationRequest, 'redirectUri' | 'state'>;

/** The answer at the client's address (RFC 6749, 4.1.2; RFC 9207 for `iss`). */
export function answerAt(
  { redirectUri, state }: Place,
  issuer: string,
  answer: Record<string, string>,
): string {
  // The page of the dashboard that shows the code. In the fragment: it reaches no log.
  if (redirectUri === outOfBand) {
    const shown = new URLSearchParams({ ...answer, ...(state === undefined ? {} : { state }) });
    return `${issuer.replace(/\/idp$/, '')}/authorize/code#${shown}`;
  }
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries({ ...answer, ...(state === undefined ? {} : { state }) }))
    url.searchParams.set(name, value);
  url.searchParams.set('iss', issuer);
  return url.href;
}

const known = [
  'client_id',
  'redirect_uri',
  'response_type',
  'response_mode',
  'scope',
  'state',
  'nonce',
  'code_challenge',
  'code_challenge_method',
  'prompt',
  'max_age',
  'resource',
] as const;

/** By OpenID Connect Core 1.0, 6 and 7.2.1. */
const unsupported: Readonly<Record<string, string>> = {
  request: 'request_not_supported',
  request_uri: 'request_uri_not_supported',
  registration: 'registration_not_supported',
};

const prompts = ['none', 'login', 'consent', 'select_account'];

/**
 * Reads the query of an authorization request. As long as the client or its address is in doubt, failures are for the
 * person (`OAuthProblem`); afterwards they go to the client (`RedirectedProblem`).
 */
export async function readRequest(
  deps: { clients: Clients; issuer: string; resource: string },
  query: URLSearchParams,
): Promise<AuthorizationRequest> {
  const values: Partial<Record<(typeof known)[number], string>> = {};
  const repeated = known.filter((name) => query.getAll(name).length > 1);
  for (const name of known) {
    const value = query.get(name);
    if (value) values[name] = value;
  }
  if (repeated.includes('client_id') || repeated.includes('redirect_uri'))
    throw new OAuthProblem('invalid_request', 'client_id and redirect_uri must each be sent once.');
  const client = values.client_id === undefined ? null : await deps.clients(values.client_id);
  if (!client) throw new OAuthProblem('invalid_client', 'There is no client with this client_id.');
  const redirectUri = values.redirect_uri;
  if (redirectUri === undefined || !client.allowsRedirect(redirectUri)) {
    const sentence = 'The redirect_uri is not one that is registered for this client.';
    throw new OAuthProblem('invalid_request', sentence);
  }

  const state = repeated.includes('state') ? undefined : values.state;
  const fail = (code: string, message: string): never => {
    const answer = { error: code, error_description: message };
    throw new RedirectedProblem(code, message, answerAt({ redirectUri, state }, deps.issuer, answer));
  };
  if (repeated.length > 0) fail('invalid_request', `${repeated.join(', ')} must be sent once.`);
  for (const [name, code] of Object.entries(unsupported))
    if (query.has(name)) fail(code, `${name} is not supported here.`);
  if (values.response_type !== 'code') fail('unsupported_response_type', 'response_type must be code.');
  if ((values.response_mode ?? 'query') !== 'query')
    fail('invalid_request', 'response_mode must be query, or left out.');
  if (values.code_challenge_method !== 'S256' || !/^[\w-]{43}$/.test(values.code_challenge ?? ''))
    fail('invalid_request', 'PKCE is needed: send code_challenge and code_challenge_method=S256.');
  if ((values.resource ?? deps.resource).replace(/\/$/, '') !== deps.resource)
    fail('invalid_target', `The only resource here is ${deps.resource}.`);
  if ((values.nonce ?? '').length > 512 || (values.state ?? '').length > 2048)
    fail('invalid_request', 'nonce or state is too long.');
  const prompt = new Set((values.prompt ?? '').split(' ').filter(Boolean));
  if ([...prompt].some((word) => !prompts.includes(word)) || (prompt.has('none') && prompt.size > 1))
    fail('invalid_request', 'prompt must be none, or any of login, consent and select_account.');
  if (!/^\d{0,9}$/.test(values.max_age ?? ''))
    fail('invalid_request', 'max_age must be a number of seconds.');

  return {
    client,
    redirectUri,
    scope: scopeOrFail(values.scope, client, fail),
    state,
    codeChallenge: values.code_challenge as string,
    nonce: values.nonce,
    prompt,
    maxAge: values.max_age === undefined ? undefined : Number(values.max_age),
  };
}

function scopeOrFail(
  asked: string | undefined,
  client: Client,
  fail: (code: string, message: string) => never,
): string {
  try {
    return askedScope(asked, client.scopes);
  } catch (error) {
    if (error instanceof OAuthProblem) return fail(error.code, error.message);
    throw error;
  }
}
