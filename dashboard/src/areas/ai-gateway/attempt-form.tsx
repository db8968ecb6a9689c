import { Play, Square } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { millisecondsText } from '#api/numbers.ts';
import type { Attempt } from '#areas/ai-gateway/attempt.ts';
import { costText } from '#areas/ai-gateway/money.ts';
import type { TrialProps } from '#areas/ai-gateway/trial.tsx';
import { Button } from '#ui/button.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { Field, Input, Textarea } from '#ui/field.tsx';

/** What came of an attempt, and below it what to ask for next. `children` show the answer. */
export function AttemptForm<Result>(props: {
  attempt: Attempt<Result>;
  /** Of the text that is sent. */
  label: string;
  text: string;
  onText: (text: string) => void;
  /** On the button. */
  verb: string;
  onSubmit: () => void;
  children: ReactNode;
}) {
  const { attempt, label, text, onText, verb, onSubmit, children } = props;
  const { isBusy, problem, duration, costMicros } = attempt;
  return (
    <>
      <div aria-live="polite" aria-busy={isBusy} className="min-h-40">
        {isBusy ? <p className="text-muted">Waiting for the model …</p> : children}
      </div>
      {problem && <ErrorNotice sentence={problem} />}
      {duration !== undefined && (
        <p role="status" className="text-xs text-muted tabular-nums">
          Responded after {millisecondsText(duration)}
          {costMicros !== null && `, ${costText(costMicros)}`}
        </p>
      )}
      <form
        className="space-y-2"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isBusy && text.trim() !== '') onSubmit();
        }}
      >
        <Field label={label}>
          <Textarea rows={3} value={text} onChange={(event) => onText(event.target.value)} />
        </Field>
        <div className="flex justify-end">
          {isBusy ? (
            <Button onClick={attempt.stop}>
              <Square aria-hidden />
              Stop
            </Button>
          ) : (
            <Button type="submit" look="primary">
              <Play aria-hidden />
              {verb}
            </Button>
          )}
        </div>
      </form>
    </>
  );
}

/** Any model may be written: what self-hosted ones make is not known. */
export function ModelField(
  props: { value: string; onChange: (model: string) => void } & Pick<TrialProps, 'models'>,
) {
  const { value, onChange, models } = props;
  const id = useId();
  return (
    <>
      <Field label="Model" hint="A model ID from the list of models, or an alias.">
        <Input list={id} value={value} onValueChange={onChange} spellCheck={false} />
      </Field>
      <datalist id={id}>
        {models.map((model) => (
          <option key={model.id} value={model.id} />
        ))}
      </datalist>
    </>
  );
}
