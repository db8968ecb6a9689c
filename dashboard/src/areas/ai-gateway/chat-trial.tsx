import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Send, Square, Trash2 } from 'lucide-react';
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { sentenceOf } from '#api/errors.ts';
import { countText, millisecondsText } from '#api/numbers.ts';
import { type Piece, streamChat } from '#areas/ai-gateway/chat-stream.ts';
import { priceText } from '#areas/ai-gateway/money.ts';
import { type ChatBody, chatSnippets, type Message } from '#areas/ai-gateway/playground-snippets.ts';
import { Trial, type TrialProps } from '#areas/ai-gateway/trial.tsx';
import { Button } from '#ui/button.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { Field, Input, Textarea } from '#ui/field.tsx';
import { Select } from '#ui/select.tsx';

const route = getRouteApi('/signed-in/o/$slug/ai/playground');

interface Measures {
  firstToken: number | undefined;
  whole: number;
  usage: Piece['usage'];
}

/** A chat, streamed. */
export function ChatTrial({ organizationId, models }: TrialProps) {
  const { model: wanted } = route.useSearch();
  const navigate = route.useNavigate();
  const client = useQueryClient();
  const model = models.find(({ id }) => id === wanted) ?? models[0];
  const [system, setSystem] = useState('');
  const [temperature, setTemperature] = useState('');
  const [bound, setBound] = useState('');
  const [text, setText] = useState('');
  const [messages, setMessages] = useState<Message[]>([]);
  const [reasoning, setReasoning] = useState('');
  const [problem, setProblem] = useState<string>();
  const [measures, setMeasures] = useState<Measures>();
  const running = useRef<AbortController>(undefined);
  const [isBusy, setBusy] = useState(false);
  useEffect(() => () => running.current?.abort(), []);
  const bodyOf = (chat: readonly Message[]): ChatBody => ({
    model: model?.id ?? '',
    messages: [...(system.trim() === '' ? [] : [{ role: 'system' as const, content: system }]), ...chat],
    stream: true,
    stream_options: { include_usage: true },
    ...(temperature.trim() === '' ? {} : { temperature: Number(temperature) }),
    ...(bound.trim() === '' ? {} : { max_completion_tokens: Number(bound) }),
  });
  const send = async () => {
    const content = text.trim();
    if (content === '' || isBusy) return;
    const chat: Message[] = [...messages, { role: 'user', content }];
    const controller = new AbortController();
    running.current = controller;
    setBusy(true);
    setProblem(undefined);
    setMeasures(undefined);
    setReasoning('');
    setText('');
    setMessages([...chat, { role: 'assistant', content: '' }]);
    const began = performance.now();
    let answer = '';
    let firstToken: number | undefined;
    let usage: Piece['usage'];
    try {
      for await (const piece of streamChat(organizationId, bodyOf(chat), controller.signal)) {
        if (piece.text !== undefined || piece.reasoning !== undefined)
          firstToken ??= performance.now() - began;
        if (piece.reasoning !== undefined) setReasoning((before) => before + piece.reasoning);
        answer += piece.text ?? '';
        usage = piece.usage ?? usage;
        setMessages([...chat, { role: 'assistant', content: answer }]);
      }
      setMeasures({ firstToken, whole: performance.now() - began, usage });
    } catch (error) {
      if (!controller.signal.aborted) setProblem(sentenceOf(error));
      // What failed before its first word can be sent again as it is.
      if (answer === '') {
        setMessages(messages);
        setText(content);
      }
    } finally {
      setBusy(false);
      void client.invalidateQueries({ queryKey: ['ai usage', organizationId] });
      void client.invalidateQueries({ queryKey: ['ai budgets', organizationId] });
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void send();
  };
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    void send();
  };
  const shown =
    text.trim() === ''
      ? messages.length > 0
        ? messages
        : hello
      : [...messages, { role: 'user' as const, content: text }];
  const snippets = chatSnippets(bodyOf(shown.filter(({ content }) => content !== '')));
  return (
    <Trial
      snippets={snippets}
      settings={
        <>
          <div>
            <Select
              label="Model"
              value={model?.id ?? ''}
              onChange={(next) => void navigate({ search: { model: next }, replace: true })}
              options={models.map(({ id }) => ({ value: id, label: id }))}
            />
            {model && (
              <p className="mt-1.5 text-faint">
                {model.prices
                  ? `${priceText(model.prices.input)} in and ${priceText(model.prices.output)} out per million tokens.`
                  : 'This model has no price, so its cost is unknown.'}{' '}
                Served by {model.routingProviders.join(', ')}.
              </p>
            )}
          </div>
          <Field label="System prompt">
            <Textarea rows={3} value={system} onChange={(event) => setSystem(event.target.value)} />
          </Field>
          <Field label="Temperature" hint="Leave empty for the model's default.">
            <Input inputMode="decimal" value={temperature} onValueChange={setTemperature} />
          </Field>
          <Field label="Maximum output tokens">
            <Input inputMode="numeric" value={bound} onValueChange={setBound} />
          </Field>
        </>
      }
    >
      <ol aria-label="Chat" aria-live="polite" aria-busy={isBusy} className="min-h-40 space-y-3">
        {messages.length === 0 && (
          <li className="text-muted">Write a message below. Prompts and responses are not stored.</li>
        )}
        {messages.map(({ role, content }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: messages are only added at the end.
          <li key={at} className={role === 'user' ? 'rounded-md bg-sunken px-3 py-2' : 'px-3'}>
            <span className="block text-xs text-faint">{role === 'user' ? 'You' : model?.id}</span>
            {role === 'assistant' && at === messages.length - 1 && reasoning !== '' && (
              <span className="mb-1 block border-l-2 pl-2 whitespace-pre-wrap text-muted wrap-anywhere">
                {reasoning}
              </span>
            )}
            <span className="block whitespace-pre-wrap wrap-anywhere">
              {content === '' && isBusy ? '…' : content}
            </span>
          </li>
        ))}
      </ol>
      {problem && <ErrorNotice sentence={problem} />}
      {measures && (
        <p role="status" className="text-xs text-muted tabular-nums">
          {measures.firstToken !== undefined &&
            `First token after ${millisecondsText(measures.firstToken)}, `}
          {millisecondsText(measures.whole)} in all
          {measures.usage &&
            `, ${countText(measures.usage.input)} tokens in, ${countText(measures.usage.output)} out`}
        </p>
      )}
      <form onSubmit={submit} className="space-y-2">
        <Field label="Message" hideLabel>
          <Textarea
            rows={3}
            placeholder="Ask something"
            value={text}
            onChange={(event) => setText(event.target.value)}
            onKeyDown={press}
          />
        </Field>
        <div className="flex justify-end gap-2">
          {messages.length > 0 && !isBusy && (
            <Button
              look="ghost"
              onClick={() => {
                setMessages([]);
                setMeasures(undefined);
                setProblem(undefined);
              }}
            >
              <Trash2 aria-hidden />
              New chat
            </Button>
          )}
          {isBusy ? (
            <Button onClick={() => running.current?.abort()}>
              <Square aria-hidden />
              Stop
            </Button>
          ) : (
            <Button type="submit" look="primary">
              <Send aria-hidden />
              Send
            </Button>
          )}
        </div>
      </form>
    </Trial>
  );
}

/** In the code as long as nothing was written. */
const hello: Message[] = [{ role: 'user', content: 'Hello' }];
