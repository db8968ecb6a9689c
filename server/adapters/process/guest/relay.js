// Runs inside the sandbox, which has no network: forwards loopback ports to the unix sockets that lead out.
import { spawn } from 'node:child_process';
import net from 'node:net';

/**
 * Listens on a port of loopback and passes every connection on to the socket.
 * @param {number} port
 * @param {string} socketPath
 * @returns {Promise<void>}
 */
export function forward(port, socketPath) {
  const server = net.createServer({ allowHalfOpen: true }, (client) => {
    const out = net.connect({ path: socketPath, allowHalfOpen: true });
    const end = () => {
      client.destroy();
      out.destroy();
    };
    client.on('error', end);
    out.on('error', end);
    client.pipe(out);
    out.pipe(client);
  });
  server.unref();
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve());
  });
}

if (import.meta.main) {
  const [ports = '', ...command] = process.argv.slice(2);
  for (const pair of ports.split(',').filter(Boolean)) {
    const [port, socketPath = ''] = pair.split('=');
    await forward(Number(port), socketPath);
  }
  const child = spawn('/bin/sh', ['-c', command.join(' ')], { stdio: 'inherit' });
  const [code, signal] = await new Promise((resolve) => child.on('exit', (...result) => resolve(result)));
  if (signal) process.stderr.write(`Ended by ${signal}.\n`);
  process.exit(code ?? 1);
}
