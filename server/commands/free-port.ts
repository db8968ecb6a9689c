import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Environment } from '#core/settings.ts';
import { readConfig } from '../platform/config.ts';

/**
 * The settings with a free port where they ask for any (`MAINSTAY_PORT=0`). It is chosen before anything is opened: the
 * base address, and with it the issuer of tokens, follows from it.
 */
export async function withPort(environment: Environment): Promise<Environment> {
  const { host, port } = readConfig(environment);
  if (port !== 0) return environment;
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('No free port was found.');
  return { ...environment, MAINSTAY_PORT: String(address.port) };
}
