import { homedir } from 'node:os';
import path from 'node:path';

type Env = Readonly<Record<string, string | undefined>>;

/** Where profiles and credentials are kept. */
export function configFolder(env: Env, platform: NodeJS.Platform = process.platform): string {
  if (env['MAINSTAY_CONFIG_DIR']) return env['MAINSTAY_CONFIG_DIR'];
  const join = platform === 'win32' ? path.win32.join : path.posix.join;
  if (platform === 'win32' && env['APPDATA']) return join(env['APPDATA'], 'mainstay');
  const home = env['XDG_CONFIG_HOME'] || join(env['HOME'] ?? homedir(), '.config');
  return join(home, 'mainstay');
}

/** Where what can be lost is kept: uploads that were broken off. */
export function stateFolder(env: Env, platform: NodeJS.Platform = process.platform): string {
  const join = platform === 'win32' ? path.win32.join : path.posix.join;
  if (env['MAINSTAY_CONFIG_DIR']) return join(env['MAINSTAY_CONFIG_DIR'], 'state');
  if (platform === 'win32' && env['LOCALAPPDATA']) return join(env['LOCALAPPDATA'], 'mainstay');
  return join(env['XDG_STATE_HOME'] || join(env['HOME'] ?? homedir(), '.local', 'state'), 'mainstay');
}
