import type { ScopeInfo } from '@mainstay/sdk';
import { useState } from 'react';
import { isHandedOn, type KeyOwner } from '#areas/keys/data.ts';
import { presetOf, presets, scopesOfPreset } from '#areas/keys/presets.ts';
import { matches } from '#shell/search.ts';
import { Badge } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { Checkbox } from '#ui/toggle.tsx';

interface ScopeChoiceProps {
  owner: KeyOwner;
  offered: readonly ScopeInfo[];
  chosen: ReadonlySet<string>;
  onChange: (chosen: ReadonlySet<string>) => void;
}

/** A preset, then scopes by area, each with what it allows; an area as a whole too. */
export function ScopeChoice({ owner, offered, chosen, onChange }: ScopeChoiceProps) {
  const [filter, setFilter] = useState('');
  const shown = offered.filter(({ scope, text, area }) => matches(filter, scope, text, area));
  const areas = Map.groupBy(shown, ({ area }) => area);
  const preset = presetOf(chosen, owner, offered);
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
      <legend className="mb-1.5 font-medium">Permissions</legend>
      <div className="mb-3 flex flex-wrap gap-2">
        {presets
          .filter(({ value }) => scopesOfPreset(value, owner, offered).size > 0)
          .map(({ value, label, hint }) => (
            <Button
              key={value}
              title={hint}
              aria-pressed={preset === value}
              className={preset === value ? 'border-accent! bg-accent-soft! text-accent-text!' : ''}
              onClick={() => onChange(scopesOfPreset(value, owner, offered))}
            >
              {label}
            </Button>
          ))}
        {preset === undefined && <span className="inline-flex h-8 items-center px-2 text-muted">Custom</span>}
      </div>
      <div className="mb-2 flex flex-wrap items-center gap-2">
        <input
          type="search"
          aria-label="Search scopes"
          placeholder="Search scopes"
          className="field-box max-w-60"
          value={filter}
          onChange={({ target }) => setFilter(target.value)}
        />
        <span role="status" className="text-muted">
          {chosen.size} of {offered.length}
        </span>
        <span className="ml-auto flex gap-1">
          <Button size="sm" look="ghost" onClick={() => set(shown, false)}>
            None
          </Button>
          <Button size="sm" look="ghost" onClick={() => set(shown, true)}>
            All
          </Button>
        </span>
      </div>
      <div className="max-h-72 divide-y overflow-y-auto rounded-md border" data-scopes>
        {shown.length === 0 && (
          <p className="px-3 py-6 text-center text-muted">No scopes match “{filter}”.</p>
        )}
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
                    label={
                      <span className="inline-flex flex-wrap items-center gap-x-2">
                        {info.text}
                        {isHandedOn(owner, info) && <Badge>For its applications only</Badge>}
                      </span>
                    }
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
