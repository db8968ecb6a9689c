import { aiPackages } from './ai-packages.ts';
import { account } from './areas/account.ts';
import { admin } from './areas/admin.ts';
import { ai } from './areas/ai.ts';
import { aiGateway, aiProviders } from './areas/ai-gateway.ts';
import { apiKeys } from './areas/api-keys.ts';
import { applicationCache } from './areas/application-cache.ts';
import { applicationEnvVars } from './areas/application-env-vars.ts';
import { applicationEnvironments, applications } from './areas/applications.ts';
import { auditLog } from './areas/audit-log.ts';
import { deployments } from './areas/deployments.ts';
import { envVars } from './areas/env-vars.ts';
import { fastcache } from './areas/fastcache.ts';
import { environmentProtection, gatewayCache, runtimeCache, stickySessions } from './areas/gateway.ts';
import { domains, hostnames } from './areas/hostnames.ts';
import { idp } from './areas/idp.ts';
import { logDrains } from './areas/log-drains.ts';
import { invitations, members } from './areas/members.ts';
import { organizations } from './areas/organizations.ts';
import { products } from './areas/products.ts';
import { requestLogs } from './areas/request-logs.ts';
import { s3Credentials } from './areas/s3-credentials.ts';
import { schedules } from './areas/schedules.ts';
import { storage } from './areas/storage.ts';
import { webReputation } from './areas/web-reputation.ts';
import { whois } from './areas/whois.ts';
import { clientCredentials, type TokenSource } from './credentials.ts';
import { type RawRequest, Requests } from './requests.ts';
import { realSurroundings, type Surroundings } from './send.ts';

interface CommonOptions {
  /** Of each attempt, the reading of the answer included. 30 000 unless given. */
  timeoutMilliseconds?: number;
  /** How many more times a request that failed for now is sent. 2 unless given. */
  retries?: number;
  /** Instead of the global one: a proxy, a test. */
  fetch?: typeof fetch;
}

/** An API key: the client fetches tokens with it and renews them. Never in a browser. */
export interface KeyOptions extends CommonOptions {
  /** The address of the instance, such as `https://api.example.com`. */
  baseUrl: string;
  clientId: string;
  clientSecret: string;
}

/** A bearer token, or a function that gives one. It is called for every request, and again with a token that was refused. */
export interface TokenOptions extends CommonOptions {
  baseUrl: string;
  token: string | TokenSource;
}

/** The session of a browser, on a page that the instance itself serves. */
export interface SessionOptions extends CommonOptions {
  /** The origin of the page unless given. */
  baseUrl?: string;
  session: true;
}

export type ClientOptions = KeyOptions | TokenOptions | SessionOptions;

export type Client = ReturnType<typeof createClient>;

/** A client of one instance with one credential. */
export function createClient(options: ClientOptions, surroundings: Partial<Surroundings> = {}) {
  const { retries = 2, timeoutMilliseconds = 30_000 } = options;
  const around = {
    ...realSurroundings,
    ...(options.fetch ? { fetch: options.fetch } : {}),
    ...surroundings,
  };
  const patience = { retries, timeoutMilliseconds };
  const baseUrl = (options.baseUrl ?? '').replace(/\/+$/, '');
  const tokenSource = (): TokenSource | undefined => {
    if ('session' in options) return undefined;
    if ('clientId' in options) return clientCredentials({ ...options, baseUrl }, patience, around);
    const { token } = options;
    return typeof token === 'string' ? () => token : token;
  };
  const isSession = 'session' in options;
  const source = tokenSource();
  const api = new Requests({ baseUrl, tokenSource: source, isSession, patience, around });
  return {
    /** Any request, an operation of a later version too: the answer as it came, read by the caller. */
    request: (method: string, path: string, request?: RawRequest) => api.raw(method, path, request),
    organizations: organizations(api),
    members: members(api),
    invitations: invitations(api),
    products: products(api),
    applications: applications(api),
    environments: applicationEnvironments(api),
    applicationEnvVars: applicationEnvVars(api),
    applicationCache: applicationCache(api),
    deployments: deployments(api),
    environmentProtection: environmentProtection(api),
    gatewayCache: gatewayCache(api),
    runtimeCache: runtimeCache(api),
    stickySessions: stickySessions(api),
    schedules: schedules(api),
    hostnames: hostnames(api),
    domains: domains(api),
    envVars: envVars(api),
    apiKeys: apiKeys(api),
    auditLog: auditLog(api),
    fastcache: fastcache(api),
    requestLogs: requestLogs(api),
    logDrains: logDrains(api),
    ai: { ...ai(api), ...aiPackages({ baseUrl, tokenSource: source, fetch: around.fetch }) },
    aiGateway: aiGateway(api),
    aiProviders: aiProviders(api),
    storage: storage(api),
    s3Credentials: s3Credentials(api),
    webReputation: webReputation(api),
    whois: whois(api),
    idp: idp(api),
    account: account(api),
    admin: admin(api),
  };
}
