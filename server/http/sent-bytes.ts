import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * Begins to count what the connection takes for a response, head and body; to be called before its first byte. Undefined
 * where the client sent the request ahead of an earlier response: the bytes of both cannot be told apart.
 */
export function countSent({ socket }: IncomingMessage, response: ServerResponse): () => number | undefined {
  if (response.socket === null) return () => undefined;
  const before = socket.bytesWritten;
  return () => socket.bytesWritten - before;
}
