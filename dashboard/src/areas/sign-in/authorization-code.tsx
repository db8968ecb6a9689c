import { useLocation } from '@tanstack/react-router';
import { DoorCard } from '#areas/sign-in/door-card.tsx';
import { CodeBlock } from '#ui/code-block.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';

/** Where programs that no browser can be sent back to get their code: the person copies it. */
export function AuthorizationCode() {
  const answer = new URLSearchParams(useLocation({ select: ({ hash }) => hash }));
  const code = answer.get('code');
  if (code === null)
    return (
      <DoorCard title="Not signed in">
        <ErrorNotice
          sentence={answer.get('error_description') ?? 'This URL contains no code. Start again in the app.'}
        />
      </DoorCard>
    );
  return (
    <DoorCard title="Copy this code" description="Paste it into the app. It works once.">
      <CodeBlock code={code} label="Authorization code" />
    </DoorCard>
  );
}
