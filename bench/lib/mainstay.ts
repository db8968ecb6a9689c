import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../scripts/postgres.ts';
import { serverEntry } from '../../server/bin/entry.js';
import { nodeEnvironment, nodeFlags } from '../../server/bin/pinned.js';
import { fetchToken } from '../../server/testing/instance.ts';
import { type Contestant, startContestant } from './contestant.ts';

const main = fileURLToPath(serverEntry());

/** Mainstay as its launcher starts it, with its defaults, on the data that the settings name. */
export async function startMainstay(settings: Record<string, string>, core = '0'): Promise<Contestant> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const env = {
    MAINSTAY_PORT: String(port),
    MAINSTAY_ADMIN_PORT: '0',
    MAINSTAY_FILES_PORT: '0',
    MAINSTAY_S3_PORT: '0',
    MAINSTAY_GATEWAY_PORT: '0',
    MAINSTAY_BASE_URL: url,
    MAINSTAY_REQUESTS_PER_MINUTE: '0',
    ...nodeEnvironment,
    ...settings,
  };
  return startContestant([process.execPath, ...nodeFlags, main, 'serve'], { url, env, core });
}

/** Starts a script of bench/contestants with a free port as its first argument. */
export async function startScript(
  script: string,
  args: string[],
  readyPath = '/healthz',
): Promise<Contestant> {
  const port = await freePort();
  const file = path.join(import.meta.dirname, '../contestants', script);
  const command = [process.execPath, file, String(port), ...args];
  return startContestant(command, { url: `http://127.0.0.1:${port}`, readyPath });
}

/** Headers of a request with a token of this key, good for five minutes. */
export async function bearer(
  url: string,
  key: { id: string; secret: string },
): Promise<Record<string, string>> {
  return { authorization: `Bearer ${await fetchToken(url, key)}` };
}
