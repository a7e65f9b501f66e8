import { t } from '@tizara/languages'
import { endView, view } from '../../lib/view-as.ts'
import { formatUtc } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { T } from '../../ui/t.tsx'

/** Banner on member pages viewed by staff: member, the view's end, and read-only notice. */
export default function ViewBanner() {
  if (view === undefined) return null
  return (
    <p role="status" className="flex flex-wrap items-center justify-center gap-x-4 gap-y-1 bg-warning-soft px-4 py-2 text-sm">
      <span>
        <T
          text="You are viewing the pages of {name} as staff. You cannot change anything here. The view ends at {formatUtc}."
          name={<b>{view.name}</b>}
          formatUtc={formatUtc(new Date(view.endsAt))}
        />
      </span>
      <Button size="sm" onClick={endView}>
        {t('End')}
      </Button>
    </p>
  )
}
