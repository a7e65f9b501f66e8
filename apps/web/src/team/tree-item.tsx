import { t } from '@tizara/languages'
import { Button } from '../ui/button.tsx'
import { PersonRow } from './person-row.tsx'
import { TreeRowBox, type TreeRowBoxProps } from './tree-row-box.tsx'

export interface TreeItemProps extends TreeRowBoxProps {
  unit: string
  full: boolean
  onFull: () => void
  /** Retries the branch load. */
  onRetry: () => unknown
}

export function TreeItem({ unit, full, onFull, onRetry, ...box }: TreeItemProps) {
  const { row } = box
  return (
    <TreeRowBox {...box} className={row.opens && 'cursor-pointer'}>
      <PersonRow row={row} unit={unit} full={full} onFull={onFull} />
      {row.missing > 0 && (
        <p className="pb-2.5 ps-11 text-sm text-muted">
          {t('{missing, plural, one {# more direct referral is} other {# more direct referrals are}} not shown. Find them by name.', {
            missing: row.missing,
          })}
        </p>
      )}
      {row.failed && (
        <p className="flex flex-wrap items-center gap-2 pb-2.5 ps-11 text-sm text-danger">
          {t('This branch did not load.')}
          <Button size="sm" tabIndex={-1} onClick={onRetry}>
            {t('Try again')}
          </Button>
        </p>
      )}
    </TreeRowBox>
  )
}
