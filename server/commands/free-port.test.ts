import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { type TestHome, testHome } from '#testing/engines.ts';
import { runCommand } from '#testing/process.ts';

const root = path.join(import.meta.dirname, '../..');
const anyPorts = {
  ...{ MAINSTAY_PORT: '0', MAINSTAY_ADMIN_PORT: '0', MAINSTAY_GATEWAY_PORT: '0' },
  MAINSTAY_FILES_PORT: '0',
  MAINSTAY_S3_PORT: '0',
  MAINSTAY_DRAIN_DELAY: '0s',
};

/** A server on free ports, and the address that it announces. */
async function started(
  home: TestHome,
  command: string,
  args: string[],
  settings: Record<string, string> = {},
) {
  const env = { ...process.env, ...home.settings, ...anyPorts, ...settings };
  const child = spawn(command, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] });
  const lines: string[] = [];
  const announced = new Promise<string>((resolve, reject) => {
    const reader = createInterface({ input: child.stdout });
    reader.on('line', (line) => {
      lines.push(line);
      const [, address] = /Mainstay is ready at (\S+) /.exec(line) ?? [];
      if (address) resolve(address);
    });
    reader.on('close', () => reject(new Error(`It ended without an address:\n${lines.join('\n')}`)));
  });
  return { child, lines, address: await announced };
}

async function ended(child: ChildProcess): Promise<void> {
  child.kill('SIGTERM');
  await once(child, 'close');
}

test('MAINSTAY_PORT=0 takes a free port for all workers and announces it', async () => {
  await using home = await testHome('sqlite');
  const settings = { MAINSTAY_WORKERS: '2' };
  const { child, address } = await started(home, process.execPath, ['server/main.ts', 'serve'], settings);
  try {
    assert.match(address, /^http:\/\/localhost:[1-9]\d+$/);
    const document = `http://127.0.0.1:${new URL(address).port}/.well-known/openid-configuration`;
    const { issuer } = (await (await fetch(document)).json()) as { issuer: string };
    assert.equal(issuer, address);
  } finally {
    await ended(child);
  }
});

test('a stop signal to npm start reaches the server', async () => {
  await using home = await testHome('sqlite');
  const { child, lines } = await started(home, 'npm', ['start']);
  // Resolves when nobody holds the output any more: the server is gone with the launcher.
  await ended(child);
  assert.ok(
    lines.some((line) => line.includes('SIGTERM')),
    lines.join('\n'),
  );
});

test('a port that is in use is named with its setting', async () => {
  await using home = await testHome('sqlite');
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  try {
    const { port } = other.address() as AddressInfo;
    for (const name of ['MAINSTAY_PORT', 'MAINSTAY_S3_PORT', 'MAINSTAY_GATEWAY_PORT']) {
      const settings = { ...home.settings, ...anyPorts, [name]: String(port) };
      const { code, stderr } = await runCommand(['serve'], settings);
      const sentence = `Port ${port} is in use by another process. Set ${name} to another port.`;
      assert.deepEqual([code, stderr], [2, `mainstay-server: ${sentence}\n`]);
    }
  } finally {
    other.close();
  }
});
