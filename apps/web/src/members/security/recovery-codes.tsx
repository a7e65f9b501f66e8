import { t } from '@tizara/languages'
import { saveFile } from '../../lib/http/load-file.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { DialogFooter } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'

/** Shows new recovery codes, which no other page shows again. */
export function RecoveryCodes({ codes, onDone, pending = false }: { codes: readonly string[]; onDone: () => void; pending?: boolean }) {
  const text = codes.join('\n')
  return (
    <div className="space-y-4">
      <Notice tone="warning">
        {t('Save these recovery codes now. They are shown only once. Each signs you in once if you lose your phone.')}
      </Notice>
      <ul aria-label={t('Recovery codes')} className="grid grid-cols-2 gap-x-4 gap-y-1 font-mono">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <CopyButton text={text} label={t('Copy all')} size="md" />
        <Button onClick={() => saveFile('recovery-codes.txt', new Blob([text], { type: 'text/plain' }))}>{t('Save as a file')}</Button>
      </div>
      <DialogFooter>
        <Button variant="primary" pending={pending} onClick={onDone}>
          {t('I have saved them')}
        </Button>
      </DialogFooter>
    </div>
  )
}
