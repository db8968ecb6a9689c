import { useRef } from 'react';
import { useAction } from '#api/action.ts';
import { idp } from '#api/idp.ts';
import { sessionQuery, usePerson } from '#api/session.ts';
import { Avatar } from '#ui/avatar.tsx';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';

export function PictureCard() {
  const { imageUrl, name } = usePerson();
  const input = useRef<HTMLInputElement>(null);
  const refresh = [sessionQuery.queryKey];
  const upload = useAction({
    run: (file: File) => idp('put', '/idp/profile/image', { body: file }),
    refresh,
    done: 'Your picture is new',
  });
  const remove = useAction({
    run: () => idp('delete', '/idp/profile/image'),
    refresh,
    done: 'Your picture is removed',
  });
  return (
    <Card title="Picture" description="PNG, JPEG, WebP, GIF or AVIF. Best square.">
      <div className="flex flex-wrap items-center gap-4">
        <Avatar url={imageUrl} name={name} size="lg" />
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
          {imageUrl !== null && (
            <Button look="ghost" busy={remove.isPending} onClick={() => remove.mutate()}>
              Remove
            </Button>
          )}
        </div>
      </div>
    </Card>
  );
}
