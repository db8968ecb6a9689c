import type { Json } from '../json/body.ts';
import { dataUrl, joinedDetails, parsedArguments, partsOf, textOf } from './hub.ts';

/** Chat completions as Anthropic's Messages. https://docs.claude.com/en/api/messages */

const effortBudgets: Record<string, number> = {
  minimal: 1024,
  low: 2048,
  medium: 8192,
  high: 24_576,
  xhigh: 32_768,
};
const defaultMaxTokens = 4096;

export function toAnthropic(
  body: Json,
  options: { model: string; maxOutput: number | null; modelLimit: number | null },
): Json {
  const system: Json[] = [];
  const messages: Json[] = [];
  const add = (role: 'user' | 'assistant', content: Json[]) => {
    if (content.length === 0) return;
    const last = messages.at(-1);
    if (last?.role === role) last.content.push(...content);
    else messages.push({ role, content });
  };
  for (const message of body.messages ?? []) {
    if (message.role === 'system' || message.role === 'developer')
      system.push(
        ...partsOf(message.content).map((part) => ({
          type: 'text',
          text: part.text ?? '',
          ...cacheOf(part),
        })),
      );
    else if (message.role === 'assistant') add('assistant', assistantBlocks(message));
    else if (message.role === 'tool' || message.role === 'function') add('user', [toolResult(message)]);
    else add('user', partsOf(message.content).map(userBlock));
  }
  const thinking = lacksThinking(messages) ? undefined : (body.thinking ?? thinkingOf(body));
  const asked =
    options.maxOutput ??
    body.max_completion_tokens ??
    body.max_tokens ??
    options.modelLimit ??
    defaultMaxTokens;
  const max_tokens =
    thinking?.budget_tokens && asked <= thinking.budget_tokens && options.maxOutput === null
      ? thinking.budget_tokens + asked
      : asked;
  const schema = body.response_format?.json_schema?.schema;
  const stop = typeof body.stop === 'string' ? [body.stop] : body.stop;
  const choice = toolChoice(body);
  return {
    model: options.model,
    max_tokens,
    ...(system.length > 0 ? { system } : {}),
    messages,
    ...(typeof body.temperature === 'number' && !thinking
      ? { temperature: Math.min(1, body.temperature) }
      : {}),
    ...(typeof body.top_p === 'number' && !thinking ? { top_p: body.top_p } : {}),
    ...(typeof body.top_k === 'number' && !thinking ? { top_k: body.top_k } : {}),
    ...(Array.isArray(stop) && stop.length > 0 ? { stop_sequences: stop } : {}),
    ...(body.tools?.length > 0 && body.tool_choice !== 'none' ? { tools: body.tools.map(toolOf) } : {}),
    ...(choice && body.tools?.length > 0 ? { tool_choice: choice } : {}),
    ...(thinking ? { thinking } : {}),
    ...(schema ? { output_config: { format: { type: 'json_schema', schema } } } : {}),
    ...(typeof body.user === 'string' ? { metadata: { user_id: body.user } } : {}),
    ...(body.stream ? { stream: true } : {}),
  };
}

/**
 * Results of tools follow a turn whose signed thoughts the client has not kept, as clients of chat completions do. With
 * thinking on that is refused, so the turn is finished without it.
 */
function lacksThinking(messages: readonly Json[]): boolean {
  const [turn, results] = messages.slice(-2);
  if (turn?.role !== 'assistant' || !results?.content.some(({ type }: Json) => type === 'tool_result'))
    return false;
  const first = turn.content[0]?.type;
  return first !== 'thinking' && first !== 'redacted_thinking';
}

function cacheOf(part: Json): object {
  return part?.cache_control ? { cache_control: part.cache_control } : {};
}

function userBlock(part: Json): Json {
  switch (part.type) {
    case 'image_url': {
      const url = String(part.image_url?.url ?? part.image_url ?? '');
      const data = dataUrl(url);
      const source = data
        ? { type: 'base64', media_type: data.mediaType, data: data.data }
        : { type: 'url', url };
      return { type: 'image', source, ...cacheOf(part) };
    }
    case 'file': {
      const data = dataUrl(String(part.file?.file_data ?? ''));
      const source = data
        ? { type: 'base64', media_type: data.mediaType, data: data.data }
        : { type: 'file', file_id: part.file?.file_id };
      return {
        type: 'document',
        source,
        ...(part.file?.filename ? { title: part.file.filename } : {}),
        ...cacheOf(part),
      };
    }
    default:
      return { type: 'text', text: part.text ?? '', ...cacheOf(part) };
  }
}

function assistantBlocks(message: Json): Json[] {
  const blocks: Json[] = [];
  for (const detail of joinedDetails(message.reasoning_details ?? [])) {
    if (detail.type === 'reasoning.text' && detail.signature)
      blocks.push({ type: 'thinking', thinking: detail.text ?? '', signature: detail.signature });
    // Others signed what is not Anthropic's.
    else if (
      detail.type === 'reasoning.encrypted' &&
      String(detail.format ?? 'anthropic').startsWith('anthropic')
    )
      blocks.push({ type: 'redacted_thinking', data: detail.data });
  }
  for (const part of partsOf(message.content)) {
    const text = part.text ?? part.refusal ?? '';
    if (text !== '') blocks.push({ type: 'text', text, ...cacheOf(part) });
  }
  for (const call of message.tool_calls ?? [])
    blocks.push({
      type: 'tool_use',
      id: call.id,
      name: call.function?.name,
      input: parsedArguments(call.function?.arguments),
    });
  return blocks;
}

function toolResult(message: Json): Json {
  const parts = partsOf(message.content);
  const plain = parts.every((part) => part.type === 'text' && !part.cache_control);
  const content = plain ? textOf(message.content) : parts.map(userBlock);
  return {
    type: 'tool_result',
    tool_use_id: message.tool_call_id ?? message.name,
    content,
    ...cacheOf(message),
  };
}

function toolOf(tool: Json): Json {
  if (tool.type !== 'function') return tool;
  const { name, description, parameters } = tool.function ?? {};
  const input_schema = parameters ?? { type: 'object', properties: {} };
  return { name, ...(description ? { description } : {}), input_schema, ...cacheOf(tool) };
}

function toolChoice({ tool_choice: choice, parallel_tool_calls: parallel }: Json): Json {
  const alone = parallel === false ? { disable_parallel_tool_use: true } : {};
  if (choice === 'required') return { type: 'any', ...alone };
  if (choice === 'none') return undefined;
  if (choice?.function?.name) return { type: 'tool', name: choice.function.name, ...alone };
  return choice === 'auto' || parallel === false ? { type: 'auto', ...alone } : undefined;
}

function thinkingOf(body: Json): Json {
  const effort = body.reasoning_effort ?? body.reasoning?.effort;
  const budget =
    body.reasoning?.max_tokens ??
    (Object.hasOwn(effortBudgets, String(effort)) ? effortBudgets[effort] : undefined);
  return typeof budget === 'number' ? { type: 'enabled', budget_tokens: Math.max(1024, budget) } : undefined;
}
