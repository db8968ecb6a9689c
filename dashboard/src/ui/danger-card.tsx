import { type ReactNode, useState } from 'react';
import type { ApiCall } from '#api/snippets.ts';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { ConfirmDialog } from '#ui/confirm-dialog.tsx';

interface DangerCardProps {
  title: string;
  description: string;
  /** On the button of the card. */
  verb: string;
  question: string;
  /** On the button of the dialog. */
  action: string;
  typed: string;
  onConfirm: () => Promise<unknown>;
  call: ApiCall;
  /** In the dialog: what stops, and for whom. */
  children: ReactNode;
}

/** The card at the end of settings that deletes, after its name was typed. */
export function DangerCard(props: DangerCardProps) {
  const { title, description, verb, question, action, typed, onConfirm, call, children } = props;
  const [isOpen, setOpen] = useState(false);
  return (
    <Card
      tone="danger"
      title={title}
      description={description}
      actions={
        <Button look="danger" onClick={() => setOpen(true)}>
          {verb}
        </Button>
      }
    >
      <ConfirmDialog
        open={isOpen}
        onClose={() => setOpen(false)}
        title={question}
        {...{ action, typed, onConfirm, call }}
      >
        {children}
      </ConfirmDialog>
    </Card>
  );
}
