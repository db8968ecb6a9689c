import { Check, Terminal } from 'lucide-react';
import { type ApiCall, curlOf } from '#api/curl.ts';
import { Button } from '#ui/button.tsx';
import { useCopy } from '#ui/copy-button.tsx';
import { Tooltip } from '#ui/tooltip.tsx';

/** Beside an action: the API call that it is. */
export function CopyAsCurl({ call }: { call: ApiCall }) {
  const { isCopied, copy } = useCopy();
  return (
    <Tooltip text={`${call.method} ${call.path}`}>
      <Button look="ghost" size="sm" className="-ml-2" onClick={() => void copy(curlOf(call))}>
        {isCopied ? <Check aria-hidden className="text-success" /> : <Terminal aria-hidden />}
        {isCopied ? 'Copied' : 'Copy as curl'}
      </Button>
    </Tooltip>
  );
}
