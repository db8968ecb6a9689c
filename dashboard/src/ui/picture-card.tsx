import { useRef } from 'react';
import { Avatar } from '#ui/avatar.tsx';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';

/** Of `useAction`. */
interface Change<Input> {
  mutate: (input: Input) => void;
  isPending: boolean;
}

interface PictureCardProps {
  url: string | null;
  name: string;
  upload: Change<File>;
  /** Undefined: there is none to delete, only the drawn one. */
  remove: Change<void> | undefined;
}

/** The picture of an organization, an application or an account. */
export function PictureCard({ url, name, upload, remove }: PictureCardProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <Card title="Picture" description="PNG, JPEG, WebP, GIF or AVIF. Best square.">
      <div className="flex flex-wrap items-center gap-4">
        <Avatar url={url} name={name} size="lg" />
        <input
          ref={input}
          type="file"
          accept="image/png,image/jpeg,image/webp,image/gif,image/avif"
          aria-label="Picture"
          className="sr-only"
          tabIndex={-1}
          onChange={({ target }) => {
            const [file] = target.files ?? [];
            if (file) upload.mutate(file);
            target.value = '';
          }}
        />
        <div className="flex gap-2">
          <Button busy={upload.isPending} onClick={() => input.current?.click()}>
            Upload
          </Button>
          {remove && (
            <Button look="ghost" busy={remove.isPending} onClick={() => remove.mutate()}>
              Delete
            </Button>
          )}
        </div>
      </div>
    </Card>
  );
}
