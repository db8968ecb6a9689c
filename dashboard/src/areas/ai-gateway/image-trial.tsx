import { useState } from 'react';
import { useAttempt } from '#areas/ai-gateway/attempt.ts';
import { AttemptForm, ModelField } from '#areas/ai-gateway/attempt-form.tsx';
import { type ImageBody, imageSnippets } from '#areas/ai-gateway/media-snippets.ts';
import { Trial, type TrialProps } from '#areas/ai-gateway/trial.tsx';
import { Field, Input } from '#ui/field.tsx';

interface Image {
  b64_json?: string;
  url?: string;
}

async function imagesOf(response: Response): Promise<Image[]> {
  return ((await response.json()) as { data?: Image[] }).data ?? [];
}

/** Pictures from a description. */
export function ImageTrial({ organizationId, models }: TrialProps) {
  const [model, setModel] = useState(models[0]?.id ?? '');
  const [prompt, setPrompt] = useState('');
  const [size, setSize] = useState('');
  const [number, setNumber] = useState('');
  const attempt = useAttempt(organizationId, '/images/generations', imagesOf);
  const body: ImageBody = {
    model: model.trim(),
    prompt: prompt.trim() || 'A lighthouse at dawn',
    ...(size.trim() === '' ? {} : { size: size.trim() }),
    ...(number.trim() === '' ? {} : { n: Number(number) }),
  };
  return (
    <Trial
      snippets={imageSnippets(body)}
      settings={
        <>
          <ModelField value={model} onChange={setModel} models={models} />
          <Field label="Size" hint="For example 1024x1024. Leave empty for the model's default.">
            <Input value={size} onValueChange={setSize} />
          </Field>
          <Field label="How many" hint="Leave empty for one.">
            <Input inputMode="numeric" value={number} onValueChange={setNumber} />
          </Field>
        </>
      }
    >
      <AttemptForm
        attempt={attempt}
        label="Description"
        text={prompt}
        onText={setPrompt}
        verb="Create images"
        onSubmit={() => void attempt.start(body)}
      >
        {attempt.result ? (
          <ul aria-label="Images" className="grid gap-3 sm:grid-cols-2">
            {attempt.result.map((image, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: an answer does not change.
              <li key={at}>
                <Picture image={image} name={`Image ${at + 1}`} />
              </li>
            ))}
          </ul>
        ) : (
          <p className="text-muted">Describe an image below. Prompts and images are not stored.</p>
        )}
      </AttemptForm>
    </Trial>
  );
}

/** Pages of ours load nothing from elsewhere: what the provider keeps is opened there. */
function Picture({ image: { b64_json: base64, url }, name }: { image: Image; name: string }) {
  if (base64 !== undefined)
    return (
      <img
        src={`data:image/${formatOf(base64)};base64,${base64}`}
        alt={name}
        className="h-auto w-full rounded-md border"
      />
    );
  return (
    <a href={url} target="_blank" rel="noreferrer" className="text-accent underline">
      {name} at the provider
    </a>
  );
}

/** By the first bytes, as base64 writes them. */
function formatOf(base64: string): string {
  if (base64.startsWith('/9j/')) return 'jpeg';
  return base64.startsWith('UklG') ? 'webp' : 'png';
}
