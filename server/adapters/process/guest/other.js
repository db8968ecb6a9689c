// Starts a program of another language in the sandbox, and passes connections on from the instance's socket to its port.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import net from 'node:net';
import { forward } from './relay.js';

const [socketPath = '', ports = '', port = '', program = '', ...args] = process.argv.slice(2);
for (const pair of ports.split(',').filter(Boolean)) {
  const [from, path = ''] = pair.split('=');
  await forward(Number(from), path);
}
/** @type {{ cwd: string, env: Record<string, string> }} */
const { cwd, env } = JSON.parse(readFileSync(0, 'utf8'));
const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'inherit', 'inherit'] });
child.on('exit', (code) => process.exit(code ?? 1));
for (const signal of /** @type {const} */ (['SIGTERM', 'SIGINT']))
  process.on(signal, () => child.kill(signal));

/** @returns {Promise<boolean>} */
function accepts() {
  return new Promise((resolve) => {
    const socket = net.connect(Number(port), '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
while (!(await accepts())) await new Promise((resolve) => setTimeout(resolve, 10));

net
  .createServer({ allowHalfOpen: true }, (client) => {
    const server = net.connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true });
    const end = () => {
      client.destroy();
      server.destroy();
    };
    client.on('error', end);
    server.on('error', end);
    client.pipe(server);
    server.pipe(client);
  })
  .listen(socketPath);
