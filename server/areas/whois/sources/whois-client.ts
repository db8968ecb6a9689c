import { connect } from 'node:net';
import { ForbiddenAddress, Outgoing } from '#core/outgoing.ts';
import { UpstreamError } from './upstream-error.ts';

export interface WhoisLimits {
  connectSeconds: number;
  /** Between one piece of the answer and the next. */
  idleSeconds: number;
  /** From the start to the last byte. */
  totalSeconds: number;
  maxBytes: number;
}

/** One query of the WHOIS protocol (RFC 3912): a line, answered until the server closes. Throws `UpstreamError`. */
export async function askWhois(options: {
  server: string;
  port: number;
  query: string;
  outgoing: Outgoing;
  limits: WhoisLimits;
}): Promise<Buffer> {
  const { server, port, query, outgoing, limits } = options;
  const addresses = await resolve(outgoing, server);
  const { promise, resolve: answered, reject } = Promise.withResolvers<Buffer>();
  const pieces: Buffer[] = [];
  let length = 0;
  const socket = connect({
    host: server,
    port,
    lookup: Outgoing.pinned(addresses),
    timeout: limits.connectSeconds * 1000,
  });
  const fail = (failure: 'silent' | 'unreachable' | 'broken', message: string, cause?: unknown) => {
    reject(new UpstreamError(failure, server, message, { cause }));
    socket.destroy();
  };
  const deadline = setTimeout(
    () => fail('silent', `did not finish its answer within ${limits.totalSeconds} s.`),
    limits.totalSeconds * 1000,
  );
  socket.on('connect', () => {
    socket.setTimeout(limits.idleSeconds * 1000);
    socket.write(`${query}\r\n`);
  });
  socket.on('timeout', () => fail('silent', 'did not respond in time.'));
  socket.on('data', (piece: Buffer) => {
    pieces.push(piece);
    length += piece.length;
    if (length > limits.maxBytes) fail('broken', `sent more than ${limits.maxBytes} bytes.`);
  });
  socket.on('end', () => answered(Buffer.concat(pieces)));
  socket.on('error', (error) => fail('unreachable', 'cannot be reached, or broke off.', error));
  try {
    return await promise;
  } finally {
    clearTimeout(deadline);
    socket.destroy();
  }
}

/** The addresses of an upstream, its failures told in the words of this area. */
export async function resolve(outgoing: Outgoing, host: string): Promise<readonly string[]> {
  try {
    return await outgoing.addressesOf(host);
  } catch (error) {
    if (error instanceof ForbiddenAddress) throw new UpstreamError('forbidden', host, error.message);
    throw new UpstreamError('unreachable', host, 'has no address.', { cause: error });
  }
}
