import { type Exchange, json, recordingOf } from './exchange.ts';
import { stream, tokensOf, words } from './openai.ts';

export async function speakGemini(exchange: Exchange): Promise<undefined> {
  const { response, body, path } = exchange;
  const model = /models\/(.+?):/.exec(decodeURIComponent(path))?.[1] ?? '';
  if (path.includes(':countTokens')) return json(response, 200, { totalTokens: tokensOf(body.contents) });
  if (path.includes(':batchEmbedContents'))
    return json(response, 200, { embeddings: body.requests.map(() => ({ values: [0, 0.5, 1] })) });
  const recording = recordingOf(exchange);
  if (recording && 'whole' in recording) {
    response.writeHead(200, { 'content-type': 'application/json' }).end(recording.whole);
    return;
  }
  if (recording)
    return stream(
      exchange,
      recording.events.map((line) => `data: ${line}\r\n\r\n`),
    );
  const promptTokenCount = tokensOf(body.contents);
  const usageMetadata = {
    promptTokenCount,
    candidatesTokenCount: words.length,
    totalTokenCount: promptTokenCount + words.length,
  };
  const declaration = body.tools?.[0]?.functionDeclarations?.[0];
  const wantsTool = declaration && !JSON.stringify(body.contents.at(-1)).includes('functionResponse');
  const part = wantsTool
    ? { functionCall: { name: declaration.name, args: { city: 'Paris' } }, thoughtSignature: 'c2lnbmF0dXJl' }
    : undefined;
  const candidate = (parts: object[], finishReason?: string) => ({
    content: { parts, role: 'model' },
    index: 0,
    ...(finishReason ? { finishReason } : {}),
  });
  const rest = { modelVersion: model, responseId: 'gemini-mock' };
  if (!path.includes(':streamGenerateContent'))
    return json(response, 200, {
      candidates: [candidate([part ?? { text: words.join('') }], 'STOP')],
      usageMetadata,
      ...rest,
    });
  const frames = part
    ? [{ candidates: [candidate([part], 'STOP')], usageMetadata, ...rest }]
    : words.map((text, at) => ({
        candidates: [candidate([{ text }], at === words.length - 1 ? 'STOP' : undefined)],
        usageMetadata,
        ...rest,
      }));
  await stream(
    exchange,
    frames.map((frame) => `data: ${JSON.stringify(frame)}\r\n\r\n`),
  );
}
