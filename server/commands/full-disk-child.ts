import { closeSync, openSync, readdirSync, writeSync } from 'node:fs';
import path from 'node:path';
import { fetchToken } from '#testing/instance.ts';
import { bootstrapCommand, runCommand, startProcess } from '#testing/process.ts';
import { freePort } from '../../scripts/postgres.ts';

/** A process for the test of the full disk: has a small file system to itself, fills it, and prints what still works. */
const [disk = '', backupFolder = ''] = process.argv.slice(2);
const dataDir = path.join(disk, 'data');
const settings = { MAINSTAY_DATA_DIR: dataDir, MAINSTAY_LOG_FORMAT: 'json' };
const { keys } = await bootstrapCommand(settings);

/** To the last byte. */
function fill(): void {
  const file = openSync(path.join(disk, 'fill'), 'a');
  const chunk = Buffer.alloc(4096);
  try {
    for (;;) writeSync(file, chunk);
  } catch {
    closeSync(file);
  }
}

fill();
const files = () =>
  readdirSync(dataDir).filter((name) => !/^(mainstay\.db(-wal|-shm)?|reserve|blobs|cache|logs)$/.test(name));
const before = files();
const { stdout } = await runCommand(['doctor', '--json'], { ...settings, MAINSTAY_PORT: '1' });
const { findings } = JSON.parse(stdout) as { findings: { check: string; ok: boolean }[] };
const doctor = Object.fromEntries(findings.map(({ check, ok }) => [check, ok]));
const backup = await runCommand(['backup', '--to', backupFolder], settings);
const server = await startProcess(settings, { port: await freePort(), adminPort: await freePort() });
const token = await fetchToken(server.url, keys.user);
const authorization = `Bearer ${token}`;
// What the start did not need of the reserve.
fill();
const list = () => fetch(`${server.url}/api-keys`, { headers: { authorization } });
const create = () =>
  fetch(`${server.url}/api-keys`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'x'.repeat(100) }),
  });
let write = 200;
// SQLite writes into the room that its log has already.
for (let count = 0; count < 2000 && write === 200; count++) write = (await create()).status;
const readyz = (await (await fetch(`${server.url}/readyz`)).json()) as { status: string };
const read = (await list()).status;
await server.end('SIGKILL');
// An empty folder for what deployments run is made at every start.
const leftOver = files().filter((name) => !before.includes(name) && name !== 'functions');
process.stdout.write(
  JSON.stringify({ doctor, backup: backup.code, readyz: readyz.status, read, write, leftOver }),
);
process.exit(0);
