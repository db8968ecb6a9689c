import { createSocket } from 'node:dgram';
import { connect } from 'node:net';
import type { DecodedPacket } from 'dns-packet';
import { decodeAnswer, type QuestionType, question } from './message.ts';
import type { ServerAddress } from './server-address.ts';

/**
 * Asks one server one question: over UDP from a port of its own, so that nobody off the path can guess where an answer
 * would be accepted (RFC 5452), and over TCP where the answer does not fit (RFC 7766). Rejects when the server cannot be
 * reached or the signal says stop.
 */
export async function exchange(
  server: ServerAddress,
  asked: { name: string; type: QuestionType },
  signal: AbortSignal,
): Promise<DecodedPacket> {
  const short = await overUdp(server, asked, signal);
  return short.flag_tc ? overTcp(server, asked, signal) : short;
}

function overUdp(
  { host, port }: ServerAddress,
  asked: { name: string; type: QuestionType },
  signal: AbortSignal,
): Promise<DecodedPacket> {
  const { id, bytes } = question(asked.name, asked.type);
  const { promise, resolve, reject } = Promise.withResolvers<DecodedPacket>();
  const socket = createSocket({ type: host.includes(':') ? 'udp6' : 'udp4' });
  const stop = () => reject(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  socket.on('error', reject);
  socket.on('message', (answer) => {
    const message = decodeAnswer(answer, { id, ...asked });
    // Made up by somebody else: the true one may still come.
    if (message) resolve(message);
  });
  // Connected, so that nobody else's answers arrive and a closed port is heard of at once.
  socket.connect(port, host, (error?: Error) => {
    if (error) return reject(error);
    socket.send(bytes, (failed) => failed && reject(failed));
  });
  return promise.finally(() => {
    signal.removeEventListener('abort', stop);
    socket.close();
  });
}

function overTcp(
  { host, port }: ServerAddress,
  asked: { name: string; type: QuestionType },
  signal: AbortSignal,
): Promise<DecodedPacket> {
  const { id, bytes } = question(asked.name, asked.type);
  const { promise, resolve, reject } = Promise.withResolvers<DecodedPacket>();
  const socket = connect({ host, port, signal });
  const length = Buffer.alloc(2);
  length.writeUInt16BE(bytes.length);
  socket.on('connect', () => socket.write(Buffer.concat([length, bytes])));
  let received = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    if (received.length < 2 || received.length < 2 + received.readUInt16BE(0)) return;
    const message = decodeAnswer(received.subarray(2, 2 + received.readUInt16BE(0)), { id, ...asked });
    if (message) resolve(message);
    else reject(new Error(`${host} sent an answer to something else.`));
  });
  socket.on('error', reject);
  socket.on('close', () => reject(new Error(`${host} closed the connection.`)));
  return promise.finally(() => socket.destroy());
}
