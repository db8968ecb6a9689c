import { useEffect, useState } from 'react';
import { useAttempt } from '#areas/ai-gateway/attempt.ts';
import { AttemptForm, ModelField } from '#areas/ai-gateway/attempt-form.tsx';
import { type SpeechBody, speechSnippets } from '#areas/ai-gateway/media-snippets.ts';
import { Trial, type TrialProps } from '#areas/ai-gateway/trial.tsx';
import { Field, Input } from '#ui/field.tsx';

async function soundOf(response: Response): Promise<string> {
  return URL.createObjectURL(await response.blob());
}

/** Speech from a text. */
export function SpeechTrial({ organizationId, models }: TrialProps) {
  const [model, setModel] = useState(models[0]?.id ?? '');
  const [text, setText] = useState('');
  const [voice, setVoice] = useState('alloy');
  const attempt = useAttempt(organizationId, '/audio/speech', soundOf);
  const { result: sound } = attempt;
  useEffect(() => {
    if (sound !== undefined) return () => URL.revokeObjectURL(sound);
    return undefined;
  }, [sound]);
  const body: SpeechBody = { model: model.trim(), voice: voice.trim(), input: text.trim() || 'Hello' };
  return (
    <Trial
      snippets={speechSnippets(body)}
      settings={
        <>
          <ModelField value={model} onChange={setModel} models={models} />
          <Field label="Voice" hint="A voice name that the model supports.">
            <Input value={voice} onValueChange={setVoice} />
          </Field>
        </>
      }
    >
      <AttemptForm
        attempt={attempt}
        label="Text"
        text={text}
        onText={setText}
        verb="Create speech"
        onSubmit={() => void attempt.start(body)}
      >
        {sound ? (
          // biome-ignore lint/a11y/useMediaCaption: it says the text below.
          <audio controls src={sound} aria-label="Speech" className="w-full" />
        ) : (
          <p className="text-muted">Enter text below. Text and audio are not stored.</p>
        )}
      </AttemptForm>
    </Trial>
  );
}
