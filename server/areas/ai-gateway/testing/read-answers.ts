/** Answers as clients read them by the packages of `ai`, in one shape, to compare what two ways lead to. */

const prompt = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Go.' }] }];

/** What a client sees of an answer. */
export interface Read {
  text: string;
  reasoning: string;
  calls: unknown[];
  finish: string;
  usage: Record<string, number>;
}

// biome-ignore lint/suspicious/noExplicitAny: parts of several packages, read alike.
type Parts = any[];

/** By our gateway, or by a package whose generator makes sixteen letters. */
const isMade = (id: string) => /^call_[0-9a-f]{24}$|^[0-9A-Za-z]{16}$/.test(id);

function read(parts: Parts, finish: unknown, usage: unknown): Read {
  const of = (type: string) => parts.filter((part) => part.type === type);
  const calls = of('tool-call')
    .filter((call) => !call.providerExecuted)
    .map((call) => ({
      // Where a provider gives none, each reader makes one.
      id: isMade(call.toolCallId) ? 'made' : call.toolCallId,
      name: call.toolName,
      input: JSON.parse(call.input === '' ? '{}' : call.input),
    }));
  // biome-ignore lint/suspicious/noExplicitAny: see above.
  const { inputTokens, outputTokens, raw } = usage as any;
  return {
    text: of('text')
      .map((part) => part.text ?? '')
      .join(''),
    reasoning: of('reasoning')
      .map((part) => part.text ?? '')
      .join(''),
    calls,
    finish: (finish as { unified: string }).unified,
    usage: {
      input: inputTokens.total ?? 0,
      cached: inputTokens.cacheRead ?? 0,
      // The package for OpenAI's protocol keeps what it does not know in `raw`.
      written: inputTokens.cacheWrite ?? raw?.prompt_tokens_details?.cache_write_tokens ?? 0,
      output: outputTokens.total ?? 0,
      reasoning: outputTokens.reasoning ?? 0,
    },
  };
}

// biome-ignore lint/suspicious/noExplicitAny: models of several packages.
export async function whole(model: any): Promise<Read> {
  const { content, finishReason, usage } = await model.doGenerate({ prompt });
  return read(content, finishReason, usage);
}

// biome-ignore lint/suspicious/noExplicitAny: models of several packages.
export async function streamed(model: any): Promise<Read> {
  const { stream } = await model.doStream({ prompt });
  const parts: Parts = [];
  // biome-ignore lint/suspicious/noExplicitAny: see above.
  let end: any;
  for await (const part of stream) {
    if (part.type === 'error') throw part.error;
    if (part.type === 'text-delta') parts.push({ type: 'text', text: part.delta });
    else if (part.type === 'reasoning-delta') parts.push({ type: 'reasoning', text: part.delta });
    else if (part.type === 'tool-call') parts.push(part);
    else if (part.type === 'finish') end = part;
  }
  return read(parts, end.finishReason, end.usage);
}
