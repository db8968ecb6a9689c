import type { Json } from '../json/body.ts';
import { badRequest } from '../json/scan.ts';
import { partsOf, textOf } from './hub.ts';

/** OpenAI's Responses, as clients ask for them, as chat completions, for providers that do not serve them. */

export function chatFromResponses(body: Json): Json {
  if (body.previous_response_id || body.conversation)
    throw badRequest(
      'This model does not store responses: send the whole conversation in "input".',
      'previous_response_id',
    );
  const messages: Json[] = [];
  if (typeof body.instructions === 'string') messages.push({ role: 'system', content: body.instructions });
  const input = typeof body.input === 'string' ? [{ role: 'user', content: body.input }] : (body.input ?? []);
  const assistant = (): Json => {
    const last = messages.at(-1);
    if (last?.role === 'assistant') return last;
    const made: Json = { role: 'assistant', content: null };
    messages.push(made);
    return made;
  };
  for (const item of input) {
    if (item.type === 'function_call') {
      const call = {
        id: item.call_id,
        type: 'function',
        function: { name: item.name, arguments: item.arguments ?? '' },
      };
      const turn = assistant();
      turn.tool_calls = [...(turn.tool_calls ?? []), call];
    } else if (item.type === 'function_call_output') {
      const content = contentOf(item.output);
      messages.push({ role: 'tool', tool_call_id: item.call_id, content });
    } else if (item.type === 'reasoning') {
      const details = unsealed(item.encrypted_content);
      if (details.length > 0) {
        const turn = assistant();
        turn.reasoning_details = [...(turn.reasoning_details ?? []), ...details];
      }
    } else if (item.role === 'assistant') {
      const last = messages.at(-1);
      const turn = last?.role === 'assistant' && last.content === null && !last.tool_calls ? last : undefined;
      if (turn) turn.content = textOf(item.content);
      else messages.push({ role: 'assistant', content: textOf(item.content) });
    } else messages.push({ role: item.role ?? 'user', content: contentOf(item.content) });
  }
  const tools = (body.tools ?? [])
    .filter((tool: Json) => tool.type === 'function')
    .map(({ type, ...fn }: Json) => ({ type, function: fn }));
  const { format } = body.text ?? {};
  return {
    model: body.model,
    messages,
    ...(body.max_output_tokens ? { max_tokens: body.max_output_tokens } : {}),
    ...(typeof body.temperature === 'number' ? { temperature: body.temperature } : {}),
    ...(typeof body.top_p === 'number' ? { top_p: body.top_p } : {}),
    ...(tools.length > 0 ? { tools } : {}),
    ...(tools.length > 0 && body.tool_choice ? { tool_choice: choiceOf(body.tool_choice) } : {}),
    ...(typeof body.parallel_tool_calls === 'boolean' && tools.length > 0
      ? { parallel_tool_calls: body.parallel_tool_calls }
      : {}),
    ...(body.reasoning?.effort ? { reasoning_effort: body.reasoning.effort } : {}),
    ...(format?.type === 'json_schema'
      ? {
          response_format: {
            type: 'json_schema',
            json_schema: {
              name: format.name ?? 'answer',
              schema: format.schema,
              ...(format.strict ? { strict: true } : {}),
            },
          },
        }
      : format?.type === 'json_object'
        ? { response_format: { type: 'json_object' } }
        : {}),
    ...(typeof body.user === 'string' ? { user: body.user } : {}),
    ...(body.stream ? { stream: true, stream_options: { include_usage: true } } : {}),
  };
}

function choiceOf(choice: Json): Json {
  return typeof choice === 'object' && choice?.name
    ? { type: 'function', function: { name: choice.name } }
    : choice;
}

function contentOf(content: Json): Json {
  const parts = partsOf(content).map((part) => {
    if (part.type === 'input_image')
      return {
        type: 'image_url',
        image_url: { url: part.image_url, ...(part.detail ? { detail: part.detail } : {}) },
      };
    if (part.type === 'input_file')
      return {
        type: 'file',
        file: { file_data: part.file_data, filename: part.filename, file_id: part.file_id },
      };
    if (part.type === 'input_audio') return part;
    return { type: 'text', text: part.text ?? '' };
  });
  return parts.every((part) => part.type === 'text') ? parts.map((part) => part.text).join('') : parts;
}

/** What `sealed` made. */
function unsealed(text: unknown): Json[] {
  if (typeof text !== 'string' || !text.startsWith('mst:')) return [];
  try {
    const details = JSON.parse(Buffer.from(text.slice(4), 'base64url').toString('utf8'));
    return Array.isArray(details) ? details : [];
  } catch {
    return [];
  }
}
