import { AttemptFailure, type Dialer, type Timeouts } from '../relay/dial.ts';
import { failureOfStatus } from '../relay/failures.ts';
import { collect } from '../relay/pump.ts';
import type { Provider } from './provider.ts';

const maxModels = 1000;

/** Asks the provider for its models: that it can be reached and takes the key. Costs nothing. */
export async function tryProvider(
  provider: Provider,
  { dialer, timeouts }: { dialer: Dialer; timeouts: Timeouts },
): Promise<{ ok: boolean; latencyMs: number; models: string[]; error: string | null }> {
  const started = performance.now();
  const finish = (ok: boolean, models: string[], error: string | null) => ({
    ok,
    latencyMs: Math.round(performance.now() - started),
    models,
    error,
  });
  if (!provider.address) return finish(false, [], 'The provider has no "baseUrl".');
  const credential = provider.credentials.find(({ enabled }) => enabled);
  if (!credential && provider.type !== 'openai-compatible')
    return finish(false, [], 'The provider has no enabled credential.');
  const { keyHeader } = provider.dialect;
  const key = credential
    ? { [keyHeader]: keyHeader === 'authorization' ? `Bearer ${credential.apiKey}` : credential.apiKey }
    : {};
  const version = provider.type === 'anthropic' ? { 'anthropic-version': '2023-06-01' } : {};
  const signal = AbortSignal.timeout(15_000);
  try {
    const response = await dialer.send(
      provider,
      {
        method: 'GET',
        path: '/models',
        headers: { accept: 'application/json', ...version, ...key },
        body: [],
      },
      { timeouts, stop: signal },
    );
    if ((response.statusCode ?? 0) !== 200) throw await failureOfStatus(response);
    const bytes = await collect(response, { maxBytes: 16 * 1024 * 1024, timeouts, stop: signal });
    return finish(true, modelIds(bytes), null);
  } catch (error) {
    const sentence =
      error instanceof AttemptFailure
        ? (error.detail?.message ?? error.message)
        : 'Its response cannot be read.';
    return finish(
      false,
      [],
      error instanceof AttemptFailure && error.kind === 'aborted' ? 'No response within 15 s.' : sentence,
    );
  }
}

function modelIds(bytes: Buffer): string[] {
  const body = JSON.parse(bytes.toString('utf8')) as { data?: unknown; models?: unknown };
  const list = Array.isArray(body.data) ? body.data : Array.isArray(body.models) ? body.models : [];
  return list
    .map((model) => model?.id ?? model?.name)
    .filter((id) => typeof id === 'string')
    .map((id: string) => id.replace(/^models\//, ''))
    .slice(0, maxModels);
}
