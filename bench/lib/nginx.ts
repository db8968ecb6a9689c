import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../../scripts/postgres.ts';
import { type Contestant, startContestant } from './contestant.ts';

const run = promisify(execFile);

/** nginx as one process that serves a folder; undefined where it is not installed. */
export async function startNginx(folder: string): Promise<Contestant | undefined> {
  if (!(await run('nginx', ['-v']).catch(() => undefined))) return undefined;
  const port = await freePort();
  const file = path.join(folder, 'nginx.conf');
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/nginx-${name};`)
    .join(' ');
  await writeFile(
    file,
    `daemon off; master_process off; pid ${folder}/nginx.pid; error_log stderr crit;
     events { worker_connections 1024; }
     http { access_log off; sendfile on; ${temporary}
       server { listen 127.0.0.1:${port}; root ${folder}; location = /healthz { return 204; } } }`,
  );
  return startContestant(['nginx', '-c', file], { url: `http://127.0.0.1:${port}` });
}
