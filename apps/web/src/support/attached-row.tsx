import { t } from '@tizara/languages'
import { Button } from '../ui/button.tsx'
import { DescriptionList } from '../ui/description-list.tsx'

/** Splits a `Name: value` line. */
function parts(line: string): { label: string; value: string } {
  const at = line.indexOf(': ')
  return at < 0 ? { label: line, value: '' } : { label: line.slice(0, at), value: line.slice(at + 2) }
}

/** Shows the history row attached to a ticket, as sent with the description. */
export function AttachedRow({ text, onRemove }: { text: string; onRemove: (() => void) | undefined }) {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return (
    <section aria-label={t('Attached row')}>
      <div className="mb-1.5 flex items-center justify-between gap-3">
        <h2 className="text-sm font-semi">{t('Attached row')}</h2>
        <Button size="sm" variant="ghost" disabled={onRemove === undefined} onClick={onRemove}>
          {t('Remove')}
        </Button>
      </div>
      <DescriptionList boxed rows={lines.map((line, index) => ({ key: String(index), ...parts(line) }))} />
    </section>
  )
}
