import type { Snippet } from '#api/snippets.ts';

export interface Message {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

export interface ChatBody {
  model: string;
  messages: Message[];
  stream: true;
  stream_options: { include_usage: true };
  temperature?: number;
  max_completion_tokens?: number;
}

/** The same chat from a program, with the secret of an API key that carries the scope of chats. */
export function chatSnippets(body: ChatBody): Snippet[] {
  const base = `${location.origin}/ai/v1`;
  const { model, messages, temperature, max_completion_tokens: bound } = body;
  const asked = {
    model,
    messages,
    ...(temperature === undefined ? {} : { temperature }),
    ...(bound === undefined ? {} : { max_completion_tokens: bound }),
  };
  const json = (value: unknown) => JSON.stringify(value, null, 2).replaceAll('\n', '\n  ');
  return [
    {
      language: 'curl',
      code: [
        `curl -N '${base}/chat/completions'`,
        '-H "Authorization: Bearer $MAINSTAY_AI_KEY"',
        `--json '${JSON.stringify({ ...asked, stream: true }).replaceAll("'", `'\\''`)}'`,
      ].join(' \\\n  '),
    },
    {
      language: 'openai',
      code: [
        "import OpenAI from 'openai';",
        '',
        'const client = new OpenAI({',
        `  baseURL: '${base}',`,
        '  apiKey: process.env.MAINSTAY_AI_KEY,',
        '});',
        'const stream = await client.chat.completions.create({',
        `  ...${json(asked)},`,
        '  stream: true,',
        '});',
        'for await (const chunk of stream)',
        "  process.stdout.write(chunk.choices[0]?.delta?.content ?? '');",
      ].join('\n'),
    },
    {
      language: 'ai SDK',
      code: [
        "import { createOpenAICompatible } from '@ai-sdk/openai-compatible';",
        "import { streamText } from 'ai';",
        '',
        'const mainstay = createOpenAICompatible({',
        "  name: 'mainstay',",
        `  baseURL: '${base}',`,
        '  apiKey: process.env.MAINSTAY_AI_KEY,',
        '});',
        'const { textStream } = streamText({',
        `  model: mainstay(${JSON.stringify(model)}),`,
        `  messages: ${json(messages)},`,
        ...(temperature === undefined ? [] : [`  temperature: ${temperature},`]),
        ...(bound === undefined ? [] : [`  maxOutputTokens: ${bound},`]),
        '});',
        'for await (const text of textStream) process.stdout.write(text);',
      ].join('\n'),
    },
  ];
}
