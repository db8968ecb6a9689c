import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button, IconButton } from '#ui/button.tsx';
import { toast } from '#ui/toast.ts';

/** Puts the text on the clipboard and says so for a moment. */
export function useCopy() {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => setCopied(false), 1600);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = async (text: string) => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
    } catch {
      // Only pages on https and localhost may write to it.
      toast.problem('The browser denied access to the clipboard. Select the text and copy it manually.');
    }
  };
  return { isCopied, copy };
}

export function CopyButton({ text, label = 'Copy' }: { text: string; label?: string }) {
  const { isCopied, copy } = useCopy();
  return (
    <>
      <IconButton
        size="sm"
        label={label}
        onClick={() => void copy(text)}
        icon={isCopied ? <Check aria-hidden className="text-success" /> : <Copy aria-hidden />}
      />
      <Said isCopied={isCopied} />
    </>
  );
}

/** With its word beside it. */
export function CopyTextButton({
  text,
  label,
  look,
}: {
  text: string;
  label: string;
  look?: 'primary' | 'secondary';
}) {
  const { isCopied, copy } = useCopy();
  return (
    <>
      <Button look={look ?? 'secondary'} onClick={() => void copy(text)}>
        {isCopied ? <Check aria-hidden /> : <Copy aria-hidden />}
        {isCopied ? 'Copied' : label}
      </Button>
      <Said isCopied={isCopied} />
    </>
  );
}

function Said({ isCopied }: { isCopied: boolean }) {
  return (
    <span role="status" className="sr-only">
      {isCopied ? 'Copied' : ''}
    </span>
  );
}
