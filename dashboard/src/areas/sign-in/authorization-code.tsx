import { getRouteApi } from '@tanstack/react-router';
import { DoorCard } from '#areas/sign-in/door-card.tsx';
import { CodeBlock } from '#ui/code-block.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';

const route = getRouteApi('/door/authorize/code');

/** Where a program that has no address of its own gets its code: the person copies it. */
export function AuthorizationCode() {
  const { code, error_description } = route.useSearch();
  if (code === undefined)
    return (
      <DoorCard title="Not signed in">
        <ErrorNotice
          sentence={error_description ?? 'This address holds no code. Start again in the program.'}
        />
      </DoorCard>
    );
  return (
    <DoorCard title="Copy this code" description="Paste it where the program asks for it. It works once.">
      <CodeBlock code={code} label="Authorization code" />
    </DoorCard>
  );
}
