import type { ScopeInfo } from '@mainstay/sdk';
import { Checkbox } from '#ui/toggle.tsx';

interface ScopeChoiceProps {
  offered: readonly ScopeInfo[];
  chosen: ReadonlySet<string>;
  onChange: (chosen: ReadonlySet<string>) => void;
}

/** Scopes by area, each with what it allows; an area as a whole too. */
export function ScopeChoice({ offered, chosen, onChange }: ScopeChoiceProps) {
  const areas = Map.groupBy(offered, ({ area }) => area);
  const set = (scopes: readonly ScopeInfo[], isOn: boolean) => {
    const next = new Set(chosen);
    for (const { scope } of scopes) {
      if (isOn) next.add(scope);
      else next.delete(scope);
    }
    onChange(next);
  };
  return (
    <fieldset>
      <legend className="mb-1.5 font-medium">Scopes</legend>
      <div className="max-h-72 divide-y overflow-y-auto rounded-md border" data-scopes>
        {[...areas].map(([area, scopes]) => {
          const count = scopes.filter(({ scope }) => chosen.has(scope)).length;
          return (
            <div key={area} className="px-3 py-2.5">
              <Checkbox
                checked={count === scopes.length}
                mixed={count > 0 && count < scopes.length}
                onChange={() => set(scopes, count < scopes.length)}
                label={<span className="font-medium">{area}</span>}
              />
              <div className="mt-2 space-y-2 pl-6.5">
                {scopes.map((info) => (
                  <Checkbox
                    key={info.scope}
                    checked={chosen.has(info.scope)}
                    onChange={(isOn) => set([info], isOn)}
                    label={info.text}
                    hint={<span className="font-mono text-xs">{info.scope}</span>}
                  />
                ))}
              </div>
            </div>
          );
        })}
      </div>
    </fieldset>
  );
}
