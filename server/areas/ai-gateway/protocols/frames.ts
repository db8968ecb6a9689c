import type { Problem } from '#core/problem.ts';
import { anthropicError, openAiError } from '../problem.ts';
import type { Surface } from './protocol.ts';

/** How each protocol says inside a stream that it failed. Nothing follows, so that no client takes it for a success. */
export function errorFrames(
  surface: Surface,
  problem: Problem,
  state: { responseId: string; model: string; sequence: number },
): string {
  const error = openAiError(problem);
  switch (surface) {
    case 'chat':
      // Readers look into `choices` of every event.
      return `data: ${JSON.stringify({ error, choices: [] })}\n\n`;
    case 'messages':
      return `event: error\ndata: ${JSON.stringify(anthropicError(problem))}\n\n`;
    case 'responses': {
      const { responseId, model, sequence } = state;
      const response = {
        ...responseObject(responseId, model, 'failed'),
        error: { code: responseErrorCode(error.code), message: error.message },
      };
      const failed = { type: 'response.failed', sequence_number: sequence, response };
      const plain = {
        type: 'error',
        sequence_number: sequence + 1,
        code: error.code,
        message: error.message,
        param: error.param,
      };
      return `event: response.failed\ndata: ${JSON.stringify(failed)}\n\nevent: error\ndata: ${JSON.stringify(plain)}\n\n`;
    }
  }
}

/** A response without output, with every field that the protocol demands. */
function responseObject(id: string, model: string, status: 'failed' | 'in_progress') {
  return {
    ...{ id, object: 'response', created_at: Math.floor(Date.now() / 1000), status, error: null },
    ...{ incomplete_details: null, instructions: null, max_output_tokens: null, model, output: [] },
    ...{ parallel_tool_calls: true, previous_response_id: null, temperature: null, top_p: null },
    ...{ text: { format: { type: 'text' } }, tool_choice: 'auto', tools: [], metadata: {}, usage: null },
  };
}

function responseErrorCode(code: string | null): string {
  return code === 'rate_limit_exceeded' ? code : 'server_error';
}

const ping = ': ping\n';

/**
 * Says in a silence that the stream lives, in a way that the clients of the protocol bear. `hasBegun`: whether the
 * client has had an event.
 */
export function keepAlive(
  surface: Surface,
  { hasBegun, responseId, model }: { hasBegun: boolean; responseId: string; model: string },
): string {
  switch (surface) {
    case 'chat':
      // One newline: with two, some clients see an event without data and fail.
      return ping;
    case 'messages':
      return 'event: ping\ndata: {"type":"ping"}\n\n';
    case 'responses': {
      // Clients demand that `response.created` comes first, and some take no comment for a sign of life.
      if (!hasBegun) return ping;
      const response = responseObject(responseId, model, 'in_progress');
      return `event: response.in_progress\ndata: ${JSON.stringify({ type: 'response.in_progress', sequence_number: 0, response })}\n\n`;
    }
  }
}
