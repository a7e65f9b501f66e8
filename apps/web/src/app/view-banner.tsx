import { endView, view } from '../lib/view-as.ts'
import { formatUtc } from '../lib/format.ts'
import { Button } from '../ui/button.tsx'

/** Banner on member pages viewed by staff: member, the view's end, and read-only notice. */
export default function ViewBanner() {
  if (view === undefined) return null
  return (
    <p role="status" className="flex flex-wrap items-center justify-center gap-x-4 gap-y-1 bg-warning-soft px-4 py-2 text-sm">
      <span>
        You are viewing the pages of <b>{view.name}</b> as staff. You cannot change anything here. The view ends at{' '}
        {formatUtc(new Date(view.endsAt))}.
      </span>
      <Button size="sm" onClick={endView}>
        End
      </Button>
    </p>
  )
}
