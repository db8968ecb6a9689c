import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const main = path.join(import.meta.dirname, '../../server/main.ts');

export interface Bootstrapped {
  user: { id: string; email: string };
  organization: { id: string };
  application: { id: string };
  keys: Record<'user' | 'organization' | 'application', { id: string; secret: string }>;
}

export function serverCommand(...args: string[]): string[] {
  return [process.execPath, main, ...args];
}

/** Prepares an instance as an operator would, and returns its keys. */
export async function bootstrapped(dataDir: string, env: Record<string, string> = {}): Promise<Bootstrapped> {
  const [program = '', ...args] = serverCommand('bootstrap', '--json');
  const who = ['--email', 'bench@example.com', '--password', 'bench bench bench'];
  const what = ['--organization', 'Bench', '--application', 'Bench'];
  const options = { env: { ...process.env, MAINSTAY_DATA_DIR: dataDir, ...env } };
  const { stdout } = await run(program, [...args, ...who, ...what], options);
  return JSON.parse(stdout) as Bootstrapped;
}
