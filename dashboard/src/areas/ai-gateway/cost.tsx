import { microsText } from '#api/numbers.ts';
import { costText } from '#areas/ai-gateway/money.ts';

/** To the cent; the exact amount on hover. */
export function Cost({ micros, unknown = false }: { micros: number; unknown?: boolean }) {
  if (unknown)
    return (
      <span className="text-warning" title="The model has no price, so the cost is unknown.">
        Unpriced
      </span>
    );
  return (
    <span className="tabular-nums" title={microsText(micros)}>
      {costText(micros)}
    </span>
  );
}
