import { t } from '@tizara/languages'
import ChevronDown from 'lucide-react/icons/chevron-down'
import { Spinner } from '../ui/spinner.tsx'
import { TreeRowBox, type TreeRowBoxProps } from './tree-row-box.tsx'
import type { TreeRow } from './tree-rows.ts'
import { T } from '../ui/t.tsx'

/** Label on a "more" row: "Show more (99 of 250)"; adds the person's name for screen readers. */
export function MoreLabel({ row: { node, failed, more } }: { row: TreeRow }) {
  return (
    <T
      text="{action} ({shown} of {total})<span> directly below {name}</span>"
      action={failed ? t('Try again') : t('Show more')}
      shown={more?.shown.toLocaleString('en-US')}
      total={more?.total.toLocaleString('en-US')}
      span={(content) => <span className="sr-only">{content}</span>}
      name={node.name}
    />
  )
}

/** Tree item after a paged branch that loads the next people. */
export function TreeMore(box: TreeRowBoxProps) {
  const { row } = box
  return (
    <TreeRowBox {...box} className="flex min-h-12 cursor-pointer items-center gap-2.5 py-2 pe-3 text-sm">
      <span className="grid size-8 shrink-0 place-items-center text-faint">
        {row.loading ? (
          <Spinner label={t('Loading more of the team of {name}', { name: row.node.name })} />
        ) : (
          <ChevronDown size={17} aria-hidden="true" className="text-accent-text" />
        )}
      </span>
      <span className="flex flex-wrap gap-x-2">
        {row.failed && <span className="text-danger">{t('More people did not load.')}</span>}
        <span className="font-semi text-accent-text">
          <MoreLabel row={row} />
        </span>
      </span>
    </TreeRowBox>
  )
}
