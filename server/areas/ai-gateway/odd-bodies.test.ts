import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startGateway } from './testing/gateway.ts';

const turn = '{"role":"user","content":"Hello"}';

/** Values that reading and writing JSON anew would change, and others that look like what the gateway looks for. */
const values = [
  ...['1.0', '1e400', '-0', '0.1e-7', '123456789012345678901234567890', '1E+2', '-1.50', 'true', 'null'],
  ...[
    '""',
    '"\\u0041\\/\\"\\\\"',
    '"\\ud83d\\ude00"',
    '"😀"',
    '"\\ud800"',
    '"é\u2028"',
    '"\\u0000"',
    '"model"',
  ],
  ...['[]', '[ ]', '[[[[1]],[]],{}]', '[1 ,2,\t3]', '{}', '{ }', '{"2":1,"1":2}', '{"b":1,"a":{"b":1}}'],
  ...['{"model":"x","provider":{"order":["y"]},"stream":true}', '"{\\"model\\":\\"x\\"}"', '"}],[{"'],
  ...[
    '0',
    '{"a":{}}',
    '{"__proto__":{"a":1}}',
    '{"constructor":null,"":0}',
    '{"mod\\u0065l":1}',
    `"${'long '.repeat(2000)}"`,
  ],
];

/** Each with the value in another place, among other white space. */
const shapes: ((value: string) => string)[] = [
  (value) => `{"model":"mock/mock-chat","messages":[${turn}],"max_tokens":3,"odd":${value}}`,
  (value) =>
    `{ "odd" : ${value} , "max_tokens":3,\n"messages" : [ ${turn} ],\r\n\t"model" : "mock/mock-chat" }\n`,
  (value) => `{"7":${value},"3":${value},"messages":[${turn}],"model":"mock/mock-chat","max_tokens":3}`,
  (value) =>
    `{"metadata":{"deep":[{"deeper":${value}}]},"model":"mock/mock-chat","max_tokens":3,"messages":[${turn}]}`,
  (value) =>
    `  {"max_tokens":3,"messages":[{"odd":${value},"role":"user","content":"Hi"}],"model":"mock\\/mock-chat"}`,
  (value) =>
    `{"messages":[${turn}],"max_tokens":3,"tools":[{"type":"function","function":{"name":"f","parameters":{"x":${value}}}}],"model":"mock/mock-chat"}`,
];

test('of 200 odd bodies every byte arrives but the name of the model', async () => {
  await using gateway = await startGateway('sqlite');
  const bodies = shapes.flatMap((shape) => values.map(shape));
  assert.ok(bodies.length >= 200, `${bodies.length}`);
  for (const body of bodies) {
    gateway.mock.reset();
    const answer = await gateway.ask('/chat/completions', body);
    const said = await answer.text();
    assert.equal(answer.status, 200, `${body.slice(0, 300)}\n${said}`);
    const [seen] = gateway.mock.seen;
    assert.equal(seen?.body, body.replace(/"mock\\?\/mock-chat"/, '"mock-chat"'));
  }
});

test('long conversations and batches of embeddings by token are taken, and more than that is refused', async () => {
  await using gateway = await startGateway('sqlite');
  const message = { role: 'user', content: [{ type: 'text', text: 'a' }] };
  const chat = (count: number) => ({
    ...{ model: 'mock/mock-chat', provider: {}, max_tokens: 3 },
    messages: Array.from({ length: count }, () => message),
  });
  assert.equal((await gateway.ask('/chat/completions', chat(10_000))).status, 200);
  assert.equal(JSON.parse(gateway.mock.seen.at(-1)?.body ?? '').messages.length, 10_000);
  assert.equal((await gateway.ask('/messages/count_tokens', chat(10_000))).status, 200);
  const tooMany = await gateway.ask('/chat/completions', chat(20_000));
  assert.equal(tooMany.status, 413);
  assert.match(await tooMany.text(), /holds more than 150000 values/);
  const otherName = { 'content-type': 'application/vnd.chat+json' };
  assert.equal((await gateway.ask('/chat/completions', chat(20_000), otherName)).status, 413);
  const input = Array.from({ length: 1000 }, () => Array.from({ length: 300 }, (_, token) => token));
  const embedded = await gateway.ask('/embeddings', { model: 'mock/mock-embedding', input });
  assert.equal(embedded.status, 200);
  assert.equal(((await embedded.json()) as { data: unknown[] }).data.length, 1000);
  // Names of the outermost object are looked at once each.
  const many = Array.from({ length: 50_000 }, (_, at) => `"x${at}":1`).join(',');
  const wide = `{"model":"mock/mock-chat","messages":[${turn}],${many},"provider":{}}`;
  assert.equal((await gateway.ask('/chat/completions', wide)).status, 200);
  assert.equal(gateway.mock.seen.at(-1)?.body, `{"model":"mock-chat","messages":[${turn}],${many}}`);
});
