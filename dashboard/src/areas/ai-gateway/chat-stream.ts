import { Refused } from '#api/errors.ts';
import { askModels, refusalOf } from '#areas/ai-gateway/data.ts';
import type { ChatBody } from '#areas/ai-gateway/playground-snippets.ts';

interface Chunk {
  choices?: { delta?: { content?: string | null; reasoning_content?: string | null } }[];
  usage?: { prompt_tokens: number; completion_tokens: number } | null;
  error?: { message?: string };
}

export interface Piece {
  text?: string;
  reasoning?: string;
  usage?: { input: number; output: number };
}

/** A chat as it is written: each piece as it comes. Throws what the gateway refuses, also in the middle. */
export async function* streamChat(
  organizationId: string,
  body: ChatBody,
  signal: AbortSignal,
): AsyncGenerator<Piece> {
  const response = await askModels('/chat/completions', organizationId, { body, signal });
  if (!response.ok || !response.body) throw new Refused(await refusalOf(response));
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  let isEnded = false;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    const lines = (rest + value).split(/\r?\n/);
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (!line.startsWith('data:')) continue;
      const data = line.slice('data:'.length).trim();
      if (data === '[DONE]') isEnded = true;
      else yield pieceOf(JSON.parse(data) as Chunk);
    }
  }
  if (!isEnded) throw new Refused('The response was cut off.');
}

function pieceOf({ choices, usage, error }: Chunk): Piece {
  if (error) throw new Refused(error.message ?? 'The provider failed during its response.');
  const delta = choices?.[0]?.delta;
  return {
    ...(delta?.content ? { text: delta.content } : {}),
    ...(delta?.reasoning_content ? { reasoning: delta.reasoning_content } : {}),
    ...(usage ? { usage: { input: usage.prompt_tokens, output: usage.completion_tokens } } : {}),
  };
}
