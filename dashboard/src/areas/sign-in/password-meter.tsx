import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { strengthQuery } from '#areas/sign-in/data.ts';
import { classes } from '#ui/classes.ts';

const words = ['Very weak', 'Weak', 'Fair', 'Good', 'Strong'];

/** Below a field for a new password. */
export function PasswordMeter({
  password,
  email = '',
  name = '',
}: {
  password: string;
  email?: string;
  name?: string;
}) {
  const settled = useSettled(password);
  const about = {
    password: settled,
    ...(/.@./.test(email) ? { email } : {}),
    ...(name === '' ? {} : { name }),
  };
  const { data } = useQuery({ ...strengthQuery(about), placeholderData: keepPreviousData });
  const score = password === '' || !data ? -1 : data.score;
  const color = data?.acceptable ? 'bg-success' : 'bg-warning';
  const advice =
    data && !data.acceptable ? [data.warning, ...data.suggestions].filter(Boolean).join(' ') : '';
  return (
    <div className="mt-2" aria-live="polite">
      <div className="flex gap-1" aria-hidden>
        {words.slice(1).map((word, index) => (
          <span
            key={word}
            className={classes(
              'h-1 flex-1 rounded-full transition-colors',
              index < score ? color : 'bg-pressed',
            )}
          />
        ))}
      </div>
      {score >= 0 && (
        <p className="mt-1.5 text-muted">
          {words[score]}
          {advice && `. ${advice}`}
        </p>
      )}
    </div>
  );
}

/** The text once nobody has typed for a moment. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), 250);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
