import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import { ApiError, createClient } from './index.ts';

/** A server whose connections break as the test says. */
async function startServer(answer: (response: ServerResponse, lastEventId: string | undefined) => void) {
  const server = createServer((request, response) => {
    const id = request.headers['last-event-id'];
    answer(response, typeof id === 'string' ? id : undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = createClient({ baseUrl: `http://127.0.0.1:${port}`, token: 't', retries: 0 });
  return {
    client,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const event = (seq: number) =>
  `event: line\nid: ${seq}\ndata: ${JSON.stringify({ message: `line ${seq}` })}\n\n`;

async function messages(lines: AsyncIterable<{ message: string }>): Promise<string[]> {
  const all: string[] = [];
  for await (const { message } of lines) all.push(message);
  return all;
}

describe('a log that is followed', () => {
  test('has each line once, wherever its connections were cut', async () => {
    const lines = Array.from({ length: 40 }, (_, seq) => event(seq)).join('');
    const opened: (string | undefined)[] = [];
    await using server = await startServer((response, lastEventId) => {
      opened.push(lastEventId);
      const from = lastEventId === undefined ? 0 : lines.indexOf(event(Number(lastEventId) + 1));
      const rest = lastEventId === '39' ? '' : lines.slice(from);
      // A few bytes more each time, so that it breaks in names, ids, data and between events.
      const cut = 120 + opened.length * 7;
      if (opened.length === 3) return void response.writeHead(503).end();
      if (opened.length === 5) return void response.destroy();
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('retry: 2000\n: open\n\n');
      if (rest.length > cut) response.write(rest.slice(0, cut), () => response.destroy());
      else response.end(`${rest}event: end\ndata: {}\n\n`);
    });
    let breaks = 0;
    const found = await messages(server.client.deployments.followLogs('x', { onBreak: () => breaks++ }));
    assert.deepEqual(
      found,
      Array.from({ length: 40 }, (_, seq) => `line ${seq}`),
    );
    assert.equal(breaks, opened.length - 1);
    assert.ok(breaks > 5, `${breaks}`);
  });

  test('restarts where it began when it broke before its first line', async () => {
    const opened: (string | undefined)[] = [];
    await using server = await startServer((response, lastEventId) => {
      opened.push(lastEventId);
      response.write('retry: 2000\nid: 17.0\n: open\n\n', () => {
        if (opened.length === 1) response.destroy();
        else response.end('event: skipped\ndata: {}\n\nevent: end\ndata: {}\n\n');
      });
    });
    let skipped = 0;
    const found = server.client.requestLogs.follow('x', {}, { onSkip: () => skipped++ });
    for await (const one of found) assert.fail(JSON.stringify(one));
    assert.deepEqual(opened, [undefined, '17.0']);
    assert.equal(skipped, 1);
  });

  test('ends with what refuses it, with its signal, and when the server stays away', async () => {
    let status = 403;
    await using server = await startServer((response) => {
      if (status === 200) response.write(': open\n\n');
      else if (status === 0) response.destroy();
      else response.writeHead(status).end('{"error":"No."}');
    });
    const { deployments } = server.client;
    await assert.rejects(messages(deployments.followLogs('x')), ApiError);
    status = 200;
    const stop = new AbortController();
    const reason = new Error('stopped');
    const following = messages(
      deployments.followLogs('x', { signal: stop.signal, onOpen: () => stop.abort(reason) }),
    );
    await assert.rejects(following, reason);
    status = 0;
    await assert.rejects(messages(deployments.followLogs('x', { patienceMilliseconds: 300 })), {
      name: 'ConnectionError',
    });
  });
});
