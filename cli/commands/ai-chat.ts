import { accountOf } from '../core/account.ts';
import { Failure, wrongUsage } from '../core/failure.ts';
import type { Run } from '../core/run.ts';
import { readAll } from '../core/stdin.ts';
import type { aiChat } from '../descriptions/more.ts';

export const run: Run<typeof aiChat> = async (context, { arguments: given, options }) => {
  const { out, signal, env } = context;
  const words = given.prompt.join(' ');
  const piped = process.stdin.isTTY ? '' : await readAll(process.stdin);
  const prompt = [words, piped].filter((text) => text.trim() !== '').join('\n\n');
  if (prompt === '')
    throw wrongUsage('The prompt is empty.', 'Example: mainstay ai chat "Why is the sky blue?"');
  const client = await context.client();
  const account = await accountOf(context, options);
  const model =
    options.model ??
    env['MAINSTAY_AI_MODEL'] ??
    (await client.ai.models(account)).items.find(({ capabilities }) => capabilities.chat)?.id;
  if (model === undefined)
    throw new Failure('No models are available.', {
      exit: 'notFound',
      next: 'An owner adds providers in the dashboard, under AI.',
    });
  const messages = [
    ...(options.system === undefined ? [] : [{ role: 'system', content: options.system }]),
    { role: 'user', content: prompt },
  ];
  if (options['no-stream']) {
    const answer = await client.ai.chat({ model, messages }, { ...account, signal });
    return out.result(answer, () => out.line(answer.choices[0]?.message.content ?? ''));
  }
  let last = '\n';
  for await (const chunk of await client.ai.streamChat({ model, messages }, { ...account, signal })) {
    signal.throwIfAborted();
    if (chunk.error) throw new Failure(`The model's response was interrupted: ${chunk.error.message}`);
    const text = chunk.choices[0]?.delta.content ?? '';
    if (out.isJson) out.event(chunk, () => {});
    else if (text !== '') {
      out.raw(text);
      last = text;
    }
  }
  if (!out.isJson && !last.endsWith('\n')) out.line();
};
