import { spawn } from 'node:child_process';

/** Opens an address in the browser of the desktop; false where there is none to open. */
export function openBrowser(
  url: string,
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform = process.platform,
): Promise<boolean> {
  const [command, args] = browserCommand(url, env, platform);
  if (command === undefined) return Promise.resolve(false);
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: 'ignore', detached: true });
    child.on('error', () => resolve(false));
    child.on('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}

export function browserCommand(
  url: string,
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
): [command: string | undefined, args: string[]] {
  if (env['BROWSER']) return [env['BROWSER'], [url]];
  if (platform === 'darwin') return ['open', [url]];
  // Not `start`, whose shell would read the & of an address.
  if (platform === 'win32') return ['rundll32', ['url.dll,FileProtocolHandler', url]];
  if (env['DISPLAY'] || env['WAYLAND_DISPLAY']) return ['xdg-open', [url]];
  return [undefined, []];
}
