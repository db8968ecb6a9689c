import type { AiModel } from '@mainstay/sdk';
import type { ReactNode } from 'react';
import type { Snippet } from '#api/snippets.ts';
import { Card } from '#ui/card.tsx';
import { CodeTabs } from '#ui/code-tabs.tsx';

export interface TrialProps {
  organizationId: string;
  /** What may be chosen. */
  models: readonly AiModel[];
}

/** A request to try, with the same as code below it and what it is made of at the right. */
export function Trial({
  snippets,
  settings,
  children,
}: {
  snippets: Snippet[];
  settings: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-[minmax(0,1fr)_22rem]">
      <div className="min-w-0 space-y-4">
        <Card>
          <div className="space-y-4">{children}</div>
        </Card>
        <Card
          title="Use from code"
          description="MAINSTAY_AI_KEY is the secret of an API key of an application with the scope network:ai_gateway:chat."
        >
          <CodeTabs snippets={snippets} />
        </Card>
      </div>
      <Card title="Model">
        <div className="space-y-4">{settings}</div>
      </Card>
    </div>
  );
}
