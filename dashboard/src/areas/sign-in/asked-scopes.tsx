import { Check } from 'lucide-react';

/** What a program asks to be allowed, in words. */
export function AskedScopes({ scopes }: { scopes: readonly { scope: string; text: string }[] }) {
  return (
    <ul className="space-y-1.5 rounded-md border bg-sunken p-3">
      {scopes.map(({ scope, text }) => (
        <li key={scope} className="flex gap-2" title={scope}>
          <Check aria-hidden className="mt-0.5 size-4 shrink-0 text-success" />
          {text}
        </li>
      ))}
    </ul>
  );
}
