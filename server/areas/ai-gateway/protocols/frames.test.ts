import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keepAlive } from './frames.ts';

test('a sign of life is no event of its own until the client has had one', () => {
  const state = { responseId: 'resp_1', model: 'openai/gpt-4o' };
  for (const hasBegun of [false, true]) assert.equal(keepAlive('chat', { ...state, hasBegun }), ': ping\n');
  assert.equal(keepAlive('responses', { ...state, hasBegun: false }), ': ping\n');
  const [event, data = ''] = keepAlive('responses', { ...state, hasBegun: true }).split('\n');
  assert.equal(event, 'event: response.in_progress');
  const { type, response } = JSON.parse(data.slice('data: '.length));
  assert.equal(type, 'response.in_progress');
  // What OpenAI's description of its API demands of a response.
  const demanded =
    'id object created_at error incomplete_details instructions model tools output parallel_tool_calls metadata tool_choice temperature top_p';
  for (const name of demanded.split(' ')) assert.ok(Object.hasOwn(response, name), name);
  assert.deepEqual(
    [response.id, response.model, response.status],
    ['resp_1', 'openai/gpt-4o', 'in_progress'],
  );
});
