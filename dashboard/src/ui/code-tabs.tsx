import { Tabs } from '@base-ui/react/tabs';
import { useState } from 'react';
import { type ApiCall, type Snippet, snippetsOf } from '#api/snippets.ts';
import { CodeBlock } from '#ui/code-block.tsx';

const storageKey = 'mainstay.language';

/** One thing in several languages; the chosen language is remembered for all of them. */
export function CodeTabs({ snippets, label = 'Language' }: { snippets: Snippet[]; label?: string }) {
  const [chosen, setChosen] = useState(() => localStorage.getItem(storageKey) ?? '');
  const shown = snippets.some(({ language }) => language === chosen) ? chosen : snippets[0]?.language;
  return (
    <Tabs.Root
      value={shown}
      onValueChange={(language: string) => {
        setChosen(language);
        localStorage.setItem(storageKey, language);
      }}
    >
      <Tabs.List aria-label={label} className="mb-2 flex gap-1">
        {snippets.map(({ language }) => (
          <Tabs.Tab
            key={language}
            value={language}
            className="h-7 rounded-md px-2.5 text-muted hover:bg-hover hover:text-ink data-active:bg-pressed data-active:text-ink pointer-coarse:h-11"
          >
            {language}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {snippets.map(({ language, code }) => (
        <Tabs.Panel key={language} value={language} tabIndex={-1}>
          <CodeBlock code={code} />
        </Tabs.Panel>
      ))}
    </Tabs.Root>
  );
}

/** A call of the API as curl, TypeScript, Python and, where there is one, a command. */
export function CallTabs({ call }: { call: ApiCall }) {
  return <CodeTabs snippets={snippetsOf(call)} />;
}
