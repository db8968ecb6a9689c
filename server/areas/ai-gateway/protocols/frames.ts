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
        id: responseId,
        object: 'response',
        created_at: Math.floor(Date.now() / 1000),
        status: 'failed',
        error: { code: responseErrorCode(error.code), message: error.message },
        incomplete_details: null,
        instructions: null,
        max_output_tokens: null,
        model,
        output: [],
        parallel_tool_calls: true,
        previous_response_id: null,
        temperature: null,
        text: { format: { type: 'text' } },
        tool_choice: 'auto',
        tools: [],
        top_p: null,
        metadata: {},
        usage: null,
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

function responseErrorCode(code: string | null): string {
  return code === 'rate_limit_exceeded' ? code : 'server_error';
}

/** Says in a silence that the stream lives, in a way that the clients of the protocol bear. */
export function keepAlive(
  surface: Surface,
  state: { responseId: string; model: string; sequence: number },
): string {
  switch (surface) {
    case 'chat':
      // One newline: with two, some clients see an event without data and fail.
      return ': ping\n';
    case 'messages':
      return 'event: ping\ndata: {"type":"ping"}\n\n';
    case 'responses': {
      const { responseId, model, sequence } = state;
      const response = { id: responseId, object: 'response', status: 'in_progress', model, output: [] };
      return `event: response.in_progress\ndata: ${JSON.stringify({ type: 'response.in_progress', sequence_number: sequence, response })}\n\n`;
    }
  }
}
