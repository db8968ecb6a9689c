import type { Snippet } from '#api/snippets.ts';
import { aiProvider, curlOf, json, openaiClient } from '#areas/ai-gateway/playground-snippets.ts';

export interface ImageBody {
  model: string;
  prompt: string;
  size?: string;
  n?: number;
}

export interface SpeechBody {
  model: string;
  voice: string;
  input: string;
}

/** The same pictures from a program. */
export function imageSnippets(body: ImageBody): Snippet[] {
  const { model, ...rest } = body;
  return [
    { language: 'curl', code: curlOf('/images/generations', body) },
    {
      language: 'openai',
      code: [
        "import { writeFile } from 'node:fs/promises';",
        ...openaiClient(),
        `const { data } = await client.images.generate(${JSON.stringify(body, null, 2)});`,
        'for (const [at, image] of data.entries())',
        "  await writeFile(at + '.png', Buffer.from(image.b64_json, 'base64'));",
      ].join('\n'),
    },
    {
      language: 'ai SDK',
      code: [
        "import { writeFile } from 'node:fs/promises';",
        "import { createOpenAICompatible } from '@ai-sdk/openai-compatible';",
        "import { generateImage } from 'ai';",
        '',
        ...aiProvider(),
        'const { images } = await generateImage({',
        `  model: mainstay.imageModel(${JSON.stringify(model)}),`,
        `  ...${json(rest)},`,
        '});',
        "for (const [at, image] of images.entries()) await writeFile(at + '.png', image.uint8Array);",
      ].join('\n'),
    },
  ];
}

/** The same speech from a program. */
export function speechSnippets(body: SpeechBody): Snippet[] {
  const { model, voice, input } = body;
  return [
    { language: 'curl', code: curlOf('/audio/speech', body, ['-o speech.mp3']) },
    {
      language: 'openai',
      code: [
        "import { writeFile } from 'node:fs/promises';",
        ...openaiClient(),
        `const speech = await client.audio.speech.create(${JSON.stringify(body, null, 2)});`,
        "await writeFile('speech.mp3', Buffer.from(await speech.arrayBuffer()));",
      ].join('\n'),
    },
    {
      language: 'ai SDK',
      code: [
        "import { writeFile } from 'node:fs/promises';",
        "import { createOpenAI } from '@ai-sdk/openai';",
        "import { generateSpeech } from 'ai';",
        '',
        ...aiProvider('createOpenAI'),
        'const { audio } = await generateSpeech({',
        `  model: mainstay.speech(${JSON.stringify(model)}),`,
        `  voice: ${JSON.stringify(voice)},`,
        `  text: ${JSON.stringify(input)},`,
        '});',
        "await writeFile('speech.mp3', audio.uint8Array);",
      ].join('\n'),
    },
  ];
}
