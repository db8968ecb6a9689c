import type { AiCatalogueModel } from '@mainstay/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useAction } from '#api/action.ts';
import { api } from '#api/client.ts';
import { Refused } from '#api/errors.ts';
import { catalogueQuery } from '#areas/ai-gateway/data.ts';
import { dollarsOf, microsOf } from '#areas/ai-gateway/money.ts';
import { Button } from '#ui/button.tsx';
import { sending, useAppForm } from '#ui/form.tsx';
import { FormDialog } from '#ui/form-dialog.tsx';
import { toast } from '#ui/toast.ts';

interface Values {
  id: string;
  input: string;
  output: string;
  cachedInput: string;
  cacheWrite: string;
  perRequest: string;
  perImage: string;
  perSecond: string;
  contextWindow: string;
  maxOutputTokens: string;
}

const prices = [
  ['input', 'Input'],
  ['output', 'Output'],
  ['cachedInput', 'Cached input'],
  ['cacheWrite', 'Writing to a prompt cache'],
  ['perRequest', 'A request'],
  ['perImage', 'An image'],
  ['perSecond', 'Second of audio or video'],
] as const;

/** Prices and bounds of a model, set by an operator. */
export function AiPriceDialog({ model, onClose }: { model?: AiCatalogueModel; onClose: () => void }) {
  const client = useQueryClient();
  const form = useAppForm({
    defaultValues: {
      id: model?.id ?? '',
      ...Object.fromEntries(prices.map(([name]) => [name, dollarsOf(model?.prices?.[name])])),
      contextWindow: String(model?.contextWindow ?? ''),
      maxOutputTokens: String(model?.maxOutputTokens ?? ''),
    } as unknown as Values,
    validators: {
      onSubmitAsync: sending(async (values: Values) => {
        if (Object.entries(values).some(([name, text]) => name !== 'id' && Number.isNaN(Number(text))))
          throw new Refused('Prices must be numbers.');
        await api.aiProviders.setModel(values.id.trim(), bodyOf(values, model));
        await client.invalidateQueries(catalogueQuery);
        await client.invalidateQueries({ queryKey: ['ai models'] });
        toast.done('Price set');
        onClose();
      }),
    },
  });
  const reset = useAction({
    run: async () => {
      if (model) await api.aiProviders.resetModel(model.id);
      onClose();
    },
    refresh: [catalogueQuery.queryKey, ['ai models']],
    done: 'Price reset to list price',
  });
  return (
    <FormDialog
      wide
      title={model ? model.id : 'Set price'}
      description="In dollars; the first four are per million tokens. Zero in all fields makes the model free."
      form={form}
      submit="Set price"
      call={(values: Values) => ({
        method: 'PUT',
        path: `/admin/ai-gateway/models/${encodeURIComponent(values.id)}`,
        body: bodyOf(values, model),
      })}
      onClose={onClose}
    >
      {!model && (
        <form.AppField name="id">
          {(field) => (
            <field.TextField
              label="Model"
              mono
              placeholder="local/llama3.2"
              autoComplete="off"
              autoFocus
              required
            />
          )}
        </form.AppField>
      )}
      <div className="grid gap-4 sm:grid-cols-2">
        {prices.map(([name, label]) => (
          <form.AppField key={name} name={name}>
            {(field) => (
              <field.TextField
                label={label}
                inputMode="decimal"
                autoComplete="off"
                required={name === 'input' || name === 'output'}
              />
            )}
          </form.AppField>
        ))}
        <form.AppField name="contextWindow">
          {(field) => <field.TextField label="Context in tokens" inputMode="numeric" autoComplete="off" />}
        </form.AppField>
        <form.AppField name="maxOutputTokens">
          {(field) => (
            <field.TextField label="Maximum output tokens" inputMode="numeric" autoComplete="off" />
          )}
        </form.AppField>
      </div>
      {model?.source === 'override' && (
        <Button size="sm" busy={reset.isPending} onClick={() => reset.mutate()}>
          Reset to list price
        </Button>
      )}
    </FormDialog>
  );
}

/** Capabilities stay as they are: what is set replaces all that was set before. */
function bodyOf(values: Values, model: AiCatalogueModel | undefined) {
  const known = prices.flatMap(([name]) => {
    const micros = microsOf(values[name]);
    return micros === null ? [] : [[name, micros] as const];
  });
  const count = (name: 'contextWindow' | 'maxOutputTokens') =>
    values[name].trim() === '' ? {} : { [name]: Number(values[name]) };
  const capabilities = Object.entries(model?.capabilities ?? {}).filter(([, value]) => value !== null);
  return {
    prices:
      known.length > 0 && known.every(([, micros]) => micros === 0)
        ? ('free' as const)
        : Object.fromEntries(known),
    ...(model?.source === 'override' && capabilities.length > 0
      ? { capabilities: Object.fromEntries(capabilities) as Record<string, boolean> }
      : {}),
    ...count('contextWindow'),
    ...count('maxOutputTokens'),
  };
}
