import { spawn } from 'node:child_process';

/** The keychain of the system, through the tool that the platform itself brings. */
export interface Keychain {
  name: string;
  /** Null: there is no such secret. */
  get(account: string): Promise<string | null>;
  set(account: string, secret: string): Promise<void>;
  delete(account: string): Promise<void>;
}

const service = 'mainstay';
/** The tool may ask for the keychain's password in a window. */
const timeoutMilliseconds = 60_000;

type Env = Readonly<Record<string, string | undefined>>;

/** Undefined where the platform has none that can be asked. Windows has none: its files are the user's own by default. */
export function systemKeychain(env: Env, platform: NodeJS.Platform = process.platform): Keychain | undefined {
  if (env['MAINSTAY_KEYCHAIN'] === 'off') return undefined;
  if (platform === 'darwin') return macKeychain(env);
  // Without a session bus the tool would wait for one.
  if (platform === 'linux' && env['DBUS_SESSION_BUS_ADDRESS']) return secretService(env);
  return undefined;
}

/** Secrets go through stdin: arguments can be read by every user of the machine. */
function macKeychain(env: Env): Keychain {
  const quoted = (text: string) => `"${text.replace(/["\\]/g, '\\$&')}"`;
  return {
    name: 'the macOS keychain',
    async get(account) {
      const args = ['find-generic-password', '-s', service, '-a', account, '-w'];
      const { code, stdout } = await run('security', args, '', env);
      return code === 0 ? decode(stdout) : null;
    },
    async set(account, secret) {
      const line = `add-generic-password -U -s ${quoted(service)} -a ${quoted(account)} -w ${quoted(encode(secret))}\n`;
      await demand('security', ['-i'], line, env);
    },
    async delete(account) {
      await run('security', ['delete-generic-password', '-s', service, '-a', account], '', env);
    },
  };
}

function secretService(env: Env): Keychain {
  const attributes = (account: string) => ['service', service, 'account', account];
  return {
    name: 'the Secret Service (secret-tool)',
    async get(account) {
      const { code, stdout } = await run('secret-tool', ['lookup', ...attributes(account)], '', env);
      return code === 0 && stdout !== '' ? decode(stdout) : null;
    },
    async set(account, secret) {
      const args = ['store', `--label=Mainstay: ${account}`, ...attributes(account)];
      await demand('secret-tool', args, encode(secret), env);
    },
    async delete(account) {
      await run('secret-tool', ['clear', ...attributes(account)], '', env);
    },
  };
}

/** No character of it means anything to any tool. */
function encode(secret: string): string {
  return Buffer.from(secret).toString('base64url');
}

function decode(text: string): string {
  return Buffer.from(text.trim(), 'base64url').toString();
}

async function demand(command: string, args: readonly string[], input: string, env: Env): Promise<void> {
  const { code, stderr } = await run(command, args, input, env);
  if (code !== 0) throw new Error(`${command} ended with ${code}: ${stderr.trim()}`);
}

function run(
  command: string,
  args: readonly string[],
  input: string,
  env: Env,
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, [...args], { env: { ...env }, timeout: timeoutMilliseconds });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk) => (stdout += chunk));
    child.stderr.on('data', (chunk) => (stderr += chunk));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
    // It may end without reading.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });
}
