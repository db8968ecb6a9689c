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

const address = () => `${location.origin}/ai/v1`;

export const json = (value: unknown) => JSON.stringify(value, null, 2).replaceAll('\n', '\n  ');

/** A POST of the body by curl; `rest`: more of its arguments. */
export function curlOf(path: string, body: object, rest: readonly string[] = []): string {
  return [
    `curl${rest.map((one) => ` ${one}`).join('')} '${address()}${path}'`,
    '-H "Authorization: Bearer $MAINSTAY_AI_KEY"',
    "-H 'Content-Type: application/json'",
    `-d '${JSON.stringify(body).replaceAll("'", `'\\''`)}'`,
  ].join(' \\\n  ');
}

/** The client of the package `openai`. */
export const openaiClient = () => [
  "import OpenAI from 'openai';",
  '',
  'const client = new OpenAI({',
  `  baseURL: '${address()}',`,
  '  apiKey: process.env.MAINSTAY_AI_KEY,',
  '});',
];

/** The provider of the package `ai`, made by a function of that or another package. */
export const aiProvider = (make = 'createOpenAICompatible') => [
  `const mainstay = ${make}({`,
  "  name: 'mainstay',",
  `  baseURL: '${address()}',`,
  '  apiKey: process.env.MAINSTAY_AI_KEY,',
  '});',
];

/** The same chat from a program, with the secret of an API key that carries the scope of chats. */
export function chatSnippets(body: ChatBody): Snippet[] {
  const { model, messages, temperature, max_completion_tokens: bound } = body;
  const asked = {
    model,
    messages,
    ...(temperature === undefined ? {} : { temperature }),
    ...(bound === undefined ? {} : { max_completion_tokens: bound }),
  };
  return [
    {
      language: 'curl',
      code: curlOf('/chat/completions', { ...asked, stream: true }, ['-N']),
    },
    {
      language: 'openai',
      code: [
        ...openaiClient(),
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
        ...aiProvider(),
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
