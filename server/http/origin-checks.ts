import { isIP } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { Problem } from '#core/problem.ts';

/** Where a request says that it comes from and goes to: read in one way only, by us and by whatever stands in front. */
export function registerOriginChecks(
  app: FastifyInstance,
  { trustsProxies }: { trustsProxies: boolean },
): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (hasTwoHosts(request.raw.rawHeaders))
      return done(new Problem('invalid_request', 'Send the Host header once.'));
    // The S3 endpoint says it in its own words.
    if (!request.routeOptions.config.signed && !isQueryReadable(request.url)) {
      const sentence = 'The query of the address is not UTF-8 in percent-encoding.';
      return done(new Problem('invalid_request', sentence));
    }
    if (trustsProxies && isIP(request.ip) === 0) {
      // What is no address is nobody's: the nearest hop that is known counts.
      const address = request.ips?.findLast((ip) => isIP(ip) !== 0) ?? request.socket.remoteAddress ?? '';
      Object.defineProperty(request, 'ip', { value: address });
    }
    done();
  });
}

/** Else it would be taken as it stands, escapes and all: as the key of an object, say. */
function isQueryReadable(url: string): boolean {
  const at = url.indexOf('?');
  if (at < 0 || !url.includes('%', at)) return true;
  try {
    decodeURIComponent(url.slice(at));
    return true;
  } catch {
    return false;
  }
}

/** RFC 9112, 3.2. Node keeps the first, a proxy may have routed by the last. */
function hasTwoHosts(rawHeaders: readonly string[]): boolean {
  let seen = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') seen++;
  }
  return seen > 1;
}
